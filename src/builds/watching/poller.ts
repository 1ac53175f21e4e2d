import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Access } from './access.ts';
import { isOver } from './buildProgress.ts';
import type { Clock } from './clock.ts';
import type { PendingWork } from './pendingWork.ts';
import { afterFailure, isGone } from './pollFailure.ts';
import { nextPollAt } from './pollSchedule.ts';
import type { SharedRecords } from './sharedRecords.ts';
import { askDetails, askStatus } from './statusQuestion.ts';
import type { Watch } from './watch.ts';
import type { WatchList } from './watchList.ts';
import type { WatchRecord } from './watchRecord.ts';

export interface PollerDependencies {
  readonly clock: Clock;
  readonly access: () => Promise<Access>;
  readonly list: WatchList;
  readonly records: SharedRecords;
  readonly work: PendingWork;
  readonly failed: (error: unknown) => void;
  /** Aborts when the window is closed. */
  readonly signal: AbortSignal;
}

/** Whom to ask, or why that cannot be known. */
type AskedAccess = Exclude<Access, { kind: 'signedOut' }>;

/** While another window asks: its answer comes with a change of the file; this is for where nothing tells of that. */
const OTHER_WINDOW_ASKS_MS = 2_000;

/** Asks the service how the watched builds stand, each when it is due and no other window asks. */
export class Poller {
  readonly #clock: Clock;
  readonly #access: () => Promise<Access>;
  readonly #list: WatchList;
  readonly #records: SharedRecords;
  readonly #work: PendingWork;
  readonly #failed: (error: unknown) => void;
  readonly #signal: AbortSignal;
  #active = false;

  constructor({ clock, access, list, records, work, failed, signal }: PollerDependencies) {
    this.#clock = clock;
    this.#access = access;
    this.#list = list;
    this.#records = records;
    this.#work = work;
    this.#failed = failed;
    this.#signal = signal;
  }

  /** @param active somebody is at work in this window. */
  setActive(active: boolean): void {
    if (active === this.#active) {
      return;
    }
    this.#active = active;
    for (const watch of this.#list.all) {
      watch.atOnce = active;
      this.schedule(watch);
    }
  }

  scheduleAll(): void {
    for (const watch of this.#list.all) {
      this.schedule(watch);
    }
  }

  /** Sets the time of the next question, by what the watch's record says. @param notBefore milliseconds since 1970 */
  schedule(watch: Watch, notBefore = 0): void {
    watch.dispose();
    if (!this.#list.has(watch) || watch.record.end !== undefined || watch.polling.kind === 'asking') {
      return;
    }
    const wait = Math.max(this.#dueAt(watch), notBefore) - this.#clock.now();
    const timer = this.#clock.after(Math.max(0, wait), () => {
      this.#work.run(() => this.#poll(watch));
    });
    watch.polling = { kind: 'due', timer };
  }

  async #poll(watch: Watch): Promise<void> {
    if (watch.polling.kind === 'asking' || !this.#list.has(watch)) {
      return;
    }
    watch.polling = { kind: 'asking' };
    let notBefore = 0;
    try {
      if ((await this.#askIfDue(watch)) === 'otherWindowAsks') {
        notBefore = this.#clock.now() + OTHER_WINDOW_ASKS_MS;
      }
    } finally {
      watch.polling = { kind: 'idle' };
      this.schedule(watch, notBefore);
    }
  }

  async #askIfDue(watch: Watch): Promise<'done' | 'otherWindowAsks'> {
    if (!(await this.#isDue(watch))) {
      return 'done';
    }
    const access = await this.#access();
    if (access.kind === 'signedOut') {
      this.#list.signOut(watch);
      return 'done';
    }
    if (!(await this.#records.startQuestion(watch))) {
      return 'otherWindowAsks';
    }
    try {
      // Another window may just have asked.
      if (await this.#isDue(watch)) {
        await this.#ask(watch, access);
      }
    } finally {
      await this.#records.endQuestion(watch);
    }
    return 'done';
  }

  /** After what other windows know of the build was taken over. */
  async #isDue(watch: Watch): Promise<boolean> {
    return (await this.#records.adopt(watch)) && this.#dueAt(watch) <= this.#clock.now();
  }

  /** Milliseconds since 1970. */
  #dueAt({ record, atOnce }: Watch): number {
    return nextPollAt(record, { active: this.#active, atOnce });
  }

  async #ask(watch: Watch, access: AskedAccess): Promise<void> {
    const before = watch.record;
    const askedAt = this.#clock.now();
    watch.atOnce = false;
    let next: WatchRecord;
    let error: unknown;
    try {
      next = await this.#answer(watch, access, askedAt);
    } catch (failure) {
      if (!this.#list.has(watch) || (failure instanceof CancelledError && this.#signal.aborted)) {
        return;
      }
      if (isGone(failure, before.failures)) {
        await this.#records.finish(watch, 'gone');
        return;
      }
      error = failure;
      if (!(failure instanceof BuildServiceError)) {
        this.#failed(failure);
      }
      next = afterFailure(before, failure, this.#clock.now());
    }
    // Somebody may have stopped it, or built again, while the answer was on its way.
    if ((await this.#records.adopt(watch)) && watch.record.startedAt === before.startedAt) {
      this.#list.update(watch, next, error);
      await this.#records.save(watch);
    }
  }

  /** The record after an answer. @throws BuildServiceError */
  async #answer(watch: Watch, access: AskedAccess, askedAt: number): Promise<WatchRecord> {
    if (access.kind === 'broken') {
      throw access.error;
    }
    watch.moveTo(access.origin);
    const { record } = watch;
    const { calls } = access;
    const question = { calls, url: watch.url, platforms: record.builds.map(({ platform }) => platform) };
    const known = watch.calls === undefined || watch.calls === calls ? watch.app : undefined;
    const answer = await askStatus(question, known, this.#signal);
    const { app, builds, completed } = answer;
    watch.app = app;
    watch.calls = calls;
    const next = { ...record, builds, askedAt, failures: 0, notBefore: 0, trouble: undefined };
    if (!builds.every((build) => isOver(build, completed))) {
      return next;
    }
    const ended = await askDetails(calls, answer, this.#signal);
    return { ...next, builds: ended, end: { kind: 'ended', at: this.#clock.now() } };
  }
}
