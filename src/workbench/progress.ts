import * as vscode from 'vscode';
import { withoutLinks } from './inert.ts';

/**
 * Where progress shows: a notification with Cancel for what a person waits for, the view's own bar otherwise. With
 * `patience` (milliseconds) the notification appears only when the work takes that long: most calls are over before one
 * could read it, and VS Code drops the messages of an extension that shows too many in a moment.
 */
export type ProgressPlace = { readonly notification: string; readonly patience?: number } | { readonly view: string };

/** Milliseconds that a call to the service may take before a person is told of it. */
export const callPatience = 1_000;

type Report = (message: string, increment?: number) => void;
type Task<T> = (signal: AbortSignal, report: Report) => Promise<T>;

/**
 * Runs `task` while its progress shows. The signal aborts when the person cancels; the task then ends with its own
 * `CancelledError`.
 */
export async function withProgress<T>(place: ProgressPlace, task: Task<T>): Promise<T> {
  const controller = new AbortController();
  if ('view' in place) {
    return show({ location: { viewId: place.view } }, controller, (report) => task(controller.signal, report));
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: withoutLinks(place.notification),
    cancellable: true,
  };
  if (place.patience === undefined) {
    return show(options, controller, (report) => task(controller.signal, report));
  }
  let report: Report = () => undefined;
  const running = task(controller.signal, (message, increment) => report(message, increment));
  if (await isOverWithin(place.patience, running)) {
    return running;
  }
  return show(options, controller, (late) => {
    report = late;
    return running;
  });
}

async function show<T>(
  options: vscode.ProgressOptions,
  controller: AbortController,
  run: (report: Report) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(options, async (progress, token) => {
    const subscription = token.onCancellationRequested(() => {
      controller.abort();
    });
    try {
      return await run((message, increment) => {
        progress.report(increment === undefined ? { message } : { message, increment });
      });
    } finally {
      subscription.dispose();
    }
  });
}

/** True when the promise has settled, however, before so many milliseconds have passed. */
async function isOverWithin(milliseconds: number, running: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const over = running.then(
    () => true as const,
    () => true as const,
  );
  try {
    return await Promise.race([over, patience]);
  } finally {
    clearTimeout(timer);
  }
}
