import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import { accountKey } from '../../resources/recentResources.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import type { App } from '../../apps/model/app.ts';
import type { Access } from './access.ts';
import type { BuildProgress, WatchEnd } from './buildProgress.ts';
import { systemClock, type Clock } from './clock.ts';
import type { StatusCalls } from './statusQuestion.ts';
import { WATCHED_KEY } from './watchedKey.ts';
import { keyOf } from './watchKeys.ts';
import { Watches } from './watches.ts';
import { WatchFiles } from './watchFiles.ts';

export type { BuildProgress, WatchEnd } from './buildProgress.ts';

export interface BuildWatcherDependencies {
  readonly connections: Pick<Connections, 'current' | 'onDidChange'>;
  readonly callsOf: (connection: SignedInConnection) => StatusCalls;
  readonly globalState: { get(key: string): unknown; update(key: string, value: unknown): Thenable<void> };
  /** A folder of this extension that all windows share. */
  readonly globalStorageUri: vscode.Uri;
  readonly log: Pick<Log, 'error'>;
  readonly clock?: Clock;
  /** True while this window has the focus. */
  readonly isFocused?: () => boolean;
}

/** Whoever is not the focused window tells later, and only if that one has not. */
const OTHER_WINDOW_TELLS_MS = 1_000;
/** Between the end of a window's terminals and that of its extensions; 20 ms were measured. */
const WINDOW_CLOSES_MS = 500;

/**
 * Watches builds until they end: soon at first, then slower; at most one request per build and interval over all windows.
 * What is watched survives a reload. The rest of the extension listens here: tree, status bar, notification, log, task.
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
  readonly #dependencies: BuildWatcherDependencies;
  readonly #watches: Watches;
  /** A window claims to tell of an end once, however many listeners ask. */
  readonly #mayTell = new WeakMap<BuildProgress, Promise<boolean>>();
  /** The connection that was used last, and its calls. */
  #used: { readonly connection: SignedInConnection; readonly calls: StatusCalls } | undefined;

  constructor(dependencies: BuildWatcherDependencies) {
    super();
    const { connections, globalStorageUri, log, clock = systemClock } = dependencies;
    this.#dependencies = dependencies;
    this.#watches = this.register(
      new Watches({
        files: new WatchFiles(vscode.Uri.joinPath(globalStorageUri, 'watching').fsPath),
        clock,
        access: () => this.#access(),
        listener: {
          changed: (progress) => this.#changed.fire(progress),
          ended: (appUrl, end) => this.#ended.fire({ appUrl, end }),
          allChanged: () => {
            this.#remember();
            this.#allChanged.fire();
          },
          failed: (error) => {
            log.error('Watching builds', error);
          },
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

  /** How an app's build stands; undefined when it is not watched. */
  of(appUrl: string): BuildProgress | undefined {
    return this.all.find((progress) => keyOf(progress.appUrl) === keyOf(appUrl));
  }

  /** Watches the builds of an app that are under way, or that have ended between the request and this call. @param platforms of the request. */
  watch(app: App, platforms: readonly string[]): void {
    this.#watches.watch(app, platforms);
  }

  /** Stops watching, in all windows; the service goes on building. */
  stop(appUrl: string): void {
    this.#watches.stop(appUrl);
  }

  /**
   * Stops watching when a terminal was closed. VS Code closes terminals also when a window closes or is loaded anew, a moment
   * before it ends the extension: what is watched goes on then.
   */
  stopUnlessWindowCloses(appUrl: string): void {
    const { clock = systemClock } = this.#dependencies;
    const startedAt = this.of(appUrl)?.startedAt;
    clock.after(WINDOW_CLOSES_MS, () => {
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
    if (signal?.aborted) {
      throw new CancelledError();
    }
    const progress = this.of(appUrl);
    if (progress === undefined) {
      return { kind: 'stopped' };
    }
    if (progress.endedAt !== undefined) {
      return { kind: 'ended', progress };
    }
    return new Promise((resolve, reject) => {
      const settle = () => {
        subscription.dispose();
        signal?.removeEventListener('abort', abort);
      };
      const abort = () => {
        settle();
        reject(new CancelledError());
      };
      const subscription = this.onDidEnd((ended) => {
        if (keyOf(ended.appUrl) === keyOf(appUrl)) {
          settle();
          resolve(ended.end);
        }
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /**
   * True in the one window that is to tell that a build has ended, and to act on it: the focused one, if there is one.
   *
   * @param progress as {@link onDidEnd} brings it; all listeners of a window get the same answer.
   */
  mayTell(progress: BuildProgress): Promise<boolean> {
    const { isFocused = () => vscode.window.state.focused } = this.#dependencies;
    const answer =
      this.#mayTell.get(progress) ?? this.#watches.claim(progress, isFocused() ? 0 : OTHER_WINDOW_TELLS_MS);
    this.#mayTell.set(progress, answer);
    return answer;
  }

  /** Resolves when nothing is being asked, read or written. */
  settled(): Promise<void> {
    return this.#watches.settled();
  }

  async #access(): Promise<Access> {
    const connection = await this.#dependencies.connections.current();
    switch (connection.kind) {
      case 'unconfigured':
      case 'signedOut':
        return { kind: 'signedOut' };
      case 'broken':
        return connection;
      case 'signedIn': {
        if (this.#used?.connection !== connection) {
          this.#used = { connection, calls: this.#dependencies.callsOf(connection) };
        }
        const { calls } = this.#used;
        return { kind: 'signedIn', account: accountKey(connection), origin: connection.service.url.origin, calls };
      }
    }
  }

  /** Windows that are loaded later go on with what is watched. */
  #remember(): void {
    const { globalState, log } = this.#dependencies;
    const watched = this.all.length > 0 ? true : undefined;
    if (globalState.get(WATCHED_KEY) !== watched) {
      globalState.update(WATCHED_KEY, watched).then(undefined, (error: unknown) => {
        log.error('Watching builds', error);
      });
    }
  }
}
