import * as vscode from 'vscode';
import type { BodyTooLargeError } from '../../api/errors/responseErrors.ts';
import { localised } from '../../workbench/notifications.ts';
import { sizeText } from '../../workbench/values.ts';
import { TreeNode, type LinkedNode, type Presentation } from './treeNode.ts';

interface TooLarge {
  /** Absolute, on the service's origin. */
  readonly url: string;
  readonly error: BodyTooLargeError;
}

/** Stands for a response that is too large to be shown: it says how large, and a click downloads it. */
export class TooLargeNode extends TreeNode<TooLarge> implements LinkedNode {
  get url(): string {
    return this.value.url;
  }

  override staysVisible(): boolean {
    return true;
  }

  override get searchText(): string {
    return '';
  }

  present(): Presentation {
    const reason = localised(this.value.error.what);
    const { sizeBytes, limitBytes } = this.value.error;
    return {
      label: sizeBytes === undefined ? vscode.l10n.t('More than {0}', sizeText(limitBytes)) : sizeText(sizeBytes),
      description: vscode.l10n.t('Too large to show. Select to download'),
      tooltip: `${reason}\n${this.url}`,
      icon: new vscode.ThemeIcon('cloud-download'),
      accessibilityLabel: vscode.l10n.t('Too large: {0} Select to download it.', reason),
      contextValue: 'download',
      command: 'appBuild.download',
    };
  }
}
