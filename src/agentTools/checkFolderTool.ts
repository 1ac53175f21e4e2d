import * as vscode from 'vscode';
import type { Finding, Verdict } from '../projects/preflight/finding.ts';
import type { FolderCheck } from '../projects/preflight/checkFolder.ts';
import { findWebProjects } from '../projects/projectSearch.ts';
import { AgentTool } from './agentTool.ts';
import { below, DATA_NOTE, fitting, oneLine, sentenceReport, type AsData } from './report.ts';
import { argumentsOf, textArgument } from './toolInput.ts';
import { namedFolder, projectOf } from './toolSubjects.ts';

/** The tool `appBuild_check_folder`: the same check as *Check This Folder*. Reads only. */
export class CheckFolderTool extends AgentTool {
  protected get invocationMessage(): string {
    return vscode.l10n.t('Checking the folder');
  }

  protected async run(input: unknown, signal: AbortSignal): Promise<object> {
    const values = argumentsOf(input, '{"folder": "my-app"}');
    const [wantedFolder, wantedProject] = [textArgument(values, 'folder'), textArgument(values, 'project')];
    const folder = namedFolder(wantedFolder);
    const { answers, checkLinkedFolder } = await this.dependencies.loadApps();
    const projects = await findWebProjects(folder.uri, signal, answers.pages);
    const project = projectOf(projects, wantedProject, [answers.chosen(folder.uri)]);
    return checkReport(await checkLinkedFolder(folder, project, signal), this.asData);
  }
}

const ORDER: readonly Verdict[] = ['fails', 'mayFail'];
const VERDICTS: Readonly<Record<Verdict, string>> = { fails: 'would_fail', mayFail: 'might_fail', fine: 'fine' };

/**
 * A check for an agent: English, paths below the workspace folder, lines and columns from one. Texts of the service and of files
 * stand apart, as data.
 *
 * @returns JSON of at most 30,000 characters: findings that matter less are left off, and counted.
 */
export function checkReport(check: FolderCheck, asData: AsData): object {
  const { folder, project, plan, findings, platforms } = check;
  const { entries, leftOff } = fitting(findings.map((finding) => findingReport(finding, folder.uri.path, asData)));
  return {
    folder: oneLine(folder.name),
    project: oneLine(project.path === '' ? '.' : project.path),
    verdict: verdictOf(findings),
    ...(platforms !== undefined && { platforms: platforms.slice(0, 20).map((platform) => oneLine(platform, 50)) }),
    to_send:
      plan === undefined ? null : { files: plan.files.length, bytes: plan.totalBytes, left_out: plan.leftOut.length },
    findings: entries,
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
  { code, verdict, message, next, place, platform }: Finding,
  folder: string,
  asData: AsData,
) {
  const start = place?.range?.start;
  const [what, advice] = [sentenceReport(message, asData), next && sentenceReport(next, asData)];
  const data = [...what.data, ...(advice?.data ?? [])];
  return {
    verdict: VERDICTS[verdict],
    code,
    message: what.text,
    ...(advice !== undefined && { next: advice.text }),
    ...(data.length > 0 && { data }),
    ...(place !== undefined && { file: oneLine(below(folder, place.uri.path)) }),
    ...(start !== undefined && { line: start.line + 1, column: start.character + 1 }),
    ...(platform !== undefined && { platform: oneLine(platform, 50) }),
  };
}
