import * as vscode from 'vscode';
import { type Look, Row } from './row.ts';

/** A link that leads away from the service: shown as such, opened in a browser after asking, never requested. */
export class ExternalNode extends Row<{ readonly label: string; readonly relation: string; readonly url: string }> {
  /** Absolute http(s) URL. */
  get externalUrl(): string {
    return this.value.url;
  }

  look(): Look {
    const { label, url } = this.value;
    const { host } = new URL(url);
    return {
      label,
      description: vscode.l10n.t('on {0}', host),
      tooltip: url,
      icon: new vscode.ThemeIcon('link-external'),
      spoken: vscode.l10n.t('{0}, a link to {1}', label, host),
      context: 'external',
      command: 'appBuild.openInBrowser',
    };
  }
}
