import { createHash } from 'node:crypto';

import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { App } from '../model/app.ts';
import { isOver, watchedBuilds, type BuildProgress, type WatchEnd } from './buildProgress.ts';
import type { Clock } from './clock.ts';
import { nextPollAt } from './pollSchedule.ts';
import { afterFailure, isGone } from './pollFailure.ts';
import { Watch } from './watch.ts';
import type { WatchFiles } from './watchFiles.ts';
import { storedPath, type WatchRecord } from './watchRecord.ts';
import { askDetails, askStatus, type StatusCalls } from './statusQuestion.ts';

/** The account in use, as far as watching needs it. */
export type Access =
  | {
      readonly kind: 'signedIn';
      /** Identifies the account. */
      readonly account: string;
      /** Of the service. */
      readonly origin: string;
      /** The same value as long as the same connection is in use. */
      readonly calls: StatusCalls;
    }
  | { readonly kind: 'signedOut' }
  /** That cannot be known, or the local service does not start. */
  | { readonly kind: 'broken'; readonly error: unknown };

/** Who is told of what. */
export interface WatchListener {
  changed(progress: BuildProgress): void;
  ended(appUrl: string, end: WatchEnd): void;
  /** Something was added to {@link Watches.all}, has changed or was taken out. */
  allChanged(): void;
  /** A failure that nobody expected. */
  failed(error: unknown): void;
}

interface WatchesDependencies {
  readonly files: WatchFiles;
  readonly clock: Clock;
  readonly access: () => Promise<Access>;
  readonly listener: WatchListener;
}

/** While another window asks: its answer comes with a change of the file; this is for where nothing tells of that. */
const OTHER_WINDOW_ASKS_MS = 2_000;
/** The local service did not start, or the keychain is locked. */
const BROKEN_RETRY_MS = 15_000;
/** How long the file says that a watch was stopped, or that its app is gone. */
const MAX_TOMBSTONE_AGE_MS = 60_000;

/**
 * The builds that an account watches, in all windows together: each window has a timer for each build, and the one whose timer
 * comes first asks, writes down when it did and what came, and the others read that.
 */
export class Watches {
  readonly #files: WatchFiles;
  readonly #clock: Clock;
  readonly #access: () => Promise<Access>;
  readonly #listener: WatchListener;
  readonly #watches = new Map<string, Watch>();
  readonly #pending = new Set<Promise<void>>();
  readonly #disposed = new AbortController();
  /** When the builds had begun that this window is done with, by the names of their files: a file is read a moment late. */
  readonly #done = new Map<string, number>();
  /** The account in use, when it is known. */
  #account: string | undefined;
  #active = false;
  #opened: Promise<void> | undefined;
  #isReading = false;
  #readAgain = false;
  #observer: { dispose(): void } | undefined;
  /** Reads the files again when nobody could say whose they are. */
  #retry: { dispose(): void } | undefined;

  constructor({ files, clock, access, listener }: WatchesDependencies) {
    this.#files = files;
    this.#clock = clock;
    this.#access = access;
    this.#listener = listener;
  }

  /** Goes on with what was watched before the window was loaded. */
  start(): void {
    // Without files this window watches for itself.
    this.#opened = this.#files.open(this.#clock.now()).catch((error: unknown) => {
      this.#listener.failed(error);
    });
    this.#run(async () => {
      await this.#opened;
      if (!this.#disposed.signal.aborted) {
        this.#observer = this.#files.observe(() => this.read());
        await this.#readFiles();
        if (this.#retry === undefined) {
          this.#listener.allChanged();
        }
      }
    });
  }

  /** The latest first. */
  get all(): readonly BuildProgress[] {
    return [...this.#watches.values()]
      .map((watch) => watch.progress)
      .sort((left, right) => right.startedAt - left.startedAt);
  }

  watch(app: App, platforms: readonly string[]): void {
    const now = this.#clock.now();
    const key = keyOf(app.url);
    const before = this.#watches.get(key);
    before?.dispose();
    const underWay = (before?.record.builds ?? []).filter((build) => !isOver(build, before?.record.end !== undefined));
    const watched = new Set([...underWay.map(({ platform }) => platform), ...platforms]);
    const record: WatchRecord = {
      ...{ title: app.title, path: storedPath(app.url) ?? '', account: '' },
      builds: watchedBuilds([...watched], app.builds),
      ...{ startedAt: now, askedAt: now, notBefore: 0, failures: 0 },
      ...{ trouble: undefined, builder: undefined, end: undefined },
    };
    const watch = new Watch(app.url, record);
    watch.app = app;
    this.#watches.set(key, watch);
    this.#changed(watch);
    this.#schedule(watch);
    this.#run(() => this.#share(watch));
  }

  /** Stops watching, in all windows. */
  stop(appUrl: string): void {
    const watch = this.#watches.get(keyOf(appUrl));
    if (watch?.record.end === undefined) {
      this.#finish(watch, 'stopped');
    }
  }

  /** A person has seen how a build ended: nothing more is said of it, in any window. */
  seen(appUrl: string): void {
    const watch = this.#watches.get(keyOf(appUrl));
    if (watch?.record.end !== undefined) {
      this.#remove(watch);
      this.#run(() => (watch.name === undefined ? undefined : this.#files.delete(watch.name)));
    }
  }

  /** Has what other windows wrote read again. */
  read(): void {
    this.#run(() => this.#readFiles());
  }

  /** @param active somebody is at work in this window. */
  setActive(active: boolean): void {
    if (active === this.#active) {
      return;
    }
    this.#active = active;
    for (const watch of this.#watches.values()) {
      watch.atOnce = active;
      this.#schedule(watch);
    }
  }

  /** Another service, account or token is in use. */
  connectionChanged(): void {
    this.#run(async () => {
      const access = await this.#access();
      if (access.kind === 'broken') {
        return;
      }
      this.#account = access.kind === 'signedIn' ? access.account : undefined;
      for (const watch of this.#watches.values()) {
        if (
          access.kind === 'signedOut' ||
          (watch.record.account !== '' && watch.record.account !== hash(access.account))
        ) {
          this.#signedOut(watch);
        } else {
          this.#moved(watch, access.origin);
        }
      }
      if (access.kind === 'signedIn') {
        await this.#readFiles();
      }
    });
  }

  /**
   * Claims to tell that a build has ended.
   *
   * @param delayMs before it does, so that another window can.
   * @returns true in one window.
   */
  claim({ appUrl, startedAt, state }: BuildProgress, delayMs: number): Promise<boolean> {
    const name = hash(`${this.#account ?? ''} ${keyOf(appUrl)} ${startedAt} ${state}`);
    return new Promise((resolve) => {
      this.#clock.after(delayMs, () => {
        if (!this.#disposed.signal.aborted) {
          this.#run(async () => {
            resolve(await this.#files.claim(name, this.#clock.now()));
          });
        }
      });
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
    this.#observer?.dispose();
    this.#retry?.dispose();
    for (const watch of this.#watches.values()) {
      watch.dispose();
    }
    this.#watches.clear();
    this.#files.dispose();
  }

  #run(work: () => Promise<void> | undefined): void {
    const running = Promise.resolve(work())
      .catch((error: unknown) => {
        this.#listener.failed(error);
      })
      .finally(() => this.#pending.delete(running));
    this.#pending.add(running);
  }

  /** Gives a watch its file, when its account is known and its address may be written down. */
  async #share(watch: Watch): Promise<void> {
    const access = await this.#access();
    if (access.kind === 'signedOut') {
      this.#signedOut(watch);
    }
    if (access.kind !== 'signedIn' || watch.record.account !== '') {
      return;
    }
    this.#account = access.account;
    watch.record = { ...watch.record, account: hash(access.account) };
    if (watch.record.path !== '') {
      watch.name = hash(`${watch.record.account} ${watch.record.path}`);
      await this.#opened;
      await this.#save(watch);
    }
  }

  async #save(watch: Watch): Promise<void> {
    if (watch.name === undefined || this.#disposed.signal.aborted) {
      return;
    }
    try {
      await this.#files.write(watch.name, watch.record);
      watch.saved = true;
    } catch (error) {
      if (!watch.unsaved) {
        watch.unsaved = true;
        this.#listener.failed(error);
      }
    }
  }

  /** Several changes at once are read once more, after what is being read. */
  async #readFiles(): Promise<void> {
    this.#readAgain = true;
    if (this.#isReading) {
      return;
    }
    this.#isReading = true;
    try {
      while (this.#readAgain && !this.#disposed.signal.aborted) {
        this.#readAgain = false;
        await this.#readAll();
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #readAll(): Promise<void> {
    const records = await this.#files.all();
    for (const watch of this.#watches.values()) {
      if (watch.name !== undefined && !records.has(watch.name)) {
        await this.#adopt(watch);
      }
    }
    for (const [name, record] of records) {
      await this.#readRecord(name, record);
    }
  }

  async #readRecord(name: string, record: WatchRecord): Promise<void> {
    const { end } = record;
    if (end !== undefined && end.kind !== 'ended' && this.#clock.now() - end.at > MAX_TOMBSTONE_AGE_MS) {
      await this.#files.delete(name);
      return;
    }
    const known = [...this.#watches.values()].find((watch) => watch.name === name);
    if (known !== undefined) {
      this.#adoptRecord(known, record);
      return;
    }
    if (
      record.startedAt <= (this.#done.get(name) ?? -1) ||
      (end !== undefined && end.kind !== 'ended') ||
      (this.#account !== undefined && hash(this.#account) !== record.account)
    ) {
      return;
    }
    const access = await this.#access();
    if (this.#disposed.signal.aborted) {
      return;
    }
    if (access.kind === 'broken') {
      this.#retry?.dispose();
      this.#retry = this.#clock.after(BROKEN_RETRY_MS, () => {
        this.#retry = undefined;
        this.read();
      });
    }
    if (access.kind !== 'signedIn' || hash(access.account) !== record.account) {
      return;
    }
    this.#account = access.account;
    const url = new URL(record.path, access.origin).href;
    if (this.#watches.has(keyOf(url))) {
      return;
    }
    const watch = new Watch(url, { ...record, end: undefined });
    watch.name = name;
    watch.saved = true;
    this.#watches.set(keyOf(url), watch);
    this.#apply(watch, record);
    this.#changed(watch);
    this.#schedule(watch);
  }

  /** Takes over what a watch's file says. @returns false when it is not watched any more. */
  async #adopt(watch: Watch): Promise<boolean> {
    const { name } = watch;
    if (name === undefined) {
      return true;
    }
    const onDisk = await this.#files.read(name);
    if (this.#isStale(watch)) {
      return false;
    }
    if (typeof onDisk === 'object') {
      this.#adoptRecord(watch, onDisk);
    } else if (onDisk === 'absent' && watch.saved) {
      // Another window has deleted it.
      if (watch.record.end === undefined) {
        this.#remove(watch);
        this.#listener.ended(watch.url, { kind: 'stopped' });
      } else {
        this.#remove(watch);
      }
    }
    return !this.#isStale(watch) && watch.record.end === undefined;
  }

  #adoptRecord(watch: Watch, record: WatchRecord): void {
    const { startedAt, askedAt, end } = watch.record;
    const isLater = record.startedAt > startedAt || (record.startedAt === startedAt && record.askedAt >= askedAt);
    if (isLater && end === undefined) {
      this.#apply(watch, record, record.trouble === undefined ? undefined : watch.error);
      this.#schedule(watch);
    } else if (isLater && record.startedAt > startedAt) {
      // Built again, by another window.
      watch.record = { ...record, end: undefined };
      this.#apply(watch, record);
      this.#changed(watch);
      this.#schedule(watch);
    }
  }

  #schedule(watch: Watch, notBefore = 0): void {
    watch.timer?.dispose();
    watch.timer = undefined;
    if (this.#isStale(watch) || watch.record.end !== undefined || watch.asking) {
      return;
    }
    const now = this.#clock.now();
    const due = Math.max(nextPollAt(watch.record, { active: this.#active, atOnce: watch.atOnce }), notBefore);
    watch.timer = this.#clock.after(Math.max(0, due - now), () => {
      this.#run(() => this.#poll(watch));
    });
  }

  /** Asks, if it is time to and no other window does. */
  async #poll(watch: Watch): Promise<void> {
    if (watch.asking || this.#isStale(watch)) {
      return;
    }
    watch.asking = true;
    let notBefore = 0;
    try {
      if (!(await this.#adopt(watch)) || !this.#isDue(watch)) {
        return;
      }
      const access = await this.#access();
      if (access.kind === 'signedOut') {
        this.#signedOut(watch);
        return;
      }
      if (watch.name !== undefined && !(await this.#files.startQuestion(watch.name, this.#clock.now()))) {
        notBefore = this.#clock.now() + OTHER_WINDOW_ASKS_MS;
        return;
      }
      try {
        if ((await this.#adopt(watch)) && this.#isDue(watch)) {
          await this.#ask(watch, access);
        }
      } finally {
        if (watch.name !== undefined) {
          await this.#files.endQuestion(watch.name);
        }
      }
    } finally {
      watch.asking = false;
      this.#schedule(watch, notBefore);
    }
  }

  #isDue({ record, atOnce }: Watch): boolean {
    return nextPollAt(record, { active: this.#active, atOnce }) <= this.#clock.now();
  }

  async #ask(watch: Watch, access: Exclude<Access, { kind: 'signedOut' }>): Promise<void> {
    const before = watch.record;
    const askedAt = this.#clock.now();
    watch.atOnce = false;
    let next: WatchRecord;
    let error: unknown;
    try {
      next = await this.#answer(watch, access, askedAt);
    } catch (failure) {
      if (this.#isStale(watch) || (failure instanceof CancelledError && this.#disposed.signal.aborted)) {
        return;
      }
      if (isGone(failure, before.failures)) {
        this.#finish(watch, 'gone');
        return;
      }
      error = failure;
      if (!(failure instanceof BuildServiceError)) {
        this.#listener.failed(failure);
      }
      next = afterFailure(before, failure, this.#clock.now());
    }
    // Somebody may have stopped it, or built again, while the answer was on its way.
    if (!(await this.#adopt(watch)) || watch.record.startedAt !== before.startedAt) {
      return;
    }
    this.#apply(watch, next, error);
    await this.#save(watch);
  }

  async #answer(watch: Watch, access: Exclude<Access, { kind: 'signedOut' }>, askedAt: number): Promise<WatchRecord> {
    if (access.kind === 'broken') {
      throw access.error;
    }
    this.#moved(watch, access.origin);
    const { record } = watch;
    const { calls } = access;
    const question = { calls, url: watch.url, platforms: record.builds.map(({ platform }) => platform) };
    const known = watch.calls === undefined || watch.calls === calls ? watch.app : undefined;
    const answer = await askStatus(question, known, this.#disposed.signal);
    const { app, builds, completed } = answer;
    watch.app = app;
    watch.calls = calls;
    const next = { ...record, builds, askedAt, failures: 0, notBefore: 0, trouble: undefined };
    if (!builds.every((build) => isOver(build, completed))) {
      return next;
    }
    const details = await askDetails(calls, answer, this.#disposed.signal);
    return { ...next, ...details, end: { kind: 'ended', at: this.#clock.now() } };
  }

  #apply(watch: Watch, record: WatchRecord, error?: unknown): void {
    const before = watch.progress;
    watch.record = record;
    watch.error = error;
    const { end } = record;
    if (end !== undefined && end.kind !== 'ended') {
      this.#remove(watch);
    } else if (!watch.isAs(before)) {
      this.#changed(watch);
    }
    if (end !== undefined) {
      this.#listener.ended(watch.url, endOf(watch, end.kind));
    }
  }

  #finish(watch: Watch | undefined, kind: 'gone' | 'stopped'): void {
    if (watch !== undefined) {
      this.#apply(watch, { ...watch.record, end: { kind, at: this.#clock.now() } });
      this.#run(() => this.#save(watch));
    }
  }

  /** Its file stays: another window may use that account, and this one may come back to it. */
  #signedOut(watch: Watch): void {
    this.#remove(watch);
    this.#done.delete(watch.name ?? '');
    if (watch.record.end === undefined) {
      this.#listener.ended(watch.url, { kind: 'signedOut' });
    }
  }

  #remove(watch: Watch): void {
    watch.dispose();
    if (!this.#isStale(watch)) {
      if (watch.name !== undefined) {
        this.#done.set(watch.name, watch.record.startedAt);
      }
      this.#watches.delete(keyOf(watch.url));
      this.#listener.allChanged();
    }
  }

  #changed(watch: Watch): void {
    this.#listener.allChanged();
    this.#listener.changed(watch.progress);
  }

  /** The local service can come back at another port. */
  #moved(watch: Watch, origin: string): void {
    const { pathname, search } = new URL(watch.url);
    const url = `${origin}${pathname}${search}`;
    if (url !== watch.url) {
      watch.url = url;
      watch.app = undefined;
    }
  }

  /** True when another watch has taken its place, or none. */
  #isStale(watch: Watch): boolean {
    return this.#disposed.signal.aborted || this.#watches.get(keyOf(watch.url)) !== watch;
  }
}

function endOf(watch: Watch, kind: 'ended' | 'gone' | 'stopped'): WatchEnd {
  switch (kind) {
    case 'ended':
      return { kind, progress: watch.progress };
    case 'gone':
      return { kind, title: watch.record.title };
    case 'stopped':
      return { kind };
  }
}

/** Identifies an app at the service in use, wherever that runs. */
export function keyOf(appUrl: string): string {
  const url = URL.parse(appUrl);
  return url === null ? appUrl : url.pathname + url.search;
}

/** A name that tells nothing. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
