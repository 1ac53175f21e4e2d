import * as vscode from 'vscode';
import { type Presentation, TreeNode } from './treeNode.ts';

/** Stands at the end of a list that goes on. */
export class LoadMoreNode extends TreeNode<undefined> {
  constructor(parent: TreeNode) {
    super(parent, '+', undefined);
  }

  present(): Presentation {
    return {
      label: vscode.l10n.t('Load More…'),
      tooltip: vscode.l10n.t('Show more of this list'),
      icon: new vscode.ThemeIcon('ellipsis'),
      contextValue: 'loadMore',
      command: 'appBuild.loadMore',
    };
  }
}
