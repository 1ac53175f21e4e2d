import * as vscode from 'vscode';
import type { Field } from '../../api/hypermedia/resource.ts';
import { statusIcon } from './icons.ts';
import { type Look, Row } from './row.ts';

/** A field of a resource: a leaf that shows its name and value. */
export class FieldNode extends Row<Field> {
  look(): Look {
    const { name, text, value } = this.value;
    return {
      label: name,
      description: text.slice(0, 300),
      tooltip: `${name}: ${text}`.slice(0, 3000),
      icon: statusIcon(value) ?? new vscode.ThemeIcon(value === null ? 'symbol-null' : `symbol-${typeof value}`),
      spoken: `${name}: ${text.slice(0, 300)}`,
      context: 'field',
    };
  }
}
