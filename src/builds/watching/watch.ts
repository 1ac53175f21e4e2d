import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { stateOf, type App, type PlatformBuild } from '../../apps/model/app.ts';
import { urlAt } from '../../auth/localName.ts';
import { pathOfApp, type BuildProgress } from './buildProgress.ts';

/** A build that this window watches. */
export class Watch {
  url: string;
  readonly title: string;
  builds: readonly PlatformBuild[];
  /** Times are milliseconds since 1970. */
  readonly startedAt: number;
  askedAt: number;
  endedAt: number | undefined;
  /** The service wants no question before. */
  notBefore = 0;
  /** Questions without an answer since the last one. */
  failures = 0;
  trouble: unknown;
  /** Undefined until it is known. */
  account: string | undefined;
  /** The app, with the link to its status, and the calls by which it was read. */
  known: { readonly app: App; readonly calls: AppCalls | undefined } | undefined;
  /** Ask as soon as it is allowed. */
  atOnce = false;
  isAsking = false;
  timer: { dispose(): void } | undefined;

  constructor(url: string, title: string, builds: readonly PlatformBuild[], startedAt: number) {
    this.url = url;
    this.title = title;
    this.builds = builds;
    this.startedAt = startedAt;
    this.askedAt = startedAt;
  }

  get path(): string {
    return pathOfApp(this.url);
  }

  get progress(): BuildProgress {
    const { url, title, known, builds, startedAt, endedAt, trouble } = this;
    const version = known?.app.version;
    return { appUrl: url, title, version, builds, state: stateOf(builds), startedAt, endedAt, trouble };
  }

  /** The visible state, to find changes. */
  get shown(): string {
    return JSON.stringify([this.url, this.builds, this.endedAt, this.trouble === undefined]);
  }

  /** The local service can come back at another port. */
  moveTo(origin: string): void {
    const url = urlAt(origin, this.path);
    if (url !== this.url) {
      this.url = url;
      this.known = undefined;
    }
  }
}

export interface Attention {
  /** A person is at work in this window. */
  readonly active: boolean;
  /** The window has just become active: ask as soon as it is allowed. */
  readonly atOnce: boolean;
}

const MIN_INTERVAL_MS = 1_000;
/** Of a build that takes no longer than builds usually do. */
const MAX_INTERVAL_MS = 15_000;
/** Of one that does not end. */
const MAX_LONG_INTERVAL_MS = 5 * 60_000;
/** Share of the time that the build has taken so far. */
const INTERVAL_SHARE = 1 / 5;
const LONG_INTERVAL_SHARE = 1 / 60;
/** In a window where no person is at work. */
const INACTIVE_FACTOR = 2;

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;
/** For a service that asks to wait and does not say how long. */
const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 5 * 60_000;
/** A service that wants more is asked after this time all the same. */
const MAX_REQUESTED_PAUSE_MS = 60 * 60_000;

/**
 * When to ask next: soon at first, then after a fifth of the time that the build has taken, at most 15 s; a build that does not
 * end is asked for ever less often.
 */
export function nextPollAt(
  { startedAt, askedAt, failures, notBefore }: Pick<Watch, 'startedAt' | 'askedAt' | 'failures' | 'notBefore'>,
  attention: Attention,
): number {
  if (attention.atOnce) {
    return Math.max(askedAt + MIN_INTERVAL_MS, notBefore);
  }
  if (failures > 0) {
    return Math.max(askedAt + doubled(FIRST_RETRY_MS, failures - 1, MAX_RETRY_MS), notBefore);
  }
  const age = Math.max(0, askedAt - startedAt);
  const factor = attention.active ? 1 : INACTIVE_FACTOR;
  const usual = Math.min(Math.max(age * INTERVAL_SHARE * factor, MIN_INTERVAL_MS), MAX_INTERVAL_MS * factor);
  const interval = Math.max(usual, Math.min(age * LONG_INTERVAL_SHARE, MAX_LONG_INTERVAL_MS));
  return Math.max(askedAt + interval, notBefore);
}

/**
 * The pause for a service that asks to wait.
 *
 * @param retryAfter seconds that it named.
 * @param failures this one included.
 * @returns milliseconds
 */
export function pauseMs(retryAfter: number | undefined, failures: number): number {
  const own = doubled(FIRST_PAUSE_MS, failures - 1, MAX_PAUSE_MS);
  return retryAfter === undefined
    ? own
    : Math.min(Math.max(retryAfter * 1000, MIN_INTERVAL_MS), MAX_REQUESTED_PAUSE_MS);
}

function doubled(first: number, times: number, max: number): number {
  return Math.min(first * 2 ** Math.min(Math.max(times, 0), 20), max);
}
