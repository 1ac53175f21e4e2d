import type { Finding, Verdict } from '../projects/preflight/finding.ts';
import type { FolderCheck } from '../projects/preflight/checkFolder.ts';
import { below, DATA_NOTE, fitting, oneLine, ourWords } from './report.ts';

const ORDER: readonly Verdict[] = ['fails', 'mayFail'];
const VERDICTS: Readonly<Record<Verdict, string>> = { fails: 'would_fail', mayFail: 'might_fail', fine: 'fine' };

/**
 * A check for an agent: English, paths below the workspace folder, lines and columns from one. What a service said stands apart
 * from our own words, as data.
 *
 * @param hideSecrets from a text.
 * @returns JSON of at most 30,000 characters: findings that matter less are left off, and counted.
 */
export function checkReport(check: FolderCheck, hideSecrets: (text: string) => string): object {
  const { folder, project, plan, findings, platforms } = check;
  const { told, leftOff } = fitting(findings.map((finding) => findingReport(finding, folder.uri.path, hideSecrets)));
  return {
    folder: oneLine(folder.name),
    project: oneLine(project.path === '' ? '.' : project.path),
    verdict: verdictOf(findings),
    ...(platforms !== undefined && { platforms: platforms.slice(0, 20).map((platform) => oneLine(platform, 50)) }),
    to_send:
      plan === undefined ? null : { files: plan.files.length, bytes: plan.totalBytes, left_out: plan.leftOut.length },
    findings: told,
    ...(leftOff > 0 && { findings_left_off: leftOff }),
    note: DATA_NOTE,
  };
}

/** What all findings come to. */
export function verdictOf(findings: readonly Finding[]): string {
  return VERDICTS[ORDER.find((verdict) => findings.some((finding) => finding.verdict === verdict)) ?? 'fine'];
}

/** One finding for an agent. @param folder path of the workspace folder. */
export function findingReport(
  { code, verdict, message, next, said, place, platform }: Finding,
  folder: string,
  hideSecrets: (text: string) => string,
) {
  const start = place?.range?.start;
  return {
    verdict: VERDICTS[verdict],
    code,
    message: oneLine(hideSecrets(ourWords(message, said))),
    ...(next !== undefined && { next: oneLine(hideSecrets(ourWords(next, said))) }),
    ...(place !== undefined && { file: oneLine(below(folder, place.uri.path)) }),
    ...(start !== undefined && { line: start.line + 1, column: start.character + 1 }),
    ...(platform !== undefined && { platform: oneLine(platform, 50) }),
    ...(said !== undefined && { said_by_service: said.map((text) => oneLine(hideSecrets(text))) }),
  };
}
