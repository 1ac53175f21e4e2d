import * as vscode from 'vscode';
import type { Redactor } from '../api/redaction.ts';
import type { ServiceSelection } from '../auth/serviceSelection.ts';
import type { Log } from '../workbench/log.ts';
import { connectionFacts } from './connectionFacts.ts';
import { environmentFacts, type Manifest, settingFacts, variableFacts } from './environmentFacts.ts';
import { failureFacts } from './failures.ts';
import { toMarkdown } from './report.ts';

interface DiagnosticsDependencies {
  /** This extension. */
  readonly extension: vscode.Extension<unknown>;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly selection: ServiceSelection;
}

/**
 * Gathers what helps to find out why the extension does not work: words of ours and numbers, so that no secret is in it, and nothing
 * that identifies a user, a company or a computer. It starts nothing and sends nothing.
 *
 * @returns Markdown.
 */
export async function collectDiagnostics({
  extension,
  log,
  redactor,
  selection,
}: DiagnosticsDependencies): Promise<string> {
  const manifest = extension.packageJSON as Manifest;
  const commands = manifest.contributes.commands.map(({ command }) => command);
  const report = toMarkdown({
    title: 'Application Build Service: diagnostics',
    introduction: vscode.l10n.t(
      'Read this report before you send it to anybody. Passwords, tokens, addresses and names are left out of it.',
    ),
    sections: [
      { title: 'Versions', facts: environmentFacts(extension) },
      { title: 'Settings', facts: [...settingFacts(manifest), ...variableFacts(process.env)] },
      { title: 'The way to the service', facts: await connectionFacts(selection) },
      { title: 'Latest failures', facts: failureFacts(log.recentFailures, Date.now(), commands) },
    ],
    next: vscode.l10n.t(
      'Attach this report to an issue, with what you did and what you expected. The log has more details; addresses and names are in it.',
    ),
  });
  return redactor.redact(report);
}
