import { stateOf, type App, type PlatformBuild } from '../../apps/model/app.ts';
import { urlAt } from '../../auth/localName.ts';
import { MAX_POLL_MS, MAX_WATCH_AGE_MS, MIN_POLL_MS } from '../limits.ts';
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
  /** The service doesn't accept a question before this time. */
  notBefore = 0;
  /** Questions without an answer since the last one. */
  failures = 0;
  trouble: unknown;
  /** Undefined until it is known. */
  account: string | undefined;
  /** With the link to its status. Undefined after a reload, until it is read. */
  app: App | undefined;
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
    const { url, title, app, builds, startedAt, endedAt, trouble } = this;
    return { appUrl: url, title, version: app?.version, builds, state: stateOf(builds), startedAt, endedAt, trouble };
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
      this.app = undefined;
    }
  }
}

/** Share of the time that a build has taken, after which the service is asked again. */
const INTERVAL_SHARE = 1 / 5;
/** The same for a build that takes longer than builds usually do. */
const LONG_INTERVAL_SHARE = 1 / 60;

/**
 * When to ask next. At first soon, then after a fifth of the time that the build has taken, at most after 15 s, and half as often
 * while the window isn't in use. A build that doesn't end, and a service that doesn't answer, are asked less and less often.
 */
export function nextPollAt(
  { startedAt, askedAt, failures, notBefore }: Pick<Watch, 'startedAt' | 'askedAt' | 'failures' | 'notBefore'>,
  { isActive, atOnce }: { readonly isActive: boolean; readonly atOnce: boolean },
): number {
  const age = Math.max(0, askedAt - startedAt);
  const usual = Math.min(Math.max(age * INTERVAL_SHARE, MIN_POLL_MS), MAX_POLL_MS) * (isActive ? 1 : 2);
  const long = age * LONG_INTERVAL_SHARE;
  const interval =
    failures > 0 ? Math.min(5 * MIN_POLL_MS * 2 ** (failures - 1), Math.max(MAX_POLL_MS, long)) : Math.max(usual, long);
  return Math.max(askedAt + (atOnce ? MIN_POLL_MS : interval), notBefore);
}

/** Milliseconds to leave a busy service alone. @param retryAfter seconds that it named. */
export function pauseMs(retryAfter = 0): number {
  return Math.min(retryAfter * 1000, MAX_WATCH_AGE_MS);
}
