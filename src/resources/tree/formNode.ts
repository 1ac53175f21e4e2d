import * as vscode from 'vscode';
import type { Form } from '../../api/hypermedia/resource.ts';
import { type Look, Row } from './row.ts';

/** A request that a resource offers. A click prepares it; nothing is sent without asking. */
export class FormNode extends Row<Form> {
  get form(): Form {
    return this.value;
  }

  /** Where it goes, when that is on the service and needs no values. */
  get url(): string | undefined {
    return this.value.target.kind === 'internal' ? this.value.target.url : undefined;
  }

  look(): Look {
    const { name, title, method, target } = this.value;
    const label = title ?? name;
    const elsewhere = target.kind === 'external' ? new URL(target.url).host : undefined;
    const description =
      elsewhere === undefined ? method : vscode.l10n.t('{0} to {1}, not from here', method, elsewhere);
    return {
      label,
      description,
      tooltip: `${label}\n${method} ${target.kind === 'template' ? target.template : target.url}`,
      icon: new vscode.ThemeIcon(method === 'DELETE' ? 'trash' : method === 'GET' ? 'search' : 'send'),
      spoken: vscode.l10n.t('{0}, a request: {1}', label, description),
      context: elsewhere === undefined ? 'form' : 'externalForm',
      command:
        elsewhere !== undefined
          ? undefined
          : target.kind === 'template'
            ? 'appBuild.openTemplate'
            : 'appBuild.sendRequest',
    };
  }
}
