import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { BuildServiceError, Failure } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { parseServiceUrl, type ServiceUrl } from '../api/serviceUrl.ts';
import type { ClientRegistration } from '../auth/serviceSelection.ts';
import { ANSWER_TIMEOUT_MS, START_TIMEOUT_MS, STOP_TIMEOUT_MS } from './limits.ts';
import { forkService } from './serviceProgram.ts';

const NEXT = sentence('Try again; if it happens again, the log may say more.');

/** The local service did not start, or does not answer. */
function notStarted(reason: string): Failure {
  const what = sentence('The local service did not start: {0}', reason);
  return new Failure('localService', { what, next: NEXT, remedy: 'retry' });
}

/** The local service did not do what this window asked of it over the channel between them. */
function notAnswered(reason: string): Failure {
  const what = sentence('The local service did not do what this window asked for: {0}', reason);
  return new Failure('localServiceAnswer', { what, next: NEXT, remedy: 'retry' });
}

/** The service's program, and what it is started with. */
interface LocalServiceProgram {
  /** Path of the service's bundle. */
  readonly script: string;
  /** Where it keeps its data. */
  readonly dataFolder: string;
  /** Whether data that it makes are demo data. */
  readonly demo: boolean;
  /** Receives each line that the service writes to stderr: what is wrong with its data, for a person. */
  readonly report: (line: string) => void;
}

/** A message to the service, as `src/localService/program.ts` defines it. */
type Message =
  | { readonly callbackUrl: string }
  | { readonly ask: 'accessToken' }
  | { readonly ask: 'signInPage'; readonly path: string };

const ANSWER = z.object({ id: z.string(), value: z.optional(z.string()), error: z.optional(z.string()) });

/** The first line of the service's program. */
const ANNOUNCEMENT = z.object({
  baseUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  /**
   * That of another window's process; `null` when the service is a child of this one. The proof is its answer to the challenge: another
   * program that takes its port later does not know it.
   */
  instance: z.nullable(z.object({ challenge: z.string(), proof: z.string() })),
});
type Announcement = z.infer<typeof ANNOUNCEMENT>;

/** The answer of the program at an address, which may be any program, to a challenge. */
const PROOF = z.object({ proof: z.string() });

/**
 * The process that runs the embedded service: a child of this one, which ends with it, or that of another window, which serves the same
 * data.
 */
export class LocalServiceProcess {
  readonly url: ServiceUrl;
  readonly registration: ClientRegistration;
  /** False for that of another window. */
  readonly isOwn: boolean;
  readonly #program: LocalServiceProgram;
  readonly #child: ChildProcess;
  readonly #instance: Announcement['instance'];

  private constructor(program: LocalServiceProgram, child: ChildProcess, announcement: Announcement) {
    const { baseUrl, clientId, clientSecret, instance } = announcement;
    this.#program = program;
    this.#child = child;
    this.#instance = instance;
    this.isOwn = instance === null;
    this.url = parseServiceUrl(baseUrl);
    this.registration = { clientId, clientSecret };
  }

  /**
   * Starts the service, unless another process serves the same data, and waits until it is known where it listens.
   *
   * @throws Failure with the last line that the service wrote to stderr.
   */
  static async start(program: LocalServiceProgram): Promise<LocalServiceProcess> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      const process = await LocalServiceProcess.#launch(program);
      if (process.isOwn) {
        return process;
      }
      // The program has printed the address of the other one. It would wait for messages.
      process.#child.disconnect();
      if (await process.isRunning()) {
        return process;
      }
      // The other one has just ended, or takes over the folder of one that was killed.
      if (performance.now() > deadline) {
        throw notStarted('that of another window does not answer.');
      }
    }
  }

  /** As {@link start}, but a program that has found the process of another window still answers for it. */
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
        throw notStarted(lastLine() || 'it ended at once.');
      }
      const announcement = readJson(ANNOUNCEMENT, line);
      if (announcement === undefined) {
        throw notStarted('it did not say where it listens.');
      }
      return new LocalServiceProcess(program, child, announcement);
    } catch (error) {
      child.kill('SIGKILL');
      throw error instanceof BuildServiceError
        ? error
        : notStarted(`nothing came back within ${START_TIMEOUT_MS / 1000} s.`);
    }
  }

  /** Whether the process serves. That of another window is asked: when it ends, anything may take its port. */
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

  /** Runs `listener` once, when a process of this window has ended. */
  onExit(listener: () => void): void {
    if (this.isOwn) {
      this.#child.once('exit', listener);
    }
  }

  /**
   * Makes the service send browsers back to `callbackUrl` when they come from this extension.
   *
   * @throws Failure when the service does not agree.
   */
  async registerCallback(callbackUrl: string): Promise<void> {
    await this.#ask({ callbackUrl });
  }

  /** An access token of the service's owner, for this extension. @throws Failure */
  accessToken(): Promise<string> {
    return this.#ask({ ask: 'accessToken' });
  }

  /**
   * The address of a page that signs a browser in as the service's owner, once, and leads on to `path`.
   *
   * @throws Failure
   */
  signInPage(path: string): Promise<string> {
    return this.#ask({ ask: 'signInPage', path });
  }

  /** The answer to a message. The service of another window is asked through a program that finds it, and ends. */
  async #ask(message: Message): Promise<string> {
    if (this.isOwn) {
      return answerOf(this.#child, message);
    }
    const helper = await LocalServiceProcess.#launch(this.#program);
    try {
      return await answerOf(helper.#child, message);
    } finally {
      await helper.stop();
    }
  }

  /** Ends a process of this window; its data stays. */
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

  /** As {@link stop}, without waiting. The process ends when its parent is gone; Windows has no signal that lets it end by itself. */
  end(): void {
    if (this.#child.connected) {
      this.#child.disconnect();
    }
  }
}

/** @throws Failure; CancelledError when the process has ended. */
async function answerOf(child: ChildProcess, message: Message): Promise<string> {
  if (!child.connected) {
    throw new CancelledError();
  }
  const id = randomUUID();
  const messages = on(child, 'message', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), close: ['disconnect'] });
  // Where it cannot be sent, the channel closes.
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
      : notAnswered(`nothing came back within ${ANSWER_TIMEOUT_MS / 1000} s.`);
  }
  throw new CancelledError();
}

/** What the program at an address answers to a challenge; undefined when it is of no use. */
async function askInstance({ origin }: ServiceUrl, challenge: string): Promise<z.infer<typeof PROOF> | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const request = get(`${origin}/instance?challenge=${challenge}`, { agent: false, signal });
    const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
    // The answer fits into one piece. What another program sends may have no end.
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
