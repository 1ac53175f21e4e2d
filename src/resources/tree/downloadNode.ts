import * as vscode from 'vscode';
import type { Linked } from './node.ts';
import { type Look, Row } from './row.ts';

interface File {
  readonly label: string;
  /** Absolute, on the service's origin. */
  readonly url: string;
  /** Media type, as far as it is known. */
  readonly type: string | undefined;
  readonly bytes?: number;
}

/** A file: it is saved, or shown when it is an image, and never read as a resource. */
export class DownloadNode extends Row<File> implements Linked {
  get url(): string {
    return this.value.url;
  }

  look(): Look {
    const { label, url, type, bytes } = this.value;
    const isImage = type?.toLowerCase().startsWith('image/') ?? false;
    return {
      label,
      description: [type, bytes === undefined ? undefined : vscode.l10n.t('{0} bytes', bytes)]
        .filter((part) => part !== undefined)
        .join(' · '),
      tooltip: `${label}\n${url}`,
      icon: new vscode.ThemeIcon(isImage ? 'file-media' : 'cloud-download'),
      spoken: vscode.l10n.t('{0}, a file to download', label),
      context: 'download',
      command: isImage ? 'appBuild.openAsJson' : 'appBuild.download',
    };
  }
}
