import * as vscode from 'vscode';
import { NetworkError } from '../../api/errors/networkError.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import { UnauthorizedError } from '../../api/errors/unauthorizedError.ts';
import { describe } from '../../workbench/notifications.ts';
import type { Node } from './node.ts';
import { type Look, Row } from './row.ts';

/** Stands where something could not be loaded: it says why, and a click tries again. */
export class FailureNode extends Row<unknown> {
  constructor(parent: Node | undefined, error: unknown) {
    super(parent, '!', error);
  }

  look(): Look {
    const why = describe(this.value);
    return {
      label: why,
      description: vscode.l10n.t('Select to try again'),
      tooltip: why,
      icon: iconOf(this.value),
      spoken: vscode.l10n.t('Failed: {0} Select to try again.', why),
      context: 'failure',
      command: 'appBuild.retry',
    };
  }
}

/** No connection, no permission, not there, and out of order look different. */
function iconOf(error: unknown): vscode.ThemeIcon {
  if (error instanceof NetworkError) {
    return new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('list.warningForeground'));
  }
  if (error instanceof UnauthorizedError) {
    return new vscode.ThemeIcon('lock', new vscode.ThemeColor('list.warningForeground'));
  }
  if (error instanceof ServiceError && error.status < 500) {
    return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('list.warningForeground'));
  }
  return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.errorForeground'));
}
