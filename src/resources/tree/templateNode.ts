import * as vscode from 'vscode';
import type { Link, LinkTarget } from '../../api/hypermedia/resource.ts';
import { listText } from '../../workbench/values.ts';
import { rowTooltip } from './rowText.ts';
import { type Presentation, TreeNode } from './treeNode.ts';

interface TemplatedLink {
  readonly label: string;
  /** Shown beside the label, the most telling first. */
  readonly notes: readonly string[];
  readonly link: Link;
  readonly target: Extract<LinkTarget, { readonly kind: 'template' }>;
}

/** A link that needs values before it leads anywhere; a click asks for them. */
export class TemplateNode extends TreeNode<TemplatedLink> {
  present(): Presentation {
    const { label, notes, link, target } = this.value;
    const variables = listText(target.variables);
    return {
      label,
      description: [...notes, variables].join(' · '),
      tooltip: rowTooltip(label, link.rel, target.template),
      icon: new vscode.ThemeIcon('symbol-variable'),
      accessibilityLabel: vscode.l10n.t('{0}, a link that asks for {1}', [label, ...notes].join(', '), variables),
      contextValue: 'template',
      command: 'appBuild.openTemplate',
    };
  }
}
