import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { stateOf, type App, type PlatformBuild } from '../../apps/model/app.ts';
import { urlAt } from '../../auth/localName.ts';
import { MAX_POLL_MS, MAX_SLOW_POLL_MS, MAX_WATCH_AGE_MS, MIN_POLL_MS } from '../limits.ts';
import { read } from '../../workbench/readStored.ts';
import { WATCHED_PREFIX } from '../names.ts';
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
  const interval = failures > 0 ? 5 * MIN_POLL_MS * 2 ** (failures - 1) : Math.max(usual, age * LONG_INTERVAL_SHARE);
  return Math.max(askedAt + (atOnce ? MIN_POLL_MS : Math.min(interval, MAX_SLOW_POLL_MS)), notBefore);
}

/** Milliseconds to leave a busy service alone. @param retryAfter seconds that it named. */
export function pauseMs(retryAfter = 0): number {
  return Math.min(retryAfter * 1000, MAX_WATCH_AGE_MS);
}

/** A watched build as it is stored: enough to ask for it again. */
const STORED_WATCH = z.object({
  title: z.string(),
  platforms: z.array(z.string()),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

interface StoredWatch extends z.infer<typeof STORED_WATCH> {
  /** Path of the app at the service, without a query, which may hold a secret. */
  readonly path: string;
}

/** The builds that this window watches, in the state of its workspace, so that it goes on after a reload. */
export class StoredWatches {
  readonly #state: vscode.Memento;

  constructor(workspaceState: vscode.Memento) {
    this.#state = workspaceState;
  }

  of(account: string, now: number): readonly StoredWatch[] {
    const prefix = watchKey(account, '');
    return this.#state
      .keys()
      .filter((key) => key.startsWith(prefix))
      .map((key) => ({ path: key.slice(prefix.length), watch: read(STORED_WATCH, this.#state.get(key)) }))
      .flatMap(({ path, watch }) =>
        watch !== undefined && now - watch.startedAt < MAX_WATCH_AGE_MS ? [{ path, ...watch }] : [],
      );
  }

  async add(account: string, { path, title, platforms, startedAt }: StoredWatch): Promise<void> {
    await this.#state.update(watchKey(account, path), { title, platforms, startedAt });
  }

  async delete(account: string, path: string): Promise<void> {
    await this.#state.update(watchKey(account, path), undefined);
  }
}

function watchKey(account: string, path: string): string {
  return `${WATCHED_PREFIX}${account}|${path}`;
}
