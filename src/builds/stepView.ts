import { withProgress } from '../workbench/progress.ts';
import { percentCounter } from '../workbench/percentCounter.ts';
import { cancellable } from '../projects/packing/cancellation.ts';
import type { ReportStep, StepView } from './sharedBuild.ts';

/**
 * Shows the steps of a build to a caller that waits for it.
 *
 * @param report gets each; without it, a notification with Cancel shows each.
 * @param cancel is called when the person presses Cancel.
 */
export function stepView(report: ReportStep | undefined, cancel: () => void): StepView {
  return report === undefined ? notifiedSteps(cancel) : { begin: ({ title }) => report(title), report };
}

function notifiedSteps(cancel: () => void): StepView {
  let showBytes: ReportStep = () => undefined;
  return {
    begin: ({ title, delayMs, ended }) => {
      const location = { notification: title, ...(delayMs !== undefined && { delayMs }) };
      void withProgress(location, (signal, show) => {
        signal.addEventListener('abort', cancel, { once: true });
        showBytes = eachPercent(show);
        return cancellable(ended, signal).catch(() => undefined);
      });
    },
    report: (text, bytes) => showBytes(text, bytes),
  };
}

function eachPercent(show: (text: string) => void): ReportStep {
  let newPercent = percentCounter();
  return (text, bytes) => {
    if (bytes === undefined) {
      newPercent = percentCounter();
      show(text);
    } else if (newPercent(bytes.done, bytes.total) !== undefined) {
      show(text);
    }
  };
}
