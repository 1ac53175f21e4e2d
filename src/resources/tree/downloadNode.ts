import * as vscode from 'vscode';
import { spokenText } from '../../workbench/spokenText.ts';
import { sizeText } from '../../workbench/values.ts';
import { type LinkedNode, type Presentation, TreeNode } from './treeNode.ts';

interface LinkedFile {
  readonly label: string;
  /** Shown beside the label, the most telling first. */
  readonly notes?: readonly string[];
  /** Absolute, on the service's origin. */
  readonly url: string;
  /** Media type, when it is known. */
  readonly type: string | undefined;
  readonly sizeBytes?: number;
}

/** A file: it is saved, or shown when it is an image, and never read as a resource. */
export class DownloadNode extends TreeNode<LinkedFile> implements LinkedNode {
  get url(): string {
    return this.value.url;
  }

  present(): Presentation {
    const { label, notes = [], url, type, sizeBytes } = this.value;
    const description = [...notes, type, sizeBytes === undefined ? undefined : sizeText(sizeBytes)]
      .filter((part) => part !== undefined)
      .join(' · ');
    const isImage = type?.toLowerCase().startsWith('image/') ?? false;
    return {
      label,
      description,
      tooltip: `${label}\n${url}`,
      icon: new vscode.ThemeIcon(isImage ? 'file-media' : 'cloud-download'),
      accessibilityLabel: vscode.l10n.t('{0}, a file to download', spokenText([label, description])),
      contextValue: 'download',
      command: isImage ? 'appBuild.openResource' : 'appBuild.download',
    };
  }
}
