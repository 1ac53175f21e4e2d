import * as vscode from 'vscode';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import { accountKey } from '../../resources/recentResources.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import { systemClock, type Clock } from '../../workbench/clock.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { App } from '../../apps/model/app.ts';
import { cancellable, throwIfCancelled } from '../../projects/packing/cancellation.ts';
import { pathOfApp, type BuildProgress, type WatchEnd } from './buildProgress.ts';
import { SharedWatches } from './sharedWatches.ts';
import { Watches, type Access } from './watches.ts';

export interface BuildWatcherDependencies {
  readonly connections: Connections;
  readonly callsOf: (connection: SignedInConnection) => AppCalls;
  readonly globalState: vscode.Memento;
  readonly globalStorageUri: vscode.Uri;
  readonly log: Log;
  readonly clock?: Clock;
  readonly isFocused?: () => boolean;
}

/** A window without the focus notifies later, and only when the focused one has not. */
const OTHER_WINDOW_DELAY_MS = 1_000;
/** Between the end of a window's terminals and that of its extensions; 20 ms were measured. */
const WINDOW_CLOSES_MS = 500;

/**
 * Watches the builds that this window has started until they end, and those that were watched when it was loaded. Tree, status
 * bar, notification, log and task listen here.
 */
export class BuildWatcher extends Disposable {
  readonly #changed = this.register(new vscode.EventEmitter<BuildProgress>());
  /** Fires at each change of a watched build, and when it is first watched. */
  readonly onDidChange = this.#changed.event;
  readonly #ended = this.register(new vscode.EventEmitter<{ readonly appUrl: string; readonly end: WatchEnd }>());
  /** Fires once for each build that is no longer watched. */
  readonly onDidEnd = this.#ended.event;
  readonly #allChanged = this.register(new vscode.EventEmitter<void>());
  /** Fires when {@link all} has changed: also when a build that ended was looked at. */
  readonly onDidChangeAll = this.#allChanged.event;
  readonly #connections: Connections;
  readonly #callsOf: (connection: SignedInConnection) => AppCalls;
  readonly #clock: Clock;
  readonly #isFocused: () => boolean;
  readonly #watches: Watches;
  /** One claim per end, however many listeners of this window ask. */
  readonly #claims = new WeakMap<BuildProgress, Promise<boolean>>();
  #used: { readonly connection: SignedInConnection; readonly calls: AppCalls } | undefined;

  constructor({ connections, callsOf, globalState, globalStorageUri, log, ...time }: BuildWatcherDependencies) {
    super();
    this.#connections = connections;
    this.#callsOf = callsOf;
    this.#clock = time.clock ?? systemClock;
    this.#isFocused = time.isFocused ?? (() => vscode.window.state.focused);
    this.#watches = this.register(
      new Watches({
        shared: new SharedWatches(globalState, vscode.Uri.joinPath(globalStorageUri, 'endedBuilds').fsPath),
        clock: this.#clock,
        access: () => this.#access(),
        listener: {
          changed: (progress) => this.#changed.fire(progress),
          ended: (appUrl, end) => this.#ended.fire({ appUrl, end }),
          allChanged: () => this.#allChanged.fire(),
          failed: (error) => log.error('Watching builds', error),
        },
      }),
    );
    this.#watches.setActive(vscode.window.state.active);
    this.register(vscode.window.onDidChangeWindowState(({ active }) => this.#watches.setActive(active)));
    this.register(connections.onDidChange(() => this.#watches.connectionChanged()));
    this.#watches.start();
  }

  /** The builds that are watched, the latest first; with those that ended and have not been looked at. */
  get all(): readonly BuildProgress[] {
    return this.#watches.all;
  }

  of(appUrl: string): BuildProgress | undefined {
    return this.#watches.of(appUrl);
  }

  /** True while a build of an app is under way, as far as this window knows. */
  isWatching(appUrl: string): boolean {
    const progress = this.of(appUrl);
    return progress !== undefined && progress.endedAt === undefined;
  }

  /** Watches the builds of an app that are under way, or that have ended between the request and this call. @param platforms of the request. */
  watch(app: App, platforms: readonly string[]): void {
    this.#watches.watch(app, platforms);
  }

  stop(appUrl: string): void {
    this.#watches.stop(appUrl);
  }

  /**
   * Stops watching when a terminal was closed. VS Code closes terminals also when a window closes or is loaded anew, a moment
   * before it ends the extension: what is watched goes on then.
   */
  stopUnlessWindowCloses(appUrl: string): void {
    const startedAt = this.of(appUrl)?.startedAt;
    this.#clock.after(WINDOW_CLOSES_MS, () => {
      // By then it may have been built again.
      if (startedAt !== undefined && this.of(appUrl)?.startedAt === startedAt) {
        this.stop(appUrl);
      }
    });
  }

  /** A person has looked at how a build ended. */
  seen(appUrl: string): void {
    this.#watches.seen(appUrl);
  }

  /** Resolves when the watch of an app ends. @throws CancelledError when the signal aborts, which does not stop the watch. */
  async whenEnded(appUrl: string, signal?: AbortSignal): Promise<WatchEnd> {
    throwIfCancelled(signal);
    const progress = this.of(appUrl);
    if (progress === undefined) {
      return { kind: 'stopped' };
    }
    if (progress.endedAt !== undefined) {
      return { kind: 'ended', progress };
    }
    let subscription: vscode.Disposable | undefined;
    const ended = new Promise<WatchEnd>((resolve) => {
      subscription = this.onDidEnd(({ appUrl: url, end }) => {
        if (pathOfApp(url) === pathOfApp(appUrl)) {
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

  /**
   * True in the one window that notifies of the end of a build and acts on it: the focused one, if there is one.
   *
   * @param progress as {@link onDidEnd} brings it; all listeners of a window get the same answer.
   */
  claimEnd(progress: BuildProgress): Promise<boolean> {
    const claim =
      this.#claims.get(progress) ?? this.#watches.claim(progress, this.#isFocused() ? 0 : OTHER_WINDOW_DELAY_MS);
    this.#claims.set(progress, claim);
    return claim;
  }

  settled(): Promise<void> {
    return this.#watches.settled();
  }

  async #access(): Promise<Access> {
    const connection = await this.#connections.current();
    switch (connection.kind) {
      case 'unconfigured':
      case 'signedOut':
        return { kind: 'signedOut' };
      case 'broken':
        return connection;
      case 'signedIn': {
        if (this.#used?.connection !== connection) {
          this.#used = { connection, calls: this.#callsOf(connection) };
        }
        const { calls } = this.#used;
        return { kind: 'signedIn', account: accountKey(connection), origin: connection.service.url.origin, calls };
      }
    }
  }
}
