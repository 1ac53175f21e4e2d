import * as vscode from 'vscode';
import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { NetworkError } from '../../api/errors/connectionErrors.ts';
import { ServiceError, UnauthorizedError } from '../../api/errors/serviceError.ts';
import { describe } from '../../workbench/notifications.ts';
import { type Presentation, TreeNode } from './treeNode.ts';

/** Stands for what could not be loaded: it says why, and a click tries again, or asks for the address that is wrong. */
export class FailureNode extends TreeNode {
  constructor(parent: TreeNode | undefined, error: unknown) {
    super(parent, '!', error);
  }

  override staysVisible(): boolean {
    return true;
  }

  override get searchText(): string {
    return '';
  }

  present(): Presentation {
    const reason = describe(this.value);
    const common = { label: reason, tooltip: reason, icon: iconFor(this.value), contextValue: 'failure' };
    // Trying again does not help against a setting.
    return this.value instanceof BuildServiceError && this.value.remedy === 'connect'
      ? {
          ...common,
          description: vscode.l10n.t('Select to change it'),
          accessibilityLabel: vscode.l10n.t('Failed: {0} Select to change it.', reason),
          command: 'appBuild.connect',
        }
      : {
          ...common,
          description: vscode.l10n.t('Select to try again'),
          accessibilityLabel: vscode.l10n.t('Failed: {0} Select to try again.', reason),
          command: 'appBuild.retry',
        };
  }
}

/** Tells apart no connection, no permission, other refusals, and failures of the service. */
function iconFor(error: unknown): vscode.ThemeIcon {
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
