import { stateOf, type App } from '../model/app.ts';
import type { BuildProgress } from './buildProgress.ts';
import { NoAnswerError } from './pollFailure.ts';
import type { StatusCalls } from './statusQuestion.ts';
import type { WatchRecord } from './watchRecord.ts';

/** A build that this window watches, alone or with others. */
export class Watch {
  /** Absolute address of the app. */
  url: string;
  record: WatchRecord;
  /** Of its file; undefined while it has none. */
  name: string | undefined;
  /** Its file was written once: without one it has been deleted. */
  saved = false;
  /** That it cannot be written was reported. */
  unsaved = false;
  /** The app, with the link to its status. */
  app: App | undefined;
  /** Of the connection that `app` was used at. */
  calls: StatusCalls | undefined;
  /** Why this window got no answer. */
  error: unknown;
  /** Ask as soon as it is allowed. */
  atOnce = false;
  asking = false;
  timer: { dispose(): void } | undefined;

  constructor(url: string, record: WatchRecord) {
    this.url = url;
    this.record = record;
  }

  get progress(): BuildProgress {
    const { title, startedAt, end, trouble, builder } = this.record;
    const absolute = (link: string | undefined) => (link === undefined ? undefined : new URL(link, this.url).href);
    const builds = this.record.builds.map((build) => ({
      ...build,
      downloadUrl: absolute(build.downloadUrl),
      logUrl: absolute(build.logUrl),
    }));
    return {
      ...{ appUrl: this.url, title, builds, state: stateOf(builds), startedAt, endedAt: end?.at, builder },
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

  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}
