import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { BuildServiceError, CancelledError, Failure, sentence } from '../../errors/index.ts';
import { parseServiceUrl, type ServiceUrl } from '../../service-client/index.ts';
import type { ClientRegistration } from '../auth/serviceSelection.ts';
import { ANSWER_TIMEOUT_MS, START_TIMEOUT_MS, STOP_TIMEOUT_MS } from './limits.ts';
import { forkService } from './serviceProgram.ts';

const NEXT = sentence('Try again. If the problem persists, see the log.');

/** Creates the error for a local service that didn't start or doesn't respond. */
function notStarted(reason: string): Failure {
  const what = sentence('The local service didn’t start: {0}', reason);
  return new Failure('localService', { what, next: NEXT, remedy: 'retry' });
}

/** Creates the error for a local service that failed to do what this window requested. */
function notAnswered(reason: string): Failure {
  const what = sentence('The local service couldn’t complete the request: {0}', reason);
  return new Failure('localServiceAnswer', { what, next: NEXT, remedy: 'retry' });
}

/** The service's program and its arguments. */
interface LocalServiceProgram {
  /** Path of the service's bundle. */
  readonly script: string;
  /** Folder of the service's data. */
  readonly dataFolder: string;
  /** True if new data is demo data. */
  readonly demo: boolean;
  /**
   * Receives each line that the service writes to stderr, such as problems with its data. The lines are for the user.
   */
  readonly report: (line: string) => void;
}

/** A message to the service. `src/build-service/program.ts` defines it. */
type ServiceMessage =
  | { readonly callbackUrl: string }
  | { readonly ask: 'accessToken' }
  | { readonly ask: 'signInPage'; readonly path: string };

const ANSWER = z.object({ id: z.string(), value: z.optional(z.string()), error: z.optional(z.string()) });

/** First line that the service's program prints. */
const ANNOUNCEMENT = z.object({
  baseUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  /**
   * Another window's process that serves the data. Null if the service is a child of this window. The proof is the response to the
   * challenge. Another program that takes the port later can't create it.
   */
  instance: z.nullable(z.object({ challenge: z.string(), proof: z.string() })),
});
type ServiceAnnouncement = z.infer<typeof ANNOUNCEMENT>;

/** Response to a challenge. It's validated, because any program may be listening at the address. */
const PROOF = z.object({ proof: z.string() });

/** The local service's process: a child of this window, which exits with it, or another window's process that serves the same data. */
export class LocalServiceProcess {
  readonly url: ServiceUrl;
  readonly registration: ClientRegistration;
  /** False for another window's process. */
  readonly isOwn: boolean;
  readonly #program: LocalServiceProgram;
  readonly #child: ChildProcess;
  readonly #instance: ServiceAnnouncement['instance'];

  private constructor(program: LocalServiceProgram, child: ChildProcess, announcement: ServiceAnnouncement) {
    const { baseUrl, clientId, clientSecret, instance } = announcement;
    this.#program = program;
    this.#child = child;
    this.#instance = instance;
    this.isOwn = instance === null;
    this.url = parseServiceUrl(baseUrl);
    this.registration = { clientId, clientSecret };
  }

  /**
   * Starts the service unless another process serves the same data. Resolves when the service's address is known.
   * @throws Failure if the service doesn't start. The message contains the last line that the service wrote to stderr, if any
   */
  static async start(program: LocalServiceProgram): Promise<LocalServiceProcess> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      const process = await LocalServiceProcess.#launch(program);
      if (process.isOwn) {
        return process;
      }
      // The program has printed the other process's address. Without this, it would wait for messages.
      process.#child.disconnect();
      if (await process.isRunning()) {
        return process;
      }
      // The other process has just exited, or is taking over the folder of a killed process.
      if (performance.now() > deadline) {
        throw notStarted("the one in another window doesn't respond.");
      }
    }
  }

  /** Starts the program and reads its announcement, which may describe another window's process. @throws Failure */
  static async #launch(program: LocalServiceProgram): Promise<LocalServiceProcess> {
    const { script, dataFolder, demo, report } = program;
    const args = ['--json', '--data', dataFolder, ...(demo ? ['--demo'] : [])];
    const { child, lastLine } = forkService(script, args, 'pipe', report);
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    try {
      const [line] = (await Promise.race([
        once(createInterface({ input: child.stdout ?? Readable.from([]) }), 'line', { signal: timeout }),
        once(child, 'close', { signal: timeout }).then(() => []),
        once(child, 'error', { signal: timeout }).then(() => []),
      ])) as [string?];
      if (line === undefined) {
        throw notStarted(lastLine() || 'it ended immediately.');
      }
      const announcement = readJson(ANNOUNCEMENT, line);
      if (announcement === undefined) {
        throw notStarted("it didn't report its address.");
      }
      return new LocalServiceProcess(program, child, announcement);
    } catch (error) {
      child.kill('SIGKILL');
      throw error instanceof BuildServiceError
        ? error
        : notStarted(`it didn't respond within ${START_TIMEOUT_MS / 1000} s.`);
    }
  }

  /**
   * Reports whether the process is still running. Queries another window's process, because any program may use its port after it exits.
   */
  async isRunning(): Promise<boolean> {
    if (this.#instance === null) {
      return this.#isAlive;
    }
    const { challenge, proof } = this.#instance;
    return (await askInstance(this.url, challenge))?.proof === proof;
  }

  get #isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Calls `listener` once when this window's process has exited. */
  onExit(listener: () => void): void {
    if (this.isOwn) {
      this.#child.once('exit', listener);
    }
  }

  /**
   * Allows the service to redirect browsers to `callbackUrl` after a sign-in from this extension.
   * @throws Failure if the service refuses
   */
  async registerCallback(callbackUrl: string): Promise<void> {
    await this.#ask({ callbackUrl });
  }

  /** Returns an access token of the service's owner for this extension. @throws Failure */
  accessToken(): Promise<string> {
    return this.#ask({ ask: 'accessToken' });
  }

  /** Returns the address of a page that signs a browser in once as the service's owner, and then redirects to `path`. @throws Failure */
  signInPage(path: string): Promise<string> {
    return this.#ask({ ask: 'signInPage', path });
  }

  /** Sends a message and returns the response. For another window's service, starts a short-lived program that finds it. */
  async #ask(message: ServiceMessage): Promise<string> {
    if (this.isOwn) {
      return waitForAnswer(this.#child, message);
    }
    const helper = await LocalServiceProcess.#launch(this.#program);
    try {
      return await waitForAnswer(helper.#child, message);
    } finally {
      await helper.stop();
    }
  }

  /** Stops this window's process and keeps its data. */
  async stop(): Promise<void> {
    if (!this.#isAlive) {
      return;
    }
    const exited = once(this.#child, 'exit');
    this.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  /**
   * Stops the process, as {@link stop} does, but without waiting. The process exits when its parent disconnects, because Windows has no
   * signal for a clean exit.
   */
  end(): void {
    if (this.#child.connected) {
      this.#child.disconnect();
    }
  }
}

/** Sends a message and returns the response. @throws Failure; CancelledError if the process has exited */
async function waitForAnswer(child: ChildProcess, message: ServiceMessage): Promise<string> {
  if (!child.connected) {
    throw new CancelledError();
  }
  const id = randomUUID();
  const messages = on(child, 'message', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), close: ['disconnect'] });
  // If the message can't be sent, the channel closes.
  child.send({ id, ...message }, () => undefined);
  try {
    for await (const [received] of messages as AsyncIterable<readonly [unknown]>) {
      const answer = ANSWER.safeParse(received).data;
      if (answer?.id === id) {
        const { value, error = 'it said nothing of use.' } = answer;
        if (value === undefined) {
          throw notAnswered(error);
        }
        return value;
      }
    }
  } catch (error) {
    throw error instanceof BuildServiceError
      ? error
      : notAnswered(`it didn't respond within ${ANSWER_TIMEOUT_MS / 1000} s.`);
  }
  throw new CancelledError();
}

/** Returns a program's response to a challenge, or undefined if it isn't valid. */
async function askInstance({ origin }: ServiceUrl, challenge: string): Promise<z.infer<typeof PROOF> | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const request = get(`${origin}/instance?challenge=${challenge}`, { agent: false, signal });
    const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
    // A valid response fits into one chunk. Another program's response may be endless.
    const [piece] = (await once(response, 'data', { signal })) as [Buffer];
    request.destroy();
    return readJson(PROOF, piece.toString());
  } catch {
    return undefined;
  }
}

function readJson<T>(schema: z.ZodMiniType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
