import * as vscode from 'vscode';

type Milestone = 'appBuild.hasBuilt' | 'appBuild.hasFetchedBuild';

/** Completes a step of the walkthrough. VS Code remembers completed steps. */
export function completeMilestone(milestone: Milestone): void {
  void vscode.commands.executeCommand('setContext', milestone, true);
}
