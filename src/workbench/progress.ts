import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { CALL_PROGRESS_DELAY_MS } from './limits.ts';
import { plainText } from './texts.ts';

/**
 * Where progress shows: in a notification with Cancel for what a person waits for, in the view's own bar otherwise. With
 * `delayMs` the notification appears only when the work takes longer: most calls are over before one could read it, and
 * VS Code drops the messages of an extension that shows many within a moment.
 */
type ProgressLocation =
  | { readonly notification: string; readonly delayMs?: number }
  | { readonly view: 'appBuild.resources' | 'appBuild.preflight' };

/** A command of ours that a message offers: a button would end the progress. */
interface CommandLink {
  readonly title: string;
  readonly command: `appBuild.${string}`;
  readonly argument?: string;
}

/**
 * Says how far a task is.
 *
 * @param text is shown as it is written.
 * @param details `increment` in percent; `links` stand behind the text.
 */
export type Report = (
  text: string,
  details?: { readonly increment?: number; readonly links?: readonly CommandLink[] },
) => void;
type Task<T> = (signal: AbortSignal, report: Report) => Promise<T>;

/**
 * Runs `task` while its progress shows. The signal aborts when the person cancels; the task then ends with its own
 * `CancelledError`.
 */
export async function withProgress<T>(location: ProgressLocation, task: Task<T>): Promise<T> {
  const controller = new AbortController();
  if ('view' in location) {
    return show({ location: { viewId: location.view } }, controller, (report) => task(controller.signal, report));
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: plainText(location.notification),
    cancellable: true,
  };
  if (location.delayMs === undefined) {
    return show(options, controller, (report) => task(controller.signal, report));
  }
  let report: Report = () => undefined;
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

/** As {@link withProgress}, in a notification with Cancel, once a call to the service takes long. */
export function withCallProgress<T>(notification: string, task: Task<T>): Promise<T> {
  return withProgress({ notification, delayMs: CALL_PROGRESS_DELAY_MS }, task);
}

async function show<T>(
  options: vscode.ProgressOptions,
  controller: AbortController,
  run: (report: Report) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(options, async (progress, token) => {
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      return await run((text, { increment, links = [] } = {}) => {
        const message = [plainText(text), links.map(markupOf).join(' · ')].filter(Boolean).join(' ');
        progress.report(increment === undefined ? { message } : { message, increment });
      });
    } finally {
      subscription.dispose();
    }
  });
}

/** VS Code renders links to commands in the message of a notification. */
function markupOf({ title, command, argument }: CommandLink): string {
  const query = argument === undefined ? '' : `?${encodeURIComponent(JSON.stringify([argument]))}`;
  return `[${plainText(title)}](command:${command}${query})`;
}

/** Bytes of the whole that are done. */
export interface Bytes {
  readonly done: number;
  readonly total: number;
}

/**
 * Reports progress at each percent: a message for each piece of a large file would keep the window busy.
 *
 * @returns takes a text, and how much is done; a text without that begins again at 0 %.
 */
export function eachPercent(
  report: (text: string, details?: { readonly increment: number }) => void,
): (text: string, bytes?: Bytes) => void {
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
