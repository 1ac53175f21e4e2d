import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { App, BuildState, PlatformBuild } from '../model/app.ts';

/** How a watched build stands. */
export interface BuildProgress {
  /** Absolute address of the app. */
  readonly appUrl: string;
  readonly title: string;
  /** The platforms that are watched, each with its state. */
  readonly builds: readonly PlatformBuild[];
  /** Of all watched platforms. */
  readonly state: BuildState;
  /** Milliseconds since 1970: when the build was asked for. */
  readonly startedAt: number;
  /** When all of it had ended; undefined while it is under way. */
  readonly endedAt: number | undefined;
  /** Why the last question got no answer, such as being offline; undefined when it did. */
  readonly trouble: unknown;
  /** What built it, where the service says so: a demo build is called one. */
  readonly builder: string | undefined;
}

/** Why watching ended. */
export type WatchEnd =
  | { readonly kind: 'ended'; readonly progress: BuildProgress }
  /** The app was deleted, or is no longer visible to the account. */
  | { readonly kind: 'gone'; readonly title: string }
  | { readonly kind: 'signedOut' }
  /** A person stopped watching; the service goes on. */
  | { readonly kind: 'stopped' };

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

  /** The builds that are watched, the latest first; with those that ended and have not been looked at. */
  get all(): readonly BuildProgress[] {
    return [];
  }

  /** How an app's build stands; undefined when it is not watched. */
  of(appUrl: string): BuildProgress | undefined {
    return this.all.find((progress) => progress.appUrl === appUrl);
  }

  /** Watches the builds of an app that are under way, or that have ended between the request and this call. @param platforms of the request. */
  watch(_app: App, _platforms: readonly string[]): void {
    throw new Error('Not written yet.');
  }

  /** Stops watching; the service goes on building. */
  stop(_appUrl: string): void {
    throw new Error('Not written yet.');
  }

  /** Resolves when the watch of an app ends. @throws CancelledError when the signal aborts, which does not stop the watch. */
  whenEnded(_appUrl: string, _signal?: AbortSignal): Promise<WatchEnd> {
    return Promise.reject(new Error('Not written yet.'));
  }
}
