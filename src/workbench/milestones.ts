import * as vscode from 'vscode';

type Milestone = 'appBuild.hasBuilt' | 'appBuild.hasFetchedBuild';

/** Ticks a step of the walkthrough off. VS Code remembers it. */
export function reach(milestone: Milestone): void {
  void vscode.commands.executeCommand('setContext', milestone, true);
}
