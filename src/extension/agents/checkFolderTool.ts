import * as vscode from 'vscode';
import type * as z from 'zod/mini';
import { type FindingVerdict, findWebProjects } from '../../web-project/index.ts';
import type { FolderCheck } from '../preflight/checkFolder.ts';
import { AgentTool } from './agentTool.ts';
import { toRelativePath, DATA_NOTE, takeFitting, oneLine, sentenceReport, shortList, type ToData } from './report.ts';
import { text, toolInput } from './toolInput.ts';
import { namedFolder, findProject } from './toolSubjects.ts';
import type { Finding } from '../preflight/finding.ts';

const INPUT = toolInput({ folder: text(), project: text() }, '{"folder": "my-app"}');

/** The read-only tool `appBuild_check_folder`. Runs the same check as *Check*. */
export class CheckFolderTool extends AgentTool<z.infer<typeof INPUT>> {
  protected override readonly input = INPUT;
  protected override readonly invocationMessage = vscode.l10n.t('Checking the folder');

  protected async run(input: z.infer<typeof INPUT>, signal: AbortSignal): Promise<object> {
    const folder = namedFolder(input.folder);
    const { answers, checkLinkedFolder } = await this.dependencies.loadBuildServices();
    const projects = await findWebProjects(folder.uri, signal, answers.pages);
    const project = findProject(projects, input.project, [answers.chosen(folder.uri)]);
    return checkReport(await checkLinkedFolder(folder, project, signal), this.asData);
  }
}

const ORDER: readonly FindingVerdict[] = ['fails', 'mayFail'];
const VERDICTS: Readonly<Record<FindingVerdict, string>> = { fails: 'would_fail', mayFail: 'might_fail', fine: 'fine' };

/**
 * Reports a check to an agent in English. Paths are relative to the workspace folder; lines and columns start at one. Text from the service
 * and from files is kept separate, as data. Findings that don't fit are omitted and counted.
 */
function checkReport(check: FolderCheck, asData: ToData): object {
  const { folder, project, plan, findings, platforms } = check;
  const { entries, leftOff } = takeFitting(findings, (finding) => findingReport(finding, folder.uri.path, asData));
  return {
    folder: oneLine(folder.name),
    project: oneLine(project.path === '' ? '.' : project.path),
    verdict: getOverallVerdict(findings),
    ...(platforms !== undefined && { platforms: shortList(platforms, oneLine) }),
    to_send:
      plan === undefined ? null : { files: plan.files.length, bytes: plan.totalBytes, left_out: plan.leftOut.length },
    findings: entries,
    ...(leftOff > 0 && { findings_left_off: leftOff }),
    note: DATA_NOTE,
  };
}

/** Summarizes all findings in one sentence. */
export function getOverallVerdict(findings: readonly Finding[]): string {
  return VERDICTS[ORDER.find((verdict) => findings.some((finding) => finding.verdict === verdict)) ?? 'fine'];
}

/** Reports one finding to an agent. @param folder path of the workspace folder */
export function findingReport(
  { code, verdict, message, next, location, platform }: Finding,
  folder: string,
  asData: ToData,
) {
  const start = location?.range?.start;
  const [what, advice] = [sentenceReport(message, asData), next && sentenceReport(next, asData)];
  const data = [...what.data, ...(advice?.data ?? [])];
  return {
    verdict: VERDICTS[verdict],
    code,
    message: what.text,
    ...(advice !== undefined && { next: advice.text }),
    ...(data.length > 0 && { data }),
    ...(location !== undefined && { file: oneLine(toRelativePath(folder, location.uri.path)) }),
    ...(start !== undefined && { line: start.line + 1, column: start.character + 1 }),
    ...(platform !== undefined && { platform: oneLine(platform) }),
  };
}
