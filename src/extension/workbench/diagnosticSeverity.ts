import * as vscode from 'vscode';

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Returns VS Code's severity for a finding. */
export function diagnosticSeverity(severity: keyof typeof SEVERITIES): vscode.DiagnosticSeverity {
  return SEVERITIES[severity];
}
