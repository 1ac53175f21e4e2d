import * as vscode from 'vscode';
import { localize, type Notifications } from '../../workbench/notifications.ts';
import { paragraph, sizeText } from '../../workbench/texts.ts';
import type { AppCalls } from '../calls/appCalls.ts';
import { type App, startedBuilds } from '../model/app.ts';
import {
  getLeftOutSentences,
  getPlanSummary,
  getWarningSentence,
  type PackagePlan,
  type TemporaryPackage,
  writePackage,
} from '../../../web-project/index.ts';
import type { UploadTarget } from './chooseApp.ts';
import { isGone, uploadFailure } from '../appErrors.ts';
import type { ReportStep } from './joinedBuild.ts';
import { MAX_STORED_BYTES } from './limits.ts';
import { isLoopback } from '../../../service-client/index.ts';

/**
 * Reports which files are sent and which are left out.
 *
 * @param report receives everything. If undefined, a notification shows only what the user might miss.
 */
export function reportPlan(plan: PackagePlan, report: ReportStep | undefined, notifications: Notifications): void {
  const leftOut = getLeftOutSentences(plan).map(localize);
  const warnings = plan.warnings.map((warning) => localize(getWarningSentence(warning)));
  if (report !== undefined) {
    [localize(getPlanSummary(plan)), ...leftOut, ...warnings].forEach((text) => report(text));
    return;
  }
  const hidesSecrets = plan.leftOut.some(({ reason }) => reason.kind === 'secret');
  // Don't mention files that were added because the app needs them.
  const missed = plan.warnings
    .filter(({ kind }) => kind !== 'takenIn')
    .map((warning) => localize(getWarningSentence(warning)));
  const texts = [...(hidesSecrets ? leftOut.slice(0, 1) : []), ...missed];
  if (texts.length > 0) {
    notifications.done(paragraph(texts));
  }
}

/** An app after an upload. */
interface SentPackage {
  readonly app: App;
  /** Platforms that the service builds because of the upload. */
  readonly building: readonly string[];
}

/**
 * Creates and uploads a package. Deletes the local package afterward.
 *
 * @param ask chooses another target if the app no longer exists. If undefined, the upload fails.
 * @throws PackingError; BuildServiceError; CancelledError
 */
export async function sendPlan(
  calls: AppCalls,
  plan: PackagePlan,
  target: UploadTarget,
  ask: (() => Promise<UploadTarget>) | undefined,
  signal: AbortSignal,
  report: ReportStep,
): Promise<SentPackage> {
  report(vscode.l10n.t('Packing {0}', localize(getPlanSummary(plan))));
  // Compressing is slower than sending on this computer.
  const compress = plan.totalBytes > MAX_STORED_BYTES || !isLoopback(new URL(calls.client.homeUrl));
  const packed = await writePackage(plan, {
    compress,
    signal,
    onProgress: (done, total) =>
      report(vscode.l10n.t('Packed {0} of {1}', sizeText(done), sizeText(total)), { done, total }),
  });
  try {
    for (let to = target; ;) {
      try {
        const app = await upload(calls, to, packed, signal, report);
        const building = startedBuilds(to.kind === 'app' ? to.app : undefined, app);
        return { app, building };
      } catch (error) {
        if (to.kind === 'create' || ask === undefined || !isGone(error)) {
          throw uploadFailure(error, packed.file.size);
        }
        to = await ask();
      }
    }
  } finally {
    await packed.dispose();
  }
}

function upload(
  calls: AppCalls,
  target: UploadTarget,
  { file }: TemporaryPackage,
  signal: AbortSignal,
  report: ReportStep,
): Promise<App> {
  const options = {
    signal,
    onProgress: (done: number, total: number) =>
      report(vscode.l10n.t('Uploaded {0} of {1}', sizeText(done), sizeText(total)), { done, total }),
  };
  if (target.kind === 'app') {
    report(vscode.l10n.t('Uploading {0} to “{1}”', sizeText(file.size), target.app.title));
    return calls.upload(target.app, file, options);
  }
  report(vscode.l10n.t('Creating “{0}” from {1}', target.title, sizeText(file.size)));
  return calls.createFromFile(file, { title: target.title }, options);
}
