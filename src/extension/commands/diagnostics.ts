import * as vscode from 'vscode';
import { collectDiagnostics, type ReportManifest } from '../diagnostics/collectDiagnostics.ts';
import type { CommandDependencies, CommandHandlers } from './dependencies.ts';

/** Creates the commands for diagnostics. */
export function diagnosticsCommands(dependencies: CommandDependencies) {
  return {
    'appBuild.collectDiagnostics': async () => showReport(await createReport(dependencies)),
    'appBuild.reportIssue': () => reportIssue(dependencies),
  } satisfies CommandHandlers;
}

/** Runs when the user chooses this extension in VS Code's issue reporter. */
async function reportIssue(dependencies: CommandDependencies): Promise<void> {
  const report = await createReport(dependencies);
  if (!(await addToIssue(getExtension(dependencies), report))) {
    await showReport(report);
  }
}

/**
 * Passes a report to VS Code's issue reporter, which shows it to the user before sending it. In addition to its documented parameters,
 * the command accepts `extensionId` and `data`. A command in the `issue/reporter` menu uses them to add to the current report
 * (microsoft/vscode#205176).
 * @returns false if the issue reporter isn't available, or package.json doesn't specify where to report issues.
 */
export async function addToIssue(
  { id, packageJSON }: Pick<vscode.Extension<unknown>, 'id' | 'packageJSON'>,
  report: string,
): Promise<boolean> {
  if ((packageJSON as ReportManifest).bugs?.url === undefined) {
    return false;
  }
  try {
    await vscode.commands.executeCommand('workbench.action.openIssueReporter', { extensionId: id, data: report });
    return true;
  } catch {
    return false;
  }
}

function createReport(dependencies: CommandDependencies): Promise<string> {
  return collectDiagnostics({ ...dependencies, extension: getExtension(dependencies) });
}

function getExtension({ extensionId }: CommandDependencies): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) {
    throw new Error(`VS Code doesn’t know ${extensionId}.`);
  }
  return extension;
}

/** Shows a report in an untitled document, so that the user can read it before sharing it. */
async function showReport(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
}
