import * as vscode from 'vscode';
import { collectDiagnostics, type Manifest } from '../diagnostics/collectDiagnostics.ts';
import type { CommandDependencies, Handlers } from './dependencies.ts';

export function diagnosticsCommands(dependencies: CommandDependencies) {
  return {
    'appBuild.collectDiagnostics': async () => showReport(await reportOf(dependencies)),
    'appBuild.reportIssue': () => reportIssue(dependencies),
  } satisfies Handlers;
}

/** Runs when the person chooses this extension in VS Code's issue reporter. */
async function reportIssue(dependencies: CommandDependencies): Promise<void> {
  const report = await reportOf(dependencies);
  if (!(await addToIssue(extensionOf(dependencies), report))) {
    await showReport(report);
  }
}

/**
 * Hands a report to VS Code's issue reporter, which shows it to the person, and sends it when they say so.
 *
 * The command takes `extensionId` and `data` besides what its schema names: that is how a command under the menu `issue/reporter`
 * adds to the report that is being written (microsoft/vscode#205176).
 *
 * @returns false when the reporter cannot take it: package.json names no address for issues, or the host has no reporter.
 */
export async function addToIssue(
  { id, packageJSON }: Pick<vscode.Extension<unknown>, 'id' | 'packageJSON'>,
  report: string,
): Promise<boolean> {
  if ((packageJSON as Manifest).bugs?.url === undefined) {
    return false;
  }
  try {
    await vscode.commands.executeCommand('workbench.action.openIssueReporter', { extensionId: id, data: report });
    return true;
  } catch {
    return false;
  }
}

function reportOf(dependencies: CommandDependencies): Promise<string> {
  return collectDiagnostics({ ...dependencies, extension: extensionOf(dependencies) });
}

function extensionOf({ extensionId }: CommandDependencies): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) {
    throw new Error(`VS Code does not know ${extensionId}.`);
  }
  return extension;
}

/** An untitled document, for the person to read before it goes to anybody. */
async function showReport(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
}
