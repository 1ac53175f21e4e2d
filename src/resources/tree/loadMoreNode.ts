import * as vscode from 'vscode';
import { isArrangement } from './arrangement.ts';
import type { ExpandableNode } from './expandableNode.ts';
import { type Presentation, TreeNode } from './treeNode.ts';

/** Stands at the end of a list that goes on. */
export class LoadMoreNode extends TreeNode<undefined> {
  readonly #list: ExpandableNode;

  constructor(list: ExpandableNode) {
    super(list, '+', undefined);
    this.#list = list;
  }

  override staysVisible(): boolean {
    return true;
  }

  override get searchText(): string {
    return '';
  }

  present(): Presentation {
    const isArranged = isArrangement(this.#list.context.arrangement);
    return {
      label: vscode.l10n.t('Load More…'),
      description: isArranged ? vscode.l10n.t('what follows is not searched or sorted yet') : undefined,
      tooltip: vscode.l10n.t('Show more of this list'),
      icon: new vscode.ThemeIcon('ellipsis'),
      contextValue: 'loadMore',
      command: 'appBuild.loadMore',
    };
  }
}
