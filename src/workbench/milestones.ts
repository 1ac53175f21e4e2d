import * as vscode from 'vscode';

/** What a person has got done, by the context key of the walkthrough's step that ticks itself off. */
type Milestone = 'appBuild.hasBuilt' | 'appBuild.hasFetchedBuild';

/** Ticks a step of the walkthrough off. VS Code remembers it. */
export function reach(milestone: Milestone): void {
  void vscode.commands.executeCommand('setContext', milestone, true);
}
