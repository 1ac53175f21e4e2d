import * as vscode from 'vscode';
import { type Presentation, TreeNode } from './treeNode.ts';

/** A link to another host: opened in a browser after asking, never requested. */
export class ExternalNode extends TreeNode<{
  readonly label: string;
  readonly relation: string;
  readonly url: string;
}> {
  /** Absolute http(s) URL. */
  get externalUrl(): string {
    return this.value.url;
  }

  present(): Presentation {
    const { label, url } = this.value;
    const { host } = new URL(url);
    return {
      label,
      description: vscode.l10n.t('on {0}', host),
      tooltip: url,
      icon: new vscode.ThemeIcon('link-external'),
      accessibilityLabel: vscode.l10n.t('{0}, a link to {1}', label, host),
      contextValue: 'external',
      command: 'appBuild.openInBrowser',
    };
  }
}
