import * as vscode from 'vscode';
import type { Form } from '../../api/hypermedia/resource.ts';
import { type Presentation, TreeNode } from './treeNode.ts';

/** A request that a resource offers. A click prepares it; nothing is sent without asking. */
export class FormNode extends TreeNode<Form> {
  get form(): Form {
    return this.value;
  }

  /** Where it is sent; undefined for another host, and for a template. */
  get url(): string | undefined {
    return this.value.target.kind === 'internal' ? this.value.target.url : undefined;
  }

  present(): Presentation {
    const { name, title, method, target } = this.value;
    const label = title ?? name;
    const otherHost = target.kind === 'external' ? new URL(target.url).host : undefined;
    const description =
      otherHost === undefined ? method : vscode.l10n.t('{0} to {1}, not from here', method, otherHost);
    return {
      label,
      description,
      tooltip: `${label}\n${method} ${target.kind === 'template' ? target.template : target.url}`,
      icon: new vscode.ThemeIcon(method === 'DELETE' ? 'trash' : method === 'GET' ? 'search' : 'send'),
      accessibilityLabel: vscode.l10n.t('{0}, a request: {1}', label, description),
      contextValue: otherHost === undefined ? 'form' : 'externalForm',
      command:
        otherHost !== undefined
          ? undefined
          : target.kind === 'template'
            ? 'appBuild.openTemplate'
            : 'appBuild.sendRequest',
    };
  }
}
