import type { BuildProgress, WatchEnd } from './buildProgress.ts';
import type { Watch } from './watch.ts';
import { keyOf } from './watchKeys.ts';
import type { WatchRecord } from './watchRecord.ts';

/** Who is told of what. */
export interface WatchListener {
  changed(progress: BuildProgress): void;
  ended(appUrl: string, end: WatchEnd): void;
  /** Something was added to the watched builds, has changed or was taken out. */
  allChanged(): void;
  /** A failure that nobody expected. */
  failed(error: unknown): void;
}

/** The builds that this window watches, at most one for each app. Tells the listener whatever changes. */
export class WatchList {
  readonly #listener: WatchListener;
  readonly #watches = new Map<string, Watch>();
  /** When the builds had begun that this window is done with, by the names of their files: a file is read a moment late. */
  readonly #done = new Map<string, number>();

  constructor(listener: WatchListener) {
    this.#listener = listener;
  }

  get all(): readonly Watch[] {
    return [...this.#watches.values()];
  }

  of(appUrl: string): Watch | undefined {
    return this.#watches.get(keyOf(appUrl));
  }

  /** False when another watch has taken its place, or none. */
  has(watch: Watch): boolean {
    return this.of(watch.url) === watch;
  }

  /** Adds a watch, in place of the one of the same app. It may have ended already. */
  add(watch: Watch): void {
    this.of(watch.url)?.dispose();
    this.#watches.set(keyOf(watch.url), watch);
    this.#tellChange(watch);
    this.#tellEnd(watch);
  }

  /** Gives a watch another record; one that says that the app is gone, or was stopped, takes it out of the list. */
  update(watch: Watch, record: WatchRecord, error?: unknown): void {
    const before = watch.progress;
    watch.record = record;
    watch.error = error;
    if (record.end !== undefined && record.end.kind !== 'ended') {
      this.remove(watch);
    } else if (!watch.isAs(before)) {
      this.#tellChange(watch);
    }
    this.#tellEnd(watch);
  }

  /** Takes a watch out: this window is done with the build. */
  remove(watch: Watch): void {
    watch.dispose();
    if (this.has(watch)) {
      if (watch.file !== undefined) {
        this.#done.set(watch.file.name, watch.record.startedAt);
      }
      this.#watches.delete(keyOf(watch.url));
      this.#listener.allChanged();
    }
  }

  /** Takes a watch out that another window has stopped, or that a person has looked at there. */
  removeElsewhere(watch: Watch): void {
    this.#abandon(watch, { kind: 'stopped' });
  }

  /** Takes a watch out whose account is not in use. It can come back. */
  signOut(watch: Watch): void {
    this.#abandon(watch, { kind: 'signedOut' });
    if (watch.file !== undefined) {
      this.#done.delete(watch.file.name);
    }
  }

  /** True when this window is done with the build of a record. @param name of the record's file */
  isDone(name: string, { startedAt }: WatchRecord): boolean {
    return startedAt <= (this.#done.get(name) ?? -1);
  }

  /** Tells nobody. */
  dispose(): void {
    for (const watch of this.all) {
      watch.dispose();
    }
    this.#watches.clear();
  }

  #abandon(watch: Watch, end: WatchEnd): void {
    this.remove(watch);
    if (watch.record.end === undefined) {
      this.#listener.ended(watch.url, end);
    }
  }

  #tellChange(watch: Watch): void {
    this.#listener.allChanged();
    this.#listener.changed(watch.progress);
  }

  #tellEnd(watch: Watch): void {
    const { end, title } = watch.record;
    switch (end?.kind) {
      case undefined:
        return;
      case 'ended':
        this.#listener.ended(watch.url, { kind: 'ended', progress: watch.progress });
        return;
      case 'gone':
        this.#listener.ended(watch.url, { kind: 'gone', title });
        return;
      case 'stopped':
        this.#listener.ended(watch.url, { kind: 'stopped' });
        return;
    }
  }
}
