import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import { isGone } from '../../apps/appErrors.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import { urlAt } from '../../auth/localName.ts';
import type { App } from '../../apps/model/app.ts';
import type { Clock } from '../../workbench/clock.ts';
import { isOver, pathOfApp, readProgress, watchedBuilds, type BuildProgress, type WatchEnd } from './buildProgress.ts';
import type { SharedWatches } from './sharedWatches.ts';
import { nextPollAt, pauseMs, Watch } from './watch.ts';

/** The account in use, as far as watching needs it. */
export type Access =
  | {
      readonly kind: 'signedIn';
      readonly account: string;
      readonly origin: string;
      /** The same value as long as the same connection is in use. */
      readonly calls: AppCalls;
    }
  | { readonly kind: 'signedOut' }
  /** The state is unknown, or the local service does not start. */
  | { readonly kind: 'broken'; readonly error: unknown };

/** Hears of what happens to watched builds. */
export interface WatchListener {
  changed(progress: BuildProgress): void;
  ended(appUrl: string, end: WatchEnd): void;
  /** A build was added to the watched ones, has changed or was taken out. */
  allChanged(): void;
  failed(error: unknown): void;
}

interface WatchesDependencies {
  readonly shared: SharedWatches;
  readonly clock: Clock;
  readonly access: () => Promise<Access>;
  readonly listener: WatchListener;
}

/** The local service did not start, or the keychain is locked. */
const BROKEN_RETRY_MS = 15_000;
/** 401 also means "not yours". When the session is over, it is removed before so many questions were asked. */
const MAX_UNAUTHORIZED = 3;

/** The builds that this window watches, at most one for each app: asks the service how they stand until they have ended. */
export class Watches {
  readonly #shared: SharedWatches;
  readonly #clock: Clock;
  readonly #access: () => Promise<Access>;
  readonly #listener: WatchListener;
  readonly #watches = new Map<string, Watch>();
  readonly #disposed = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  #active = false;
  /** Goes on with what is stored when it was not known whose it is. */
  #retry: { dispose(): void } | undefined;

  constructor({ shared, clock, access, listener }: WatchesDependencies) {
    this.#shared = shared;
    this.#clock = clock;
    this.#access = access;
    this.#listener = listener;
  }

  /** The latest first. */
  get all(): readonly BuildProgress[] {
    return [...this.#watches.values()]
      .map((watch) => watch.progress)
      .sort((left, right) => right.startedAt - left.startedAt);
  }

  of(appUrl: string): BuildProgress | undefined {
    return this.#watches.get(pathOfApp(appUrl))?.progress;
  }

  /** Goes on with what was watched before the window was loaded. */
  start(): void {
    this.#run(() => this.#adoptStored());
  }

  /** Watches builds that were asked for, beside those of the app that are under way. */
  watch(app: App, platforms: readonly string[]): void {
    const before = this.#watches.get(pathOfApp(app.url));
    const underWay =
      before?.endedAt === undefined ? (before?.builds ?? []).filter((build) => !isOver(build, false)) : [];
    const watched = new Set([...underWay.map(({ platform }) => platform), ...platforms]);
    const watch = new Watch(app.url, app.title, watchedBuilds([...watched], app.builds), this.#clock.now());
    watch.known = { app, calls: undefined };
    this.#add(watch);
    this.#run(() => this.#store(watch));
  }

  /** Stops watching: no window notifies of the end. */
  stop(appUrl: string): void {
    const watch = this.#watches.get(pathOfApp(appUrl));
    if (watch === undefined) {
      return;
    }
    this.#remove(watch);
    if (watch.endedAt === undefined) {
      this.#listener.ended(watch.url, { kind: 'stopped' });
      this.#run(async () => {
        await this.#shared.claim(watch);
        await this.#forget(watch);
      });
    }
  }

  /** A person has seen how a build ended. */
  seen(appUrl: string): void {
    const watch = this.#watches.get(pathOfApp(appUrl));
    if (watch?.endedAt !== undefined) {
      this.#remove(watch);
    }
  }

  /** @param active a person is at work in this window. */
  setActive(active: boolean): void {
    if (active !== this.#active) {
      this.#active = active;
      for (const watch of this.#watches.values()) {
        watch.atOnce = active;
        this.#schedule(watch);
      }
    }
  }

  /** Another service, account or token is in use. Watches of other accounts leave this window, and come back with theirs. */
  connectionChanged(): void {
    this.#run(async () => {
      const access = await this.#access();
      if (access.kind === 'broken') {
        return;
      }
      for (const watch of [...this.#watches.values()]) {
        if (access.kind === 'signedOut' || (watch.account !== undefined && watch.account !== access.account)) {
          this.#signOut(watch);
        } else {
          watch.moveTo(access.origin);
        }
      }
      await this.#adoptStored();
    });
  }

  /** Claims the notification of an end. @param delayMs for other windows to be first. @returns true in one window. */
  claim({ appUrl, startedAt }: BuildProgress, delayMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#clock.after(delayMs, () =>
        this.#run(async () => resolve(await this.#shared.claim({ path: pathOfApp(appUrl), startedAt }))),
      );
    });
  }

  /** Resolves when nothing is being asked, read or written. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) {
      await Promise.all(this.#pending);
    }
  }

  dispose(): void {
    this.#disposed.abort();
    this.#retry?.dispose();
    for (const { timer } of this.#watches.values()) {
      timer?.dispose();
    }
    this.#watches.clear();
  }

  #run(work: () => Promise<void>): void {
    if (this.#disposed.signal.aborted) {
      return;
    }
    const running = work()
      .catch((error: unknown) => this.#listener.failed(error))
      .finally(() => this.#pending.delete(running));
    this.#pending.add(running);
  }

  async #adoptStored(): Promise<void> {
    const access = await this.#access();
    this.#retry?.dispose();
    this.#retry = undefined;
    if (this.#disposed.signal.aborted || access.kind === 'signedOut') {
      return;
    }
    if (access.kind === 'broken') {
      this.#retry = this.#clock.after(BROKEN_RETRY_MS, () => this.start());
      return;
    }
    for (const { path, title, platforms, startedAt } of this.#shared.of(access.account, this.#clock.now())) {
      if (!this.#watches.has(path)) {
        const watch = new Watch(urlAt(access.origin, path), title, watchedBuilds(platforms, []), startedAt);
        watch.account = access.account;
        this.#add(watch);
      }
    }
  }

  /** Has a watch gone on with after a reload, when its account is known and its address may be written down. */
  async #store(watch: Watch): Promise<void> {
    const access = await this.#access();
    if (!this.#has(watch) || watch.endedAt !== undefined || access.kind === 'broken') {
      return;
    }
    if (access.kind === 'signedOut') {
      this.#signOut(watch);
      return;
    }
    const { path, title, builds, startedAt } = watch;
    watch.account = access.account;
    if (!path.includes('?')) {
      const platforms = builds.map(({ platform }) => platform);
      await this.#shared.add(access.account, { path, title, platforms, startedAt });
    }
  }

  /** After a reload an ended build is not watched again; another build of the app may have taken its place. */
  async #forget(watch: Watch): Promise<void> {
    const { account, path } = watch;
    if (account !== undefined && (this.#has(watch) || !this.#watches.has(path))) {
      await this.#shared.delete(account, path);
    }
  }

  /** False when another watch has taken its place, or none. */
  #has(watch: Watch): boolean {
    return this.#watches.get(watch.path) === watch;
  }

  #add(watch: Watch): void {
    this.#watches.get(watch.path)?.timer?.dispose();
    this.#watches.set(watch.path, watch);
    this.#changed(watch);
    this.#schedule(watch);
  }

  #remove(watch: Watch): void {
    watch.timer?.dispose();
    this.#watches.delete(watch.path);
    this.#listener.allChanged();
  }

  #signOut(watch: Watch): void {
    this.#remove(watch);
    if (watch.endedAt === undefined) {
      this.#listener.ended(watch.url, { kind: 'signedOut' });
    }
  }

  #changed(watch: Watch): void {
    this.#listener.allChanged();
    this.#listener.changed(watch.progress);
  }

  #schedule(watch: Watch): void {
    watch.timer?.dispose();
    if (this.#has(watch) && watch.endedAt === undefined && !watch.isAsking) {
      const wait = nextPollAt(watch, { active: this.#active, atOnce: watch.atOnce }) - this.#clock.now();
      watch.timer = this.#clock.after(Math.max(0, wait), () => this.#run(() => this.#poll(watch)));
    }
  }

  async #poll(watch: Watch): Promise<void> {
    const access = await this.#access();
    if (!this.#has(watch) || watch.isAsking) {
      return;
    }
    if (access.kind === 'signedOut') {
      this.#signOut(watch);
      return;
    }
    watch.isAsking = true;
    try {
      await this.#ask(watch, access);
    } finally {
      watch.isAsking = false;
      this.#schedule(watch);
    }
  }

  async #ask(watch: Watch, access: Exclude<Access, { kind: 'signedOut' }>): Promise<void> {
    const shown = watch.shown;
    const askedAt = this.#clock.now();
    watch.atOnce = false;
    try {
      if (access.kind === 'broken') {
        throw access.error;
      }
      const { calls, origin } = access;
      watch.moveTo(origin);
      const known = watch.known?.calls === undefined || watch.known.calls === calls ? watch.known?.app : undefined;
      const platforms = watch.builds.map(({ platform }) => platform);
      const answer = await readProgress(calls, { url: watch.url, platforms, known }, this.#disposed.signal);
      watch.known = { app: answer.app, calls };
      watch.builds = answer.builds;
      watch.askedAt = askedAt;
      watch.notBefore = 0;
      watch.failures = 0;
      watch.trouble = undefined;
      watch.endedAt = answer.isEnded ? this.#clock.now() : undefined;
    } catch (error) {
      if (this.#disposed.signal.aborted) {
        return;
      }
      if (isGone(error) || isRefused(error, watch.failures)) {
        await this.#endGone(watch);
        return;
      }
      this.#askLater(watch, error);
    }
    // A person may have stopped it, or built again, while the answer was on its way.
    if (!this.#has(watch)) {
      return;
    }
    if (watch.shown !== shown) {
      this.#changed(watch);
    }
    if (watch.endedAt !== undefined) {
      this.#listener.ended(watch.url, { kind: 'ended', progress: watch.progress });
      await this.#forget(watch);
    }
  }

  async #endGone(watch: Watch): Promise<void> {
    if (this.#has(watch)) {
      this.#remove(watch);
      this.#listener.ended(watch.url, { kind: 'gone', progress: watch.progress });
      await this.#forget(watch);
    }
  }

  #askLater(watch: Watch, error: unknown): void {
    const now = this.#clock.now();
    const asksToWait = error instanceof ServiceError && [429, 503].includes(error.status);
    watch.askedAt = now;
    watch.failures += 1;
    watch.notBefore = asksToWait ? now + pauseMs(error.retryAfter, watch.failures) : 0;
    watch.trouble = error;
    if (!(error instanceof BuildServiceError)) {
      this.#listener.failed(error);
    }
  }
}

/** True when the account may not see the app. @param failures questions without an answer before */
function isRefused(error: unknown, failures: number): boolean {
  return (
    error instanceof ServiceError &&
    (error.status === 403 || (error.status === 401 && failures + 1 >= MAX_UNAUTHORIZED))
  );
}
