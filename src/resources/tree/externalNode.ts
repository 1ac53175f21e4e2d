import * as vscode from 'vscode';
import { rowTooltip } from './rowText.ts';
import { type Presentation, TreeNode } from './treeNode.ts';

interface ExternalLink {
  readonly label: string;
  /** Shown beside the label, the most telling first. */
  readonly notes: readonly string[];
  readonly relation: string;
  /** Absolute http(s) URL. */
  readonly url: string;
  /** The notes begin with the value that looks like a link, which shows the host. */
  readonly hasValue?: boolean;
}

/** A link to another host: opened in a browser after asking, never requested. */
export class ExternalNode extends TreeNode<ExternalLink> {
  /** Absolute http(s) URL. */
  get externalUrl(): string {
    return this.value.url;
  }

  present(): Presentation {
    const { label, notes, relation, url, hasValue } = this.value;
    const { host } = new URL(url);
    return {
      label,
      description: (hasValue ? notes : [...notes, vscode.l10n.t('on {0}', host)]).join(' · '),
      tooltip: rowTooltip(label, relation, url),
      icon: new vscode.ThemeIcon('link-external'),
      accessibilityLabel: vscode.l10n.t('{0}, a link to {1}', [label, ...notes].join(', '), host),
      contextValue: 'external',
      command: 'appBuild.openInBrowser',
    };
  }
}
