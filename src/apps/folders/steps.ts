import { withProgress } from '../../workbench/progress.ts';

/** Bytes of the whole that are done. */
export interface Bytes {
  readonly done: number;
  readonly total: number;
}

/** Says what is going on, in a translated text, and how far it is. */
export type ReportStep = (text: string, bytes?: Bytes) => void;

/** Runs a part of the work, and shows it. @param delayMs how long it may take before that. */
export type Step = <T>(
  title: string,
  work: (signal: AbortSignal, report: ReportStep) => Promise<T>,
  delayMs?: number,
) => Promise<T>;

/**
 * How the steps of a build are shown.
 *
 * @param report is told of each; without it, a notification with Cancel shows each.
 * @param outer aborts the work.
 */
export function stepsOf(report: ReportStep | undefined, outer: AbortSignal | undefined): Step {
  return report === undefined ? notifiedSteps(outer) : reportedSteps(report, outer);
}

function reportedSteps(report: ReportStep, outer = new AbortController().signal): Step {
  return (title, work) => {
    report(title);
    return work(outer, report);
  };
}

function notifiedSteps(outer: AbortSignal | undefined): Step {
  return (title, work, delayMs) =>
    withProgress({ notification: title, ...(delayMs !== undefined && { delayMs }) }, (inner, show) =>
      work(outer === undefined ? inner : AbortSignal.any([outer, inner]), oncePerPercent(show)),
    );
}

/** A message for each piece of a large file would keep the window busy. */
function oncePerPercent(show: (text: string) => void): ReportStep {
  let percent = 0;
  return (text, bytes) => {
    if (bytes === undefined) {
      percent = 0;
      show(text);
      return;
    }
    const reached = Math.floor((100 * bytes.done) / Math.max(1, bytes.total));
    if (reached > percent) {
      percent = reached;
      show(text);
    }
  };
}
