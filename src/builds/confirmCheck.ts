import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { Input } from '../workbench/input.ts';
import type { Log } from '../workbench/log.ts';
import { localised } from '../workbench/notifications.ts';
import { paragraph, sizeText } from '../workbench/texts.ts';
import { MAX_UNASKED_BYTES } from '../projects/limits.ts';
import type { PackagePlan } from '../projects/packing/packageContents.ts';
import { biggestFilesOf, summaryOf, warningOf } from '../projects/packing/planSentences.ts';
import { projectPath } from '../projects/chooseProject.ts';
import type { ReportStep } from './joinedBuild.ts';
import { type Finding, leavesBlank, PLAN_CODES, stoppingFindings } from '../projects/preflight/finding.ts';
import type { FolderCheck } from '../projects/preflight/checkFolder.ts';

/** Shows a check, at what was found or at the files. */
export type ShowCheck = (check: FolderCheck, part: 'findings' | 'files') => Promise<void>;

/**
 * Stops a build that cannot work, unless the person wants it anyway.
 *
 * @param asked platforms that the person asked for; undefined for all that the app has.
 * @throws CancelledError when the build is not wanted.
 */
export async function confirmCheck(
  check: FolderCheck,
  asked: readonly string[] | undefined,
  input: Input,
  show: ShowCheck,
): Promise<void> {
  const findings = stoppingFindings(check, asked);
  if (findings.length === 0) {
    return;
  }
  const [showProblems, buildAnyway] = [vscode.l10n.t('Show'), vscode.l10n.t('Build Anyway')];
  const named = findings.slice(0, 5).map(textOfFinding);
  const others = findings.length - named.length;
  const name = projectPath(check.folder, check.project);
  const answer = await input.decide(
    leavesBlank(findings)
      ? vscode.l10n.t('The app from {0} would show a blank page.', name)
      : vscode.l10n.t('The build of {0} would fail.', name),
    [...named, ...(others > 0 ? [vscode.l10n.t('… and {0} more.', others)] : [])].join('\n\n'),
    [showProblems, buildAnyway],
  );
  if (answer === buildAnyway) {
    return;
  }
  if (answer === showProblems) {
    await show(check, 'findings');
  }
  throw new CancelledError();
}

/**
 * Reports the findings that would or might fail the build, except those that the plan of the upload reports.
 *
 * @param report without it, the log gets them.
 */
export function reportCheck({ findings }: FolderCheck, report: ReportStep | undefined, log: Log): void {
  for (const finding of findings) {
    if (finding.verdict !== 'fine' && !PLAN_CODES.has(finding.code)) {
      const text = textOfFinding(finding);
      if (report === undefined) {
        log.warn(text);
      } else {
        report(text);
      }
    }
  }
}

/** A finding in a line: where, what, and what to do. */
export function textOfFinding({ message, next, place, platform }: Finding): string {
  const what = paragraph([message, next].filter((part) => part !== undefined).map(localised));
  const line = place?.range === undefined ? undefined : place.range.start.line + 1;
  const file = place === undefined ? undefined : vscode.workspace.asRelativePath(place.uri);
  if (file !== undefined && line !== undefined) {
    return vscode.l10n.t('{0}, line {1}: {2}', file, line, what);
  }
  return platform === undefined ? what : vscode.l10n.t('{0}: {1}', platform, what);
}

/**
 * Asks before a large package is sent, and names the largest files.
 *
 * @param name of the folder.
 * @param show shows all files. Files that the user leaves out there are left out of the next build.
 * @throws CancelledError when the user declines, or wants to see the files first.
 */
export async function confirmSize(
  plan: PackagePlan,
  name: string,
  input: Input,
  show: () => Promise<void>,
): Promise<void> {
  if (plan.totalBytes <= MAX_UNASKED_BYTES) {
    return;
  }
  const send = vscode.l10n.t('Send');
  const look = vscode.l10n.t('Show What Will Be Sent');
  const chosen = await input.decide(
    vscode.l10n.t('Send {0} of {1}?', sizeText(plan.totalBytes), name),
    [
      vscode.l10n.t('{0}. The biggest:', localised(summaryOf(plan))),
      biggestFilesOf(plan).map(localised).join('\n'),
      vscode.l10n.t('What the app does not need can be listed in a file .appbuildignore.'),
      ...plan.warnings.map((warning) => localised(warningOf(warning))),
    ].join('\n\n'),
    [send, look],
    'information',
  );
  if (chosen === look) {
    await show();
  }
  if (chosen !== send) {
    throw new CancelledError();
  }
}
