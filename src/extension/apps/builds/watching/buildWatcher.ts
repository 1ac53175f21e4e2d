import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { BuildServiceError, cancellable, throwIfCancelled } from '../../../../errors/index.ts';
import { ServiceError } from '../../../../service-client/index.ts';
import { isGone } from '../../appErrors.ts';
import { AppCalls } from '../../calls/appCalls.ts';
import type { App } from '../../model/app.ts';
import type { Connection, Connections } from '../../../auth/connection.ts';
import { urlAt } from '../../../auth/localName.ts';
import { accountKey } from '../../../resources/recentResources.ts';
import { systemClock, type Clock } from '../../../workbench/clock.ts';
import { Disposable } from '../../../workbench/disposable.ts';
import type { Log } from '../../../workbench/log.ts';
import { read } from '../../../workbench/readStored.ts';
import { MAX_POLL_MS, MAX_WATCH_AGE_MS, MIN_POLL_MS } from '../limits.ts';
import { WATCHED_PREFIX } from '../names.ts';
import {
  isOver,
  nextPollAt,
  getAppPath,
  getPauseMs,
  readProgress,
  BuildWatch,
  watchedBuilds,
  type BuildProgress,
  type WatchEnd,
} from './buildProgress.ts';

interface BuildWatcherDependencies {
  readonly connections: Pick<Connections, 'current' | 'onDidChange'>;
  readonly workspaceState: vscode.Memento;
  readonly log: Pick<Log, 'error'>;
  readonly clock?: Clock;
}

/** A watched build in the workspace state, to resume it after a reload. Its key contains the account and the path of the app. */
const STORED_WATCH = z.object({
  title: z.string(),
  platforms: z.array(z.string()),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

function storedKey(account: string, path: string): string {
  return `${WATCHED_PREFIX}${account}|${path}`;
}

/**
 * Watches the builds that this window started until they end, even across reloads. Watches at most one build per app. The tree, status bar,
 * notifications, logs, and tasks listen to its events.
 */
export class BuildWatcher extends Disposable {
  readonly #changed = this.register(new vscode.EventEmitter<BuildProgress>());
  /** Fires when a watched build changes, and when a watch starts. */
  readonly onDidChange = this.#changed.event;
  readonly #ended = this.register(new vscode.EventEmitter<{ readonly appUrl: string; readonly end: WatchEnd }>());
  /** Fires once when a build is no longer watched. */
  readonly onDidEnd = this.#ended.event;
  readonly #allChanged = this.register(new vscode.EventEmitter<void>());
  /** Fires when {@link all} changes, including when the user looks at a build that has ended. */
  readonly onDidChangeAll = this.#allChanged.event;
  readonly #dependencies: BuildWatcherDependencies;
  readonly #clock: Clock;
  readonly #watches = new Map<string, BuildWatch>();
  readonly #disposed = new AbortController();
  readonly #pending = new Set<Promise<void>>();
  /** Timer for trying again to resume the stored watches if the account couldn't be read. */
  #retry: { dispose(): void } | undefined;

  constructor(dependencies: BuildWatcherDependencies) {
    super();
    this.#dependencies = dependencies;
    this.#clock = dependencies.clock ?? systemClock;
    this.register(vscode.window.onDidChangeWindowState(({ active }) => this.#windowChanged(active)));
    this.register(dependencies.connections.onDidChange(() => this.#run(() => this.#connectionChanged())));
    this.#run(() => this.#resume());
  }

  /** All watched builds, latest first, including ended builds that the user hasn't looked at. */
  get all(): readonly BuildProgress[] {
    return [...this.#watches.values()]
      .map((watch) => watch.progress)
      .sort((left, right) => right.startedAt - left.startedAt);
  }

  /** Returns an app's watched build, or undefined if the app isn't watched. */
  get(appUrl: string): BuildProgress | undefined {
    return this.#watches.get(getAppPath(appUrl))?.progress;
  }

  /** Reports whether a watched build of an app is running. */
  isWatching(appUrl: string): boolean {
    const progress = this.get(appUrl);
    return progress !== undefined && progress.endedAt === undefined;
  }

  /**
   * Watches requested builds of an app, together with its running ones.
   *
   * @param platforms the requested platforms.
   * @param current platforms whose state in `app` is that of the requested build, not of an earlier one.
   */
  watch(app: App, platforms: readonly string[], current: readonly string[] = []): void {
    const before = this.#watches.get(getAppPath(app.url));
    const running =
      before?.endedAt === undefined ? (before?.builds ?? []).filter((build) => !isOver(build, false)) : [];
    const watched = new Set([...running.map(({ platform }) => platform), ...platforms]);
    const watch = new BuildWatch(app.url, app.title, watchedBuilds([...watched], app.builds), this.#clock.now());
    watch.app = app;
    watch.isCurrent = [...watched].every((platform) => current.includes(platform));
    this.#add(watch);
    this.#run(() => this.#store(watch));
  }

  /** Stops watching an app. Its builds continue. */
  stop(appUrl: string): void {
    const watch = this.#watches.get(getAppPath(appUrl));
    if (watch !== undefined) {
      this.#end(watch, { kind: 'stopped' });
    }
  }

  /**
   * Stops watching after the user closes a terminal, unless the window is closing. VS Code also closes terminals when a window closes or
   * reloads, about 20 ms before it stops the extension. In that case, watching continues.
   */
  stopUnlessWindowCloses(appUrl: string): void {
    const startedAt = this.get(appUrl)?.startedAt;
    this.#clock.after(MIN_POLL_MS, () => {
      // The app may be building again by then.
      if (startedAt !== undefined && this.get(appUrl)?.startedAt === startedAt) {
        this.stop(appUrl);
      }
    });
  }

  /** Marks an ended build as seen by the user. */
  seen(appUrl: string): void {
    const watch = this.#watches.get(getAppPath(appUrl));
    if (watch?.endedAt !== undefined) {
      this.#remove(watch);
    }
  }

  /** Resolves when an app is no longer being watched. @throws CancelledError if the signal aborts. Watching continues. */
  async waitForEnd(appUrl: string, signal?: AbortSignal): Promise<WatchEnd> {
    throwIfCancelled(signal);
    const progress = this.get(appUrl);
    if (progress === undefined) {
      return { kind: 'stopped' };
    }
    if (progress.endedAt !== undefined) {
      return { kind: 'ended', progress };
    }
    let subscription: vscode.Disposable | undefined;
    const ended = new Promise<WatchEnd>((resolve) => {
      subscription = this.onDidEnd(({ appUrl: url, end }) => {
        if (getAppPath(url) === getAppPath(appUrl)) {
          resolve(end);
        }
      });
    });
    try {
      return await cancellable(ended, signal);
    } finally {
      subscription?.dispose();
    }
  }

  /** Resolves when no request or write is pending. For tests. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) {
      await Promise.all(this.#pending);
    }
  }

  override dispose(): void {
    this.#disposed.abort();
    this.#retry?.dispose();
    for (const { timer } of this.#watches.values()) {
      timer?.dispose();
    }
    this.#watches.clear();
    super.dispose();
  }

  #run(work: () => Promise<void>): void {
    if (this.#disposed.signal.aborted) {
      return;
    }
    const running = work()
      .catch((error: unknown) => this.#dependencies.log.error('Watching builds', error))
      .finally(() => this.#pending.delete(running));
    this.#pending.add(running);
  }

  /** Updates the polling times. When the user returns to this window, the state is requested immediately. */
  #windowChanged(isActive: boolean): void {
    for (const watch of this.#watches.values()) {
      this.#schedule(watch, isActive);
    }
  }

  /** Removes the watches of other accounts and restores those of the current account. */
  async #connectionChanged(): Promise<void> {
    const connection = await this.#dependencies.connections.current();
    if (connection.kind === 'broken') {
      return;
    }
    for (const watch of [...this.#watches.values()]) {
      if (connection.kind !== 'signedIn' || (watch.account ?? accountKey(connection)) !== accountKey(connection)) {
        this.#end(watch, { kind: 'signedOut' });
      } else {
        watch.moveTo(connection.service.url.origin);
      }
    }
    await this.#resume();
  }

  /** Resumes the watches from before the window loaded. */
  async #resume(): Promise<void> {
    const { connections, workspaceState } = this.#dependencies;
    this.#retry?.dispose();
    const connection = await connections.current();
    if (this.#disposed.signal.aborted) {
      return;
    }
    if (connection.kind === 'broken') {
      // Stored watches are looked up by account, so try again when the account is known.
      this.#retry = this.#clock.after(MAX_POLL_MS, () => this.#run(() => this.#resume()));
    }
    if (connection.kind !== 'signedIn') {
      return;
    }
    const account = accountKey(connection);
    const prefix = storedKey(account, '');
    for (const key of workspaceState.keys().filter((each) => each.startsWith(prefix))) {
      const path = key.slice(prefix.length);
      const stored = read(STORED_WATCH, workspaceState.get(key));
      if (stored && this.#clock.now() - stored.startedAt < MAX_WATCH_AGE_MS && !this.#watches.has(path)) {
        const url = urlAt(connection.service.url.origin, path);
        const watch = new BuildWatch(url, stored.title, watchedBuilds(stored.platforms, []), stored.startedAt);
        watch.account = account;
        this.#add(watch);
      }
    }
  }

  /**
   * Stores a watch, so that it can be resumed after a reload. Doesn't store an address with a query, because a query may contain a secret.
   */
  async #store(watch: BuildWatch): Promise<void> {
    const { connections, workspaceState } = this.#dependencies;
    const connection = await connections.current();
    if (!this.#has(watch) || watch.endedAt !== undefined || connection.kind === 'broken') {
      return;
    }
    if (connection.kind !== 'signedIn') {
      this.#end(watch, { kind: 'signedOut' });
      return;
    }
    const { path, title, builds, startedAt } = watch;
    watch.account = accountKey(connection);
    if (!path.includes('?')) {
      const platforms = builds.map(({ platform }) => platform);
      await workspaceState.update(storedKey(watch.account, path), { title, platforms, startedAt });
    }
  }

  /** Reports whether the watch is still active. Another watch of the app may have replaced it. */
  #has(watch: BuildWatch): boolean {
    return this.#watches.get(watch.path) === watch;
  }

  #add(watch: BuildWatch): void {
    this.#watches.get(watch.path)?.timer?.dispose();
    this.#watches.set(watch.path, watch);
    this.#fireChanged(watch);
    this.#schedule(watch);
  }

  #remove(watch: BuildWatch): void {
    watch.timer?.dispose();
    this.#watches.delete(watch.path);
    this.#allChanged.fire();
  }

  /** Ends a watch. A build that has ended stays in the list until the user looks at it. */
  #end(watch: BuildWatch, end: WatchEnd): void {
    if (end.kind !== 'ended') {
      this.#remove(watch);
      if (watch.endedAt !== undefined) {
        return;
      }
    }
    this.#ended.fire({ appUrl: watch.url, end });
    if (end.kind !== 'signedOut') {
      this.#run(() => this.#forget(watch));
    }
  }

  /** Deletes a stored watch, so that it isn't resumed, unless another watch of the app has replaced it. */
  async #forget(watch: BuildWatch): Promise<void> {
    const { account, path } = watch;
    if (account !== undefined && (this.#has(watch) || !this.#watches.has(path))) {
      await this.#dependencies.workspaceState.update(storedKey(account, path), undefined);
    }
  }

  #fireChanged(watch: BuildWatch): void {
    this.#allChanged.fire();
    this.#changed.fire(watch.progress);
  }

  /** @param atOnce true to send the request as soon as the service allows. */
  #schedule(watch: BuildWatch, atOnce = false): void {
    watch.timer?.dispose();
    if (this.#has(watch) && watch.endedAt === undefined && !watch.isAsking) {
      const { active: isActive } = vscode.window.state;
      const wait = nextPollAt(watch, { isActive, atOnce }) - this.#clock.now();
      watch.timer = this.#clock.after(Math.max(0, wait), () => this.#run(() => this.#poll(watch)));
    }
  }

  async #poll(watch: BuildWatch): Promise<void> {
    const connection = await this.#dependencies.connections.current();
    if (!this.#has(watch) || watch.isAsking) {
      return;
    }
    if (connection.kind !== 'signedIn' && connection.kind !== 'broken') {
      this.#end(watch, { kind: 'signedOut' });
      return;
    }
    const { shown } = watch;
    watch.isAsking = true;
    const isGoneNow = await this.#ask(watch, connection);
    watch.isAsking = false;
    // During the request, the user may have stopped the watch or started another build.
    if (this.#disposed.signal.aborted || !this.#has(watch)) {
      return;
    }
    if (isGoneNow) {
      this.#end(watch, { kind: 'gone', progress: watch.progress });
      return;
    }
    if (watch.shown !== shown) {
      this.#fireChanged(watch);
    }
    if (watch.endedAt !== undefined) {
      this.#end(watch, { kind: 'ended', progress: watch.progress });
    }
    this.#schedule(watch);
  }

  /** Requests the state of a build. @returns true if the app no longer exists for the account. */
  async #ask(watch: BuildWatch, connection: Extract<Connection, { kind: 'signedIn' | 'broken' }>): Promise<boolean> {
    const askedAt = this.#clock.now();
    try {
      if (connection.kind === 'broken') {
        throw connection.error;
      }
      watch.moveTo(connection.service.url.origin);
      const platforms = watch.builds.map(({ platform }) => platform);
      const calls = new AppCalls(connection.client);
      const { url, app, isCurrent } = watch;
      watch.isCurrent = false;
      const answer = await readProgress(calls, url, platforms, app, this.#disposed.signal, isCurrent);
      watch.app = answer.app;
      watch.builds = answer.builds;
      watch.askedAt = askedAt;
      watch.notBefore = 0;
      watch.failures = 0;
      watch.trouble = undefined;
      watch.endedAt = answer.isEnded ? this.#clock.now() : undefined;
      return false;
    } catch (error) {
      if (isGone(error) || isAccessLost(error, watch.failures)) {
        return true;
      }
      watch.askedAt = this.#clock.now();
      watch.failures += 1;
      watch.notBefore = error instanceof ServiceError ? watch.askedAt + getPauseMs(error.retryAfter) : 0;
      watch.trouble = error;
      if (!(error instanceof BuildServiceError || this.#disposed.signal.aborted)) {
        this.#dependencies.log.error('Watching builds', error);
      }
      return false;
    }
  }
}

/**
 * Reports whether the account can't see the app. A first 401 doesn't count, because the session may have expired. If it has, the sign-out
 * ends the watch.
 *
 * @param failures number of failed requests before this one.
 */
function isAccessLost(error: unknown, failures: number): boolean {
  return error instanceof ServiceError && (error.status === 403 || (error.status === 401 && failures > 0));
}
