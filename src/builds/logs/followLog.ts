import { once } from 'node:events';
import type * as vscode from 'vscode';
import { NetworkError } from '../../api/errors/connectionErrors.ts';
import { RateLimitedError, ServiceError } from '../../api/errors/serviceError.ts';
import type { LogPart } from '../../apps/model/build.ts';
import { systemClock, type Clock } from '../../workbench/clock.ts';
import { cleanLine, cutLine, MAX_RAW_LENGTH, withoutColours } from './logLine.ts';
import { lastLines, partsOfLog } from './logParts.ts';

/** Reads a part of a log. @param offset undefined for the start. */
export type ReadLog = (offset: number | undefined) => Promise<LogPart>;

/** A part that was added to a log. */
export interface LogUpdate {
  /** Whole lines, each with its line feed. Of control sequences only those that set colours are left. */
  readonly text: string;
  /** True when what came before is no longer part of the log. */
  readonly startsOver: boolean;
  /** Lines before it that are not told: there were too many. */
  readonly leftOut: number;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Fires when something of the build has changed: the log is read at once. */
  readonly onDidChange?: vscode.Event<unknown>;
  readonly hideSecrets?: (text: string) => Promise<string>;
  /** Milliseconds between two requests, growing while nothing comes. */
  readonly pauses?: { readonly min: number; readonly max: number };
  readonly clock?: Clock;
}

const PAUSES_MS = { min: 1_000, max: 15_000 };
/** The longest pause that a service can ask for. */
const MAX_PAUSE_MS = 5 * 60_000;
const PAUSE_GROWTH = 1.5;
/** Failures one after the other, of the network or the service, before the log is given up. */
const MAX_FAILURES = 5;
/** Characters of a part behind which there is more at once: the service cuts long logs into parts. */
const LONG_PART_LENGTH = 256 * 1024;

/**
 * The updates of a log, until it is complete or the signal aborts. The first one comes once it has been read, even when it is
 * empty. A line is held back until its end has come.
 *
 * @throws BuildServiceError when the log cannot be read.
 */
export async function* logUpdates(read: ReadLog, options: FollowOptions): AsyncGenerator<LogUpdate> {
  const { signal, hideSecrets = (text) => Promise.resolve(text), pauses = PAUSES_MS, clock = systemClock } = options;
  const progress = new LogProgress();
  const lines = new WholeLines();
  let { min: pause } = pauses;
  let failures = 0;
  let isFirst = true;
  while (!signal.aborted) {
    let answer: LogPart;
    try {
      answer = await read(progress.offset);
      failures = 0;
    } catch (error) {
      if (isAborted(signal)) {
        return;
      }
      failures += 1;
      const wait = pauseAfter(error, failures, pause);
      if (wait === undefined) {
        throw error;
      }
      pause = Math.min(pauses.max, pause * 2);
      await sleepUntil(wait, { signal, clock });
      continue;
    }
    if (isAborted(signal)) {
      return;
    }
    const { text: grown, startsOver } = progress.add(answer);
    if (startsOver) {
      lines.clear();
    }
    const { text: ended, leftOut } = await lastLines(lines.add(grown) + (answer.completed ? lines.rest() : ''));
    if (ended === '' && (startsOver || isFirst)) {
      yield { text: '', startsOver, leftOut };
    }
    isFirst = false;
    // What came before goes, and is counted, with the first of its parts.
    let before = { startsOver, leftOut };
    for await (const part of partsOfLog(ended)) {
      yield { text: await shownText(part, hideSecrets), ...before };
      if (isAborted(signal)) {
        return;
      }
      before = { startsOver: false, leftOut: 0 };
    }
    if (answer.completed) {
      return;
    }
    const isLong = progress.offset !== undefined && !startsOver && grown.length >= LONG_PART_LENGTH;
    if (!isLong) {
      pause = grown === '' ? Math.min(pauses.max, pause * PAUSE_GROWTH) : pauses.min;
      await sleepUntil(pause, options);
    }
  }
}

class LogProgress {
  /** Where the next part starts; undefined for a service that sends the whole log each time. */
  offset: number | undefined;
  #whole = '';

  add({ text, nextOffset }: LogPart): Pick<LogUpdate, 'text' | 'startsOver'> {
    if (nextOffset !== undefined) {
      // Another build has begun a log of its own.
      const startsOver = this.offset !== undefined && nextOffset < this.offset;
      this.offset = startsOver ? undefined : nextOffset;
      return { text: startsOver ? '' : text, startsOver };
    }
    const startsOver = !text.startsWith(this.#whole);
    const grown = startsOver ? text : text.slice(this.#whole.length);
    this.#whole = text;
    return { text: grown, startsOver };
  }
}

class WholeLines {
  #begun = '';

  /** @returns the lines that have ended, each with its line feed. */
  add(text: string): string {
    const end = text.lastIndexOf('\n') + 1;
    const ended = end === 0 ? '' : this.#begun + text.slice(0, end);
    this.#begin((end === 0 ? this.#begun : '') + text.slice(end));
    return ended;
  }

  rest(): string {
    const rest = this.#begun;
    this.#begun = '';
    return rest === '' ? '' : `${rest}\n`;
  }

  clear(): void {
    this.#begun = '';
  }

  #begin(text: string): void {
    const printed = text.length > MAX_RAW_LENGTH ? text.slice(text.lastIndexOf('\r', text.length - 2) + 1) : text;
    this.#begun = printed.slice(0, MAX_RAW_LENGTH);
  }
}

/** Whole lines as they are shown: without secrets, none of them too long. */
async function shownText(text: string, hideSecrets: (text: string) => Promise<string>): Promise<string> {
  const hidden = await hideSecrets(text.split('\n').map(cleanLine).join('\n'));
  const plain = withoutColours(hidden);
  // Colours can stand inside a secret: then the text goes without them.
  const hiddenPlain = plain === hidden ? plain : await hideSecrets(plain);
  const shown = hiddenPlain === plain ? hidden : hiddenPlain;
  return shown.split('\n').map(cutLine).join('\n');
}

/** Milliseconds until a request may succeed; undefined when there is no hope. */
function pauseAfter(error: unknown, failures: number, pause: number): number | undefined {
  if (error instanceof RateLimitedError) {
    return Math.min(MAX_PAUSE_MS, Math.max(pause * 2, (error.retryAfter ?? 0) * 1_000));
  }
  const isBusy = error instanceof ServiceError && error.status === 503;
  const isPassing = error instanceof NetworkError || (error instanceof ServiceError && error.status >= 500);
  const isHopeful = isBusy || (isPassing && failures < MAX_FAILURES);
  return isHopeful ? Math.min(MAX_PAUSE_MS, pause * 2 ** failures) : undefined;
}

/** Waits; a change or an abort ends it. Never rejects. */
async function sleepUntil(
  milliseconds: number,
  { signal, onDidChange, clock = systemClock }: FollowOptions,
): Promise<void> {
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
