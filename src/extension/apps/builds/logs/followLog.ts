import { once } from 'node:events';
import type * as vscode from 'vscode';
import { NetworkError, ServiceError } from '../../../../service-client/index.ts';
import type { LogPart } from '../../model/build.ts';
import { systemClock, type Clock } from '../../../workbench/clock.ts';
import { MAX_LOG_LENGTH, MAX_POLL_MS, MIN_POLL_MS } from '../limits.ts';
import { getPauseMs } from '../watching/buildProgress.ts';
import type { BuildLog } from './buildLog.ts';
import { cleanLine, LogText } from './logText.ts';

type UnreadLog = Pick<BuildLog, 'read' | 'hideSecrets'>;

/** Text that a response adds to a log. */
interface LogUpdate {
  /** Complete lines of plain text without secrets, including their line feeds. */
  readonly text: string;
  /** True if the earlier text is no longer part of the log. */
  readonly startsOver: boolean;
}

interface FollowOptions {
  readonly signal: AbortSignal;
  /** Fires when the build changes, so that the log is read immediately. */
  readonly onDidChange?: vscode.Event<unknown>;
  readonly clock?: Clock;
}

const PAUSE_GROWTH = 1.5;
/** Minimum length, in UTF-16 code units, of a part after which the next part is read immediately. Services split long logs into parts. */
const LONG_PART_LENGTH = 128 * 1024;

/**
 * Yields the updates of a log until it's complete or the signal aborts. Always yields the first update, even if it's empty. Holds
 * back an incomplete last line.
 *
 * @throws BuildServiceError if the log can't be read.
 */
export async function* logUpdates(log: UnreadLog, options: FollowOptions): AsyncGenerator<LogUpdate> {
  const { signal } = options;
  const reader = new LogReader(log);
  let pause = MIN_POLL_MS;
  let failures = 0;
  let isFirst = true;
  while (!signal.aborted) {
    let response: LogResponse;
    try {
      response = await reader.next();
    } catch (error) {
      failures += 1;
      if (isAborted(signal)) {
        return;
      }
      if (!isTransient(error, failures)) {
        throw error;
      }
      await sleep(pauseAfter(error, failures), options);
      continue;
    }
    if (isAborted(signal)) {
      return;
    }
    const { text, startsOver, part } = response;
    failures = 0;
    if (isFirst || startsOver || text !== '') {
      isFirst = false;
      yield { text, startsOver };
    }
    if (part.completed === true) {
      return;
    }
    if (part.nextOffset === undefined || part.text.length < LONG_PART_LENGTH) {
      pause = text === '' ? Math.min(MAX_POLL_MS, pause * PAUSE_GROWTH) : MIN_POLL_MS;
      await sleep(pause, options);
    }
  }
}

/** Reads a log up to its current end. @throws BuildServiceError if the log can't be read. */
export async function readLog(
  unread: UnreadLog,
): Promise<{ readonly log: LogText; readonly isComplete: boolean | undefined }> {
  const reader = new LogReader(unread);
  let log = new LogText();
  for (;;) {
    const { text, startsOver, part } = await reader.next();
    log = startsOver ? new LogText() : log;
    log.append(text);
    if (part.completed === true || part.nextOffset === undefined || part.text === '') {
      log.append(reader.rest());
      return { log, isComplete: part.completed };
    }
  }
}

interface LogResponse extends LogUpdate {
  readonly part: LogPart;
}

/** Reads a log in parts. */
class LogReader {
  readonly #log: UnreadLog;
  /** Offset of the next part. Undefined if the service always sends the whole log. */
  #offset: number | undefined;
  #wholeLog = '';
  /** The incomplete last line. */
  #incompleteLine = '';

  constructor(log: UnreadLog) {
    this.#log = log;
  }

  async next(): Promise<LogResponse> {
    const part = await this.#log.read(this.#offset);
    const { text: added, startsOver } = this.#add(part);
    const text = (startsOver ? '' : this.#incompleteLine) + added;
    const end = part.completed === true ? text.length : text.lastIndexOf('\n') + 1;
    this.#incompleteLine = text.slice(end).slice(-MAX_LOG_LENGTH);
    return { text: this.#shown(text.slice(0, end)), startsOver, part };
  }

  /** Returns the incomplete last line. */
  rest(): string {
    return this.#shown(this.#incompleteLine);
  }

  #add({ text, nextOffset }: LogPart): LogUpdate {
    if (nextOffset !== undefined) {
      // A new build started a new log.
      const startsOver = this.#offset !== undefined && nextOffset < this.#offset;
      this.#offset = startsOver ? undefined : nextOffset;
      return { text: startsOver ? '' : text, startsOver };
    }
    const startsOver = !text.startsWith(this.#wholeLog);
    const added = startsOver ? text : text.slice(this.#wholeLog.length);
    this.#wholeLog = text;
    return { text: added, startsOver };
  }

  #shown(text: string): string {
    if (text === '') {
      return '';
    }
    const lines = text.replace(/\n$/, '').split('\n').map(cleanLine);
    return `${this.#log.hideSecrets(lines.join('\n'))}\n`;
  }
}

/**
 * Reports whether reading the log can be retried. Always true for a busy service. Connection and server failures are retried a few times.
 *
 * @param failures number of failures in a row, including this one.
 */
function isTransient(error: unknown, failures: number): boolean {
  const status = error instanceof ServiceError ? error.status : 0;
  const isBusy = status === 429 || status === 503;
  return isBusy || (MIN_POLL_MS * 2 ** failures <= MAX_POLL_MS && (error instanceof NetworkError || status >= 500));
}

function pauseAfter(error: unknown, failures: number): number {
  const asked = error instanceof ServiceError ? getPauseMs(error.retryAfter) : 0;
  return Math.max(Math.min(MIN_POLL_MS * 2 ** failures, MAX_POLL_MS), asked);
}

/** Waits until the time has passed, the build changes, or the signal aborts. Never rejects. */
async function sleep(milliseconds: number, { signal, onDidChange, clock = systemClock }: FollowOptions): Promise<void> {
  const woken = new AbortController();
  const wake = (): void => woken.abort();
  const timer = clock.after(milliseconds, wake);
  const subscription = onDidChange?.(wake);
  const either = AbortSignal.any([signal, woken.signal]);
  if (!either.aborted) {
    await once(either, 'abort');
  }
  subscription?.dispose();
  timer.dispose();
}

/**
 * Reports whether a signal is aborted. Without this function, the compiler would assume that `aborted` doesn't change during an `await`.
 */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
