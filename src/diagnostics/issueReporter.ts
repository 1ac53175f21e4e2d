import * as vscode from 'vscode';
import type { Manifest } from './manifest.ts';

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
