import { once } from 'node:events';
import type * as vscode from 'vscode';
import { NetworkError } from '../../api/errors/connectionErrors.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import type { LogPart } from '../../apps/model/build.ts';
import { systemClock, type Clock } from '../../workbench/clock.ts';
import { MAX_LOG_LENGTH, MAX_POLL_MS, MIN_POLL_MS } from '../limits.ts';
import { pauseMs } from '../watching/buildProgress.ts';
import type { BuildLog } from './buildLog.ts';
import { cleanLine, LogText } from './logText.ts';

type UnreadLog = Pick<BuildLog, 'read' | 'hideSecrets'>;

/** What an answer adds to a log. */
interface LogUpdate {
  /** Whole lines of plain text without secrets, each with its line feed. */
  readonly text: string;
  /** True when the text before is no longer part of the log. */
  readonly startsOver: boolean;
}

interface FollowOptions {
  readonly signal: AbortSignal;
  /** Fires when something of the build has changed: the log is read at once. */
  readonly onDidChange?: vscode.Event<unknown>;
  readonly clock?: Clock;
}

const PAUSE_GROWTH = 1.5;
/** Characters of a part that is followed by more at once: services cut long logs into parts. */
const LONG_PART_LENGTH = 128 * 1024;

/**
 * The updates of a log, until it is complete or the signal aborts. The first one comes once it has been read, even when it is
 * empty. A line is held back until its end has come.
 *
 * @throws BuildServiceError when the log cannot be read.
 */
export async function* logUpdates(log: UnreadLog, options: FollowOptions): AsyncGenerator<LogUpdate> {
  const { signal } = options;
  const reader = new LogReader(log);
  let pause = MIN_POLL_MS;
  let failures = 0;
  let isFirst = true;
  while (!signal.aborted) {
    let answer: Answer;
    try {
      answer = await reader.next();
    } catch (error) {
      failures += 1;
      if (isAborted(signal)) {
        return;
      }
      if (!isPassing(error, failures)) {
        throw error;
      }
      await sleep(pauseAfter(error, failures), options);
      continue;
    }
    if (isAborted(signal)) {
      return;
    }
    const { text, startsOver, part } = answer;
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

/** Reads a log as far as it is there. @throws BuildServiceError */
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

interface Answer extends LogUpdate {
  /** As the service sent it. */
  readonly part: LogPart;
}

/** Reads a log part by part. */
class LogReader {
  readonly #log: UnreadLog;
  /** Where the next part starts. Undefined for a service that sends the whole log each time. */
  #offset: number | undefined;
  #whole = '';
  /** The begin of a line. */
  #begun = '';

  constructor(log: UnreadLog) {
    this.#log = log;
  }

  async next(): Promise<Answer> {
    const part = await this.#log.read(this.#offset);
    const { text: added, startsOver } = this.#add(part);
    const text = (startsOver ? '' : this.#begun) + added;
    const end = part.completed === true ? text.length : text.lastIndexOf('\n') + 1;
    this.#begun = text.slice(end).slice(-MAX_LOG_LENGTH);
    return { text: this.#shown(text.slice(0, end)), startsOver, part };
  }

  /** The last line, which has no end yet. */
  rest(): string {
    return this.#shown(this.#begun);
  }

  #add({ text, nextOffset }: LogPart): LogUpdate {
    if (nextOffset !== undefined) {
      // Another build has begun a log of its own.
      const startsOver = this.#offset !== undefined && nextOffset < this.#offset;
      this.#offset = startsOver ? undefined : nextOffset;
      return { text: startsOver ? '' : text, startsOver };
    }
    const startsOver = !text.startsWith(this.#whole);
    const added = startsOver ? text : text.slice(this.#whole.length);
    this.#whole = text;
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

/** True when the log may be asked for again: of a busy service always, else until the pauses get long. @param failures including this one. */
function isPassing(error: unknown, failures: number): boolean {
  const status = error instanceof ServiceError ? error.status : 0;
  const isBusy = status === 429 || status === 503;
  return isBusy || (MIN_POLL_MS * 2 ** failures <= MAX_POLL_MS && (error instanceof NetworkError || status >= 500));
}

function pauseAfter(error: unknown, failures: number): number {
  const asked = error instanceof ServiceError ? pauseMs(error.retryAfter) : 0;
  return Math.max(Math.min(MIN_POLL_MS * 2 ** failures, MAX_POLL_MS), asked);
}

/** A change or an abort ends it. Never rejects. */
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

/** A function, so that the compiler does not take a signal for what it was before an `await`. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
