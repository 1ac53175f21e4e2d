import * as vscode from 'vscode';
import type { Node } from './node.ts';
import { type Look, Row } from './row.ts';

/** Stands at the end of a list that goes on. */
export class LoadMoreNode extends Row<undefined> {
  constructor(parent: Node) {
    super(parent, '+', undefined);
  }

  look(): Look {
    return {
      label: vscode.l10n.t('Load More…'),
      tooltip: vscode.l10n.t('Show more of this list'),
      icon: new vscode.ThemeIcon('ellipsis'),
      context: 'loadMore',
      command: 'appBuild.loadMore',
    };
  }
}
