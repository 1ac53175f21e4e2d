import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { CALL_PROGRESS_DELAY_MS } from './limits.ts';
import { toPlainText } from './texts.ts';

/**
 * Location of the progress: a notification with Cancel if the user waits for the task, or the view's own progress bar.
 * With `delayMs`, the notification appears only for longer tasks. Most calls finish before the user can read a
 * notification. VS Code also drops messages from an extension that shows many at the same time.
 */
type ProgressLocation =
  | { readonly notification: string; readonly delayMs?: number }
  | { readonly view: 'appBuild.resources' | 'appBuild.preflight' };

/** Command that a progress message offers as a link, because a button would close the notification. */
interface CommandLink {
  readonly title: string;
  readonly command: `appBuild.${string}`;
  readonly argument?: string;
}

/**
 * Reports the progress of a task.
 *
 * @param text message, shown verbatim.
 * @param details `increment` is in percent. `links` are shown after the text.
 */
export type ReportProgress = (
  text: string,
  details?: { readonly increment?: number; readonly links?: readonly CommandLink[] },
) => void;
type ProgressTask<T> = (signal: AbortSignal, report: ReportProgress) => Promise<T>;

/**
 * Runs `task` and shows its progress. The signal aborts when the user cancels. The task then rejects with its own
 * `CancelledError`.
 */
export async function withProgress<T>(location: ProgressLocation, task: ProgressTask<T>): Promise<T> {
  const controller = new AbortController();
  if ('view' in location) {
    return show({ location: { viewId: location.view } }, controller, (report) => task(controller.signal, report));
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: toPlainText(location.notification),
    cancellable: true,
  };
  if (location.delayMs === undefined) {
    return show(options, controller, (report) => task(controller.signal, report));
  }
  let report: ReportProgress = () => undefined;
  const running = task(controller.signal, (text, details) => report(text, details));
  const settled = Promise.allSettled([running]);
  if ((await Promise.race([settled, setTimeout(location.delayMs, 'waiting', { ref: false })])) !== 'waiting') {
    return running;
  }
  return show(options, controller, (reportToNotification) => {
    report = reportToNotification;
    return running;
  });
}

/** Like {@link withProgress}, in a notification with Cancel, if a call to the service takes a while. */
export function withCallProgress<T>(notification: string, task: ProgressTask<T>): Promise<T> {
  return withProgress({ notification, delayMs: CALL_PROGRESS_DELAY_MS }, task);
}

async function show<T>(
  options: vscode.ProgressOptions,
  controller: AbortController,
  run: (report: ReportProgress) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(options, async (progress, token) => {
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      return await run((text, { increment, links = [] } = {}) => {
        const message = [toPlainText(text), links.map(formatCommandLink).join(' · ')].filter(Boolean).join(' ');
        progress.report(increment === undefined ? { message } : { message, increment });
      });
    } finally {
      subscription.dispose();
    }
  });
}

/** VS Code renders command links in the message of a notification. */
function formatCommandLink({ title, command, argument }: CommandLink): string {
  const query = argument === undefined ? '' : `?${encodeURIComponent(JSON.stringify([argument]))}`;
  return `[${toPlainText(title)}](command:${command}${query})`;
}

/** Number of bytes processed so far, and in total. */
export interface ByteCount {
  readonly done: number;
  readonly total: number;
}

/**
 * Limits progress reports to whole percents, because one message per chunk of a large file would keep the window busy.
 *
 * @returns a function that accepts a message and the progress. A call without progress restarts the count at 0%.
 */
export function eachPercent(
  report: (text: string, details?: { readonly increment: number }) => void,
): (text: string, bytes?: ByteCount) => void {
  let last = 0;
  return (text, bytes) => {
    if (bytes === undefined) {
      last = 0;
      report(text);
      return;
    }
    const percent = Math.floor((100 * bytes.done) / Math.max(1, bytes.total));
    if (percent > last) {
      report(text, { increment: percent - last });
      last = percent;
    }
  };
}
