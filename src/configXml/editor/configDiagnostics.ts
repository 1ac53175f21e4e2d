import * as vscode from 'vscode';
import { diagnosticSeverity } from '../../workbench/diagnosticSeverity.ts';
import { isWebPage } from '../../workbench/markdown.ts';
import { localised } from '../../workbench/notifications.ts';
import { paragraph, plainText } from '../../workbench/texts.ts';
import type { ConfigProblem, ProblemCode } from '../configProblem.ts';
import { rangeOf } from './configFiles.ts';

/** As the problems of build logs say, too. */
const SOURCE = 'App Build';

/** Dropped preferences are struck out; elements without effect are faded. */
const TAGS: Readonly<Partial<Record<ProblemCode, vscode.DiagnosticTag>>> = {
  droppedPreference: vscode.DiagnosticTag.Deprecated,
  repeatedElement: vscode.DiagnosticTag.Unnecessary,
  repeatedPreference: vscode.DiagnosticTag.Unnecessary,
  leftOutElement: vscode.DiagnosticTag.Unnecessary,
};

/** A problem as VS Code shows it. The words of the file in it are escaped. */
export function diagnosticOf(document: vscode.TextDocument, problem: ConfigProblem): vscode.Diagnostic {
  const { code, message, next, related, severity, source, span } = problem;
  const text = paragraph([message, ...(next === undefined ? [] : [next])].map(localised));
  const diagnostic = new vscode.Diagnostic(rangeOf(document, span), plainText(text), diagnosticSeverity(severity));
  diagnostic.source = SOURCE;
  diagnostic.code =
    source !== undefined && isWebPage(source) ? { value: code, target: vscode.Uri.parse(source) } : code;
  if (related !== undefined) {
    const location = new vscode.Location(document.uri, rangeOf(document, related.span));
    diagnostic.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(location, plainText(localised(related.message))),
    ];
  }
  const tag = TAGS[code];
  if (tag !== undefined) {
    diagnostic.tags = [tag];
  }
  return diagnostic;
}
