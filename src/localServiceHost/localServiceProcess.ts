import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { parseServiceUrl, type ServiceUrl } from '../api/serviceUrl.ts';
import type { ClientRegistration } from '../auth/serviceSelection.ts';
import { forkService } from './serviceProgram.ts';

/** How long the service may take to start. */
const START_TIMEOUT_MS = 15_000;
/** How long it may take to answer a message. */
const ANSWER_TIMEOUT_MS = 3_000;
/** How long it may take to end by itself. */
const STOP_TIMEOUT_MS = 3_000;

/** How long that of another window may take to prove itself, and with how many characters. */
const PROBE_TIMEOUT_MS = 3_000;
const MAX_ANSWER_LENGTH = 1_024;

/** The local service did not start, or does not answer. */
export class LocalServiceError extends BuildServiceError {
  readonly kind = 'localService';

  constructor(reason: string) {
    super({
      what: sentence('The local service did not start: {0}', reason),
      next: sentence('Try again; if it happens again, the log may say more.'),
      remedy: 'retry',
    });
  }
}

/** The local service did not do what this window asked of it over the channel between them. */
export class LocalServiceAnswerError extends BuildServiceError {
  readonly kind = 'localServiceAnswer';

  constructor(reason: string) {
    super({
      what: sentence('The local service did not do what this window asked for: {0}', reason),
      next: sentence('Try again; if it happens again, the log may say more.'),
      remedy: 'retry',
    });
  }
}

/** The service's program, and what it is started with. */
export interface LocalServiceProgram {
  /** Path of the service's bundle. */
  readonly script: string;
  /** Where it keeps its data. */
  readonly dataFolder: string;
  /** Whether data that it makes are demo data. */
  readonly demo: boolean;
  /** Receives each line that the service writes to stderr: what is wrong with its data, for a person. */
  readonly report: (line: string) => void;
}

/** A message to the service, as `src/localService/parentProcess.ts` defines it. */
type Message =
  | { readonly callbackUrl: string }
  | { readonly ask: 'accessToken' }
  | { readonly ask: 'signInPage'; readonly path: string };

/** Its answer; nothing of it is certain. */
interface Answer {
  readonly id?: unknown;
  readonly callbackUrl?: unknown;
  readonly accessToken?: unknown;
  readonly url?: unknown;
  readonly error?: unknown;
}

/** The answer of a service to a challenge. Another program that takes its port later does not know the proof. */
interface InstanceProof {
  readonly challenge: string;
  readonly proof: string;
}

/** The first line of the service's program. */
interface Announcement {
  readonly url: ServiceUrl;
  readonly registration: ClientRegistration;
  /** That of another window's process; undefined when the service is a child of this one. */
  readonly instance: InstanceProof | undefined;
  /** Name of its builder, if it is known. */
  readonly builder: string | undefined;
}

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
  readonly #instance: InstanceProof | undefined;
  #builder: string | undefined;

  private constructor(
    program: LocalServiceProgram,
    child: ChildProcess,
    { url, registration, builder, instance }: Announcement,
  ) {
    this.#program = program;
    this.#child = child;
    this.#instance = instance;
    this.isOwn = instance === undefined;
    this.#builder = builder;
    this.url = url;
    this.registration = registration;
  }

  /**
   * Starts the service, unless another process serves the same data, and waits until it is known where it listens.
   *
   * @throws LocalServiceError with the last line that the service wrote to stderr.
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
        throw new LocalServiceError('that of another window does not answer.');
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
      const line = await Promise.race([
        firstLine(child, timeout),
        once(child, 'close', { signal: timeout }).then(() => undefined),
        once(child, 'error', { signal: timeout }).then(() => undefined),
      ]);
      if (line === undefined) {
        throw new LocalServiceError(lastLine() || 'it ended at once.');
      }
      const { baseUrl, clientId, clientSecret, builder, instance } = JSON.parse(line) as Record<string, unknown>;
      if (typeof baseUrl !== 'string' || typeof clientId !== 'string' || typeof clientSecret !== 'string') {
        throw new LocalServiceError('it did not say where it listens.');
      }
      child.stdout?.resume();
      return new LocalServiceProcess(program, child, {
        url: parseServiceUrl(baseUrl),
        registration: { clientId, clientSecret },
        builder: nameOfBuilder(builder),
        instance: isInstanceProof(instance) ? instance : undefined,
      });
    } catch (error) {
      child.kill('SIGKILL');
      throw error instanceof BuildServiceError
        ? error
        : new LocalServiceError(`nothing came back within ${START_TIMEOUT_MS / 1000} s.`);
    }
  }

  /** Name of its builder when it was started, or asked last, if it is known. */
  get builder(): string | undefined {
    return this.#builder;
  }

  /** Whether the process serves. That of another window is asked: when it ends, anything may take its port. */
  async isRunning(): Promise<boolean> {
    if (this.#instance === undefined) {
      return this.#isAlive;
    }
    const { challenge, proof } = this.#instance;
    const answer = await askInstance(this.url, challenge);
    if (answer?.proof !== proof) {
      return false;
    }
    this.#builder = answer.builder;
    return true;
  }

  get #isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Runs `listener` once, when a process of this window has ended: with its exit code, or the name of the signal that ended it. */
  onExit(listener: (result: number | string) => void): void {
    if (this.isOwn) {
      this.#child.once('exit', (code, signal) => listener(code ?? signal ?? ''));
    }
  }

  /**
   * Makes the service send browsers back to `callbackUrl` when they come from this extension.
   *
   * @throws LocalServiceAnswerError when the service does not agree.
   */
  async registerCallback(callbackUrl: string): Promise<void> {
    await this.#ask({ callbackUrl }, 'callbackUrl');
  }

  /** An access token of the service's owner, for this extension. @throws LocalServiceAnswerError */
  accessToken(): Promise<string> {
    return this.#ask({ ask: 'accessToken' }, 'accessToken');
  }

  /**
   * The address of a page that signs a browser in as the service's owner, once, and leads on to `path`.
   *
   * @throws LocalServiceAnswerError
   */
  signInPage(path: string): Promise<string> {
    return this.#ask({ ask: 'signInPage', path }, 'url');
  }

  /** The answer to a message, under `key`. The service of another window is asked through a program that finds it, and ends. */
  async #ask(message: Message, key: keyof Answer): Promise<string> {
    if (this.isOwn) {
      return answerOf(this.#child, message, key);
    }
    const helper = await LocalServiceProcess.#launch(this.#program);
    try {
      return await answerOf(helper.#child, message, key);
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

/** @throws LocalServiceAnswerError; CancelledError when the process has ended. */
async function answerOf(child: ChildProcess, message: Message, key: keyof Answer): Promise<string> {
  if (!child.connected) {
    throw new CancelledError();
  }
  const id = randomUUID();
  const answers = on(child, 'message', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), close: ['disconnect'] });
  // Where it cannot be sent, the channel closes.
  child.send({ id, ...message }, () => undefined);
  try {
    for await (const [answer] of answers as AsyncIterable<readonly [Answer]>) {
      const value = answer[key];
      if (answer.id === id && typeof value === 'string') {
        return value;
      }
      if (answer.id === id) {
        throw new LocalServiceAnswerError(typeof answer.error === 'string' ? answer.error : 'it said nothing of use.');
      }
    }
  } catch (error) {
    throw error instanceof BuildServiceError
      ? error
      : new LocalServiceAnswerError(`nothing came back within ${ANSWER_TIMEOUT_MS / 1000} s.`);
  }
  throw new CancelledError();
}

async function firstLine(child: ChildProcess, signal: AbortSignal): Promise<string | undefined> {
  if (child.stdout === null) {
    return undefined;
  }
  const lines = createInterface({ input: child.stdout });
  try {
    const [line] = (await once(lines, 'line', { signal })) as [string];
    return line;
  } finally {
    lines.close();
  }
}

/** The answer of the program at an address, which may be any program, to a challenge; undefined when it is of no use. */
async function askInstance(
  { origin }: ServiceUrl,
  challenge: string,
): Promise<{ readonly proof: unknown; readonly builder: string | undefined } | undefined> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const request = get(`${origin}/instance?challenge=${challenge}`, { agent: false, signal });
    const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > MAX_ANSWER_LENGTH) {
        return undefined;
      }
    }
    const { proof, builder } = JSON.parse(text) as Record<string, unknown>;
    return { proof, builder: typeof builder === 'string' ? builder : undefined };
  } catch {
    return undefined;
  }
}

function isInstanceProof(value: unknown): value is InstanceProof {
  return typeof value === 'object' && value !== null && 'challenge' in value && 'proof' in value;
}

/** @param builder as in the service's first line. */
function nameOfBuilder(builder: unknown): string | undefined {
  return typeof builder === 'object' && builder !== null && 'name' in builder && typeof builder.name === 'string'
    ? builder.name
    : undefined;
}
