import * as vscode from 'vscode';
import type { Field } from '../../api/hypermedia/resource.ts';
import { statusIcon } from './icons.ts';
import { type Presentation, TreeNode } from './treeNode.ts';

/** Characters of a value that are shown beside its name; the tooltip has more. */
const MAX_DESCRIPTION_LENGTH = 300;

/** A field of a resource: its name and value. */
export class FieldNode extends TreeNode<Field> {
  present(): Presentation {
    const { name, text, value } = this.value;
    const start = text.slice(0, MAX_DESCRIPTION_LENGTH);
    return {
      label: name,
      description: start,
      tooltip: `${name}: ${text}`,
      icon: statusIcon(value) ?? new vscode.ThemeIcon(value === null ? 'symbol-null' : `symbol-${typeof value}`),
      accessibilityLabel: `${name}: ${start}`,
      contextValue: 'field',
    };
  }
}
