import * as vscode from 'vscode';
import { type LinkedNode, type Presentation, TreeNode } from '../../resources/tree/treeNode.ts';

interface WebPage {
  readonly label: string;
  /** Absolute. */
  readonly url: string;
}

/** A page of the service that is for people: a click opens it in the browser. */
export class WebPageNode extends TreeNode<WebPage> implements LinkedNode {
  get url(): string {
    return this.value.url;
  }

  present(): Presentation {
    const { label, url } = this.value;
    return {
      label,
      description: vscode.l10n.t('web page'),
      tooltip: `${label}\n${url}`,
      icon: new vscode.ThemeIcon('globe'),
      contextValue: 'external',
      command: 'appBuild.openInBrowser',
    };
  }
}
