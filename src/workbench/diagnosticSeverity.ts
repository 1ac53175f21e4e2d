import * as vscode from 'vscode';

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

export function diagnosticSeverity(severity: keyof typeof SEVERITIES): vscode.DiagnosticSeverity {
  return SEVERITIES[severity];
}
