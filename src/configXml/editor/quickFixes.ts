import * as vscode from 'vscode';
import type { ProblemFix } from '../configProblem.ts';
import { localised } from '../../workbench/notifications.ts';
import { plainText } from '../../workbench/texts.ts';
import { rangeOf } from './configFiles.ts';
import type { ConfigProblems } from './configProblems.ts';
import { diagnosticOf } from './diagnostics.ts';

/** The changes that mend problems of a config.xml, where there is an obvious one. */
export class QuickFixes implements vscode.CodeActionProvider {
  static readonly kinds: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };
  readonly #problems: ConfigProblems;

  constructor(problems: ConfigProblems) {
    this.#problems = problems;
  }

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const problems = await this.#problems.problemsOf(document);
    return problems
      .filter(({ span }) => rangeOf(document, span).intersection(range) !== undefined)
      .flatMap((problem) =>
        (problem.fixes ?? []).map((fix) => fixAction(document, fix, diagnosticOf(document, problem))),
      );
  }
}

/** A fix as VS Code shows it. The words of the file in it are escaped. */
export function fixAction(
  document: vscode.TextDocument,
  { title, changes, isPreferred }: ProblemFix,
  diagnostic: vscode.Diagnostic,
): vscode.CodeAction {
  const action = new vscode.CodeAction(plainText(localised(title)), vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = isPreferred ?? false;
  action.edit = new vscode.WorkspaceEdit();
  for (const { span, newText } of changes) {
    action.edit.replace(document.uri, rangeOf(document, span), newText);
  }
  return action;
}
