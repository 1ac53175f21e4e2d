import { stateOf, type App } from '../../apps/model/app.ts';
import type { BuildProgress } from './buildProgress.ts';
import { NoAnswerError } from './pollFailure.ts';
import type { StatusCalls } from './statusQuestion.ts';
import type { WatchRecord } from './watchRecord.ts';

/** What this window does next to learn how a build stands. */
export type Polling =
  | { readonly kind: 'idle' }
  | { readonly kind: 'due'; readonly timer: { dispose(): void } }
  | { readonly kind: 'asking' };

/** A build that this window watches, alone or with others. */
export class Watch {
  /** Absolute address of the app. */
  url: string;
  record: WatchRecord;
  /** Where windows share the record; undefined while nowhere. One that was written and is missing was deleted. */
  file: { readonly name: string; readonly isWritten: boolean } | undefined;
  /** The app, with the link to its status. */
  app: App | undefined;
  /** Of the connection that `app` was used at. */
  calls: StatusCalls | undefined;
  /** Why this window got no answer. */
  error: unknown;
  /** Ask as soon as it is allowed. */
  atOnce = false;
  polling: Polling = { kind: 'idle' };

  constructor(url: string, record: WatchRecord, file?: Watch['file']) {
    this.url = url;
    this.record = record;
    this.file = file;
  }

  get progress(): BuildProgress {
    const { title, startedAt, end, trouble } = this.record;
    const absolute = (link: string | undefined) => (link === undefined ? undefined : new URL(link, this.url).href);
    const builds = this.record.builds.map((build) => ({
      ...build,
      downloadUrl: absolute(build.downloadUrl),
      logUrl: absolute(build.logUrl),
    }));
    return {
      ...{ appUrl: this.url, title, builds, state: stateOf(builds), startedAt, endedAt: end?.at },
      trouble: this.error ?? (trouble === undefined ? undefined : new NoAnswerError(trouble)),
    };
  }

  /** True when it shows the same as before. */
  isAs(before: BuildProgress): boolean {
    const { trouble, ...rest } = this.progress;
    const { trouble: troubleBefore, ...restBefore } = before;
    return (
      (trouble === undefined) === (troubleBefore === undefined) && JSON.stringify(rest) === JSON.stringify(restBefore)
    );
  }

  /** The local service can come back at another port. */
  moveTo(origin: string): void {
    const { pathname, search } = new URL(this.url);
    const url = `${origin}${pathname}${search}`;
    if (url !== this.url) {
      this.url = url;
      this.app = undefined;
    }
  }

  /** Takes the timer away. */
  dispose(): void {
    if (this.polling.kind === 'due') {
      this.polling.timer.dispose();
      this.polling = { kind: 'idle' };
    }
  }
}
