import type { App } from '../../apps/model/app.ts';
import type { Access } from './access.ts';
import { isOver, watchedBuilds, type BuildProgress } from './buildProgress.ts';
import type { Clock } from './clock.ts';
import { coalesced, PendingWork } from './pendingWork.ts';
import { Poller } from './poller.ts';
import { SharedRecords } from './sharedRecords.ts';
import { Watch } from './watch.ts';
import type { WatchFiles } from './watchFiles.ts';
import { WatchList, type WatchListener } from './watchList.ts';
import { storedPath } from './watchRecord.ts';

export type { Access } from './access.ts';

interface WatchesDependencies {
  readonly files: WatchFiles;
  readonly clock: Clock;
  readonly access: () => Promise<Access>;
  readonly listener: WatchListener;
}

/** The local service did not start, or the keychain is locked. */
const BROKEN_RETRY_MS = 15_000;

/**
 * The builds that an account watches, in all windows together: each window has a timer for each build, and the one whose timer
 * comes first asks, writes down when it did and what came, and the others read that.
 */
export class Watches {
  readonly #files: WatchFiles;
  readonly #clock: Clock;
  readonly #access: () => Promise<Access>;
  readonly #listener: WatchListener;
  readonly #disposed = new AbortController();
  readonly #work: PendingWork;
  readonly #list: WatchList;
  readonly #records: SharedRecords;
  readonly #poller: Poller;
  readonly #readRecords = coalesced(() => this.#adoptAll());
  #observer: { dispose(): void } | undefined;
  /** Reads the records again when nobody could say whose they are. */
  #retry: { dispose(): void } | undefined;

  constructor({ files, clock, access, listener }: WatchesDependencies) {
    this.#files = files;
    this.#clock = clock;
    this.#access = access;
    this.#listener = listener;
    const failed = (error: unknown) => {
      listener.failed(error);
    };
    const { signal } = this.#disposed;
    this.#work = new PendingWork(failed);
    this.#list = new WatchList(listener);
    const shared = { clock, access, list: this.#list, failed, signal };
    this.#records = new SharedRecords({ ...shared, files });
    this.#poller = new Poller({ ...shared, records: this.#records, work: this.#work });
  }

  /** Goes on with what was watched before the window was loaded. */
  start(): void {
    const opened = this.#records.open();
    this.#work.run(async () => {
      await opened;
      if (!this.#isDisposed()) {
        this.#observer = this.#files.observe(() => this.read());
        await this.#readRecords();
        // A window that closes, or cannot tell whose the records are, does not say that nothing is watched.
        if (this.#retry === undefined && !this.#isDisposed()) {
          this.#listener.allChanged();
        }
      }
    });
  }

  /** The latest first. */
  get all(): readonly BuildProgress[] {
    return this.#list.all.map((watch) => watch.progress).sort((left, right) => right.startedAt - left.startedAt);
  }

  /** Watches builds that were asked for, beside those of the app that are under way. */
  watch(app: App, platforms: readonly string[]): void {
    const now = this.#clock.now();
    const before = this.#list.of(app.url)?.record;
    const underWay = (before?.builds ?? []).filter((build) => !isOver(build, before?.end !== undefined));
    const watched = new Set([...underWay.map(({ platform }) => platform), ...platforms]);
    const watch = new Watch(app.url, {
      ...{ title: app.title, path: storedPath(app.url) ?? '', account: '' },
      builds: watchedBuilds([...watched], app.builds),
      ...{ startedAt: now, askedAt: now, notBefore: 0, failures: 0 },
      ...{ trouble: undefined, end: undefined },
    });
    watch.app = app;
    this.#list.add(watch);
    this.#poller.schedule(watch);
    this.#work.run(() => this.#records.share(watch));
  }

  /** Stops watching, in all windows. */
  stop(appUrl: string): void {
    const watch = this.#list.of(appUrl);
    if (watch !== undefined) {
      this.#work.run(() => this.#records.finish(watch, 'stopped'));
    }
  }

  /** A person has seen how a build ended: nothing more is said of it, in any window. */
  seen(appUrl: string): void {
    const watch = this.#list.of(appUrl);
    if (watch?.record.end !== undefined) {
      this.#work.run(() => this.#records.delete(watch));
    }
  }

  /** Has what other windows wrote read again. */
  read(): void {
    this.#work.run(() => this.#readRecords());
  }

  /** @param active somebody is at work in this window. */
  setActive(active: boolean): void {
    this.#poller.setActive(active);
  }

  /** Another service, account or token is in use. */
  connectionChanged(): void {
    this.#work.run(async () => {
      const access = await this.#access();
      if (access.kind === 'broken') {
        return;
      }
      this.#records.connectionChanged(access);
      if (access.kind === 'signedIn') {
        await this.#readRecords();
      }
    });
  }

  /**
   * Claims to tell that a build has ended.
   *
   * @param delayMs before it does, so that another window can.
   * @returns true in one window.
   */
  claim(progress: BuildProgress, delayMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#clock.after(delayMs, () => {
        if (!this.#isDisposed()) {
          this.#work.run(async () => {
            resolve(await this.#records.claim(progress));
          });
        }
      });
    });
  }

  /** Resolves when nothing is being asked, read or written. */
  settled(): Promise<void> {
    return this.#work.settled();
  }

  dispose(): void {
    this.#disposed.abort();
    this.#observer?.dispose();
    this.#retry?.dispose();
    this.#list.dispose();
    this.#files.dispose();
  }

  #isDisposed(): boolean {
    return this.#disposed.signal.aborted;
  }

  async #adoptAll(): Promise<void> {
    if (this.#isDisposed()) {
      return;
    }
    try {
      const isComplete = await this.#records.adoptAll();
      this.#retry?.dispose();
      this.#retry = undefined;
      if (!isComplete && !this.#isDisposed()) {
        this.#retry = this.#clock.after(BROKEN_RETRY_MS, () => this.read());
      }
    } finally {
      this.#poller.scheduleAll();
    }
  }
}
