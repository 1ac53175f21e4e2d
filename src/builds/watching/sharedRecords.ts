import type { Access } from './access.ts';
import type { BuildProgress } from './buildProgress.ts';
import type { Clock } from './clock.ts';
import { Watch } from './watch.ts';
import type { WatchFiles } from './watchFiles.ts';
import { hash, keyOf } from './watchKeys.ts';
import type { WatchList } from './watchList.ts';
import type { WatchRecord } from './watchRecord.ts';

export interface SharedRecordsDependencies {
  readonly files: WatchFiles;
  readonly clock: Clock;
  readonly access: () => Promise<Access>;
  readonly list: WatchList;
  readonly failed: (error: unknown) => void;
  /** Aborts when the window is closed. */
  readonly signal: AbortSignal;
}

/** How long a file says that a watch was stopped, or that its app is gone. */
const MAX_TOMBSTONE_AGE_MS = 60_000;

/** What all windows of the user know of the watched builds: one window writes a record, the others take it over. */
export class SharedRecords {
  readonly #files: WatchFiles;
  readonly #clock: Clock;
  readonly #access: () => Promise<Access>;
  readonly #list: WatchList;
  readonly #failed: (error: unknown) => void;
  readonly #signal: AbortSignal;
  /** Names of files of which it was reported that they cannot be written. */
  readonly #unwritable = new Set<string>();
  /** The account in use, when it is known. */
  #account: string | undefined;
  #opened: Promise<void> = Promise.resolve();

  constructor({ files, clock, access, list, failed, signal }: SharedRecordsDependencies) {
    this.#files = files;
    this.#clock = clock;
    this.#access = access;
    this.#list = list;
    this.#failed = failed;
    this.#signal = signal;
  }

  /** Never rejects: without files, this window watches for itself. */
  open(): Promise<void> {
    this.#opened = this.#files.open(this.#clock.now()).catch(this.#failed);
    return this.#opened;
  }

  /** Watches of other accounts leave this window; their records stay, for other windows and for later. */
  connectionChanged(access: Exclude<Access, { kind: 'broken' }>): void {
    this.#account = access.kind === 'signedIn' ? access.account : undefined;
    for (const watch of this.#list.all) {
      const { account } = watch.record;
      if (access.kind === 'signedOut' || (account !== '' && account !== hash(access.account))) {
        this.#list.signOut(watch);
      } else {
        watch.moveTo(access.origin);
      }
    }
  }

  /** Shares a watch of this window, when its account is known and its address may be written down. */
  async share(watch: Watch): Promise<void> {
    const access = await this.#access();
    if (access.kind === 'signedOut') {
      this.#list.signOut(watch);
    }
    if (access.kind !== 'signedIn' || watch.record.account !== '') {
      return;
    }
    this.#account = access.account;
    const account = hash(access.account);
    watch.record = { ...watch.record, account };
    if (watch.record.path !== '') {
      watch.file = { name: hash(`${account} ${watch.record.path}`), isWritten: false };
      await this.#opened;
      await this.save(watch);
    }
  }

  /** Tells the other windows. What cannot be written is reported once. */
  async save(watch: Watch): Promise<void> {
    if (watch.file === undefined || this.#signal.aborted) {
      return;
    }
    const { name } = watch.file;
    try {
      await this.#files.write(name, watch.record);
      watch.file = { name, isWritten: true };
    } catch (error) {
      if (!this.#unwritable.has(name)) {
        this.#unwritable.add(name);
        this.#failed(error);
      }
    }
  }

  /** Ends a watch that is under way, in all windows. */
  async finish(watch: Watch, kind: 'gone' | 'stopped'): Promise<void> {
    if (watch.record.end === undefined) {
      this.#list.update(watch, { ...watch.record, end: { kind, at: this.#clock.now() } });
      await this.save(watch);
    }
  }

  /** Ends what is left of a watch that has ended, in all windows. */
  async delete(watch: Watch): Promise<void> {
    this.#list.remove(watch);
    if (watch.file !== undefined) {
      await this.#files.delete(watch.file.name);
    }
  }

  /** Takes over what a watch's record says. @returns true while the build is watched and has not ended. */
  async adopt(watch: Watch): Promise<boolean> {
    // As it is before the file is read: one that is written meanwhile was not deleted.
    const { file } = watch;
    if (file !== undefined) {
      const shared = await this.#files.read(file.name);
      if (!this.#list.has(watch)) {
        return false;
      }
      if (typeof shared === 'object') {
        this.#takeOver(watch, shared);
      } else if (shared === 'absent' && file.isWritten) {
        this.#list.removeElsewhere(watch);
      }
    }
    return this.#list.has(watch) && watch.record.end === undefined;
  }

  /** Takes over all records of the account. @returns false when nobody can say which account is in use. */
  async adoptAll(): Promise<boolean> {
    const records = await this.#files.all();
    for (const watch of this.#list.all) {
      if (watch.file !== undefined && !records.has(watch.file.name)) {
        await this.adopt(watch);
      }
    }
    let isComplete = true;
    for (const [name, record] of records) {
      const known = this.#list.all.find(({ file }) => file?.name === name);
      if (isOldTombstone(record, this.#clock.now())) {
        await this.#files.delete(name);
      } else if (known !== undefined) {
        this.#takeOver(known, record);
      } else if (this.#mayWatch(name, record)) {
        isComplete = (await this.#watch(name, record)) && isComplete;
      }
    }
    return isComplete;
  }

  /** Claims a question, or has another window's answer awaited. @returns false while another window asks */
  async startQuestion({ file }: Watch): Promise<boolean> {
    return file === undefined || this.#files.startQuestion(file.name, this.#clock.now());
  }

  async endQuestion({ file }: Watch): Promise<void> {
    if (file !== undefined) {
      await this.#files.endQuestion(file.name);
    }
  }

  /** Claims to tell how a build stands. @returns true in one window. */
  claim({ appUrl, startedAt, state }: BuildProgress): Promise<boolean> {
    const name = hash(`${this.#account ?? ''} ${keyOf(appUrl)} ${startedAt} ${state}`);
    return this.#files.claim(name, this.#clock.now());
  }

  #takeOver(watch: Watch, record: WatchRecord): void {
    const { startedAt, askedAt, end } = watch.record;
    const isAnotherBuild = record.startedAt > startedAt;
    const isLater = end === undefined && record.startedAt === startedAt && record.askedAt >= askedAt;
    if (isAnotherBuild || isLater) {
      this.#list.update(watch, record, record.trouble === undefined ? undefined : watch.error);
    }
  }

  #mayWatch(name: string, record: WatchRecord): boolean {
    return (
      !this.#list.isDone(name, record) &&
      (record.end === undefined || record.end.kind === 'ended') &&
      (this.#account === undefined || hash(this.#account) === record.account)
    );
  }

  /** Watches the build of a record, if it is the account's. @returns false when nobody can say that */
  async #watch(name: string, record: WatchRecord): Promise<boolean> {
    const access = await this.#access();
    if (access.kind === 'signedIn' && hash(access.account) === record.account && !this.#signal.aborted) {
      this.#account = access.account;
      const url = new URL(record.path, access.origin).href;
      if (this.#list.of(url) === undefined) {
        this.#list.add(new Watch(url, record, { name, isWritten: true }));
      }
    }
    return access.kind !== 'broken';
  }
}

function isOldTombstone({ end }: WatchRecord, now: number): boolean {
  return end !== undefined && end.kind !== 'ended' && now - end.at > MAX_TOMBSTONE_AGE_MS;
}
