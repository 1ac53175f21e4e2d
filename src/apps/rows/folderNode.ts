import * as vscode from 'vscode';
import type { GetResource, NodeContent, TreeContext } from '../../resources/tree/expandableNode.ts';
import { NoteNode } from '../../resources/tree/noteNode.ts';
import type { Presentation } from '../../resources/tree/treeNode.ts';
import type { FolderApp } from '../folderApps.ts';
import { isGone } from '../folderErrors.ts';
import { AppNode } from './appNode.ts';
import { contextValue, type RowContext } from './rowContext.ts';

interface Shown {
  readonly folder: vscode.WorkspaceFolder;
  readonly app: FolderApp;
  readonly expanded: boolean;
}

/** A folder of the workspace, as the app that it is built as. */
export class FolderNode extends AppNode {
  readonly folder: vscode.WorkspaceFolder;

  constructor({ folder, app, expanded }: Shown, context: TreeContext, rows: RowContext) {
    const linked = { url: app.url, label: app.title, relation: 'app', expanded };
    super(undefined, `folder ${folder.uri.toString()} ${app.url}`, linked, context, rows);
    this.folder = folder;
  }

  /** For commands about folders. */
  get uri(): vscode.Uri {
    return this.folder.uri;
  }

  override present(): Presentation {
    const { name } = this.folder;
    const app = super.present();
    if (isGone(this.failure)) {
      return {
        ...app,
        label: name,
        description: vscode.l10n.t('“{0}” is gone', this.value.label),
        tooltip: vscode.l10n.t(
          'The app “{0}”, which this folder is built as, is not at the service.',
          this.value.label,
        ),
        accessibilityLabel: undefined,
        icon: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
        contextValue: contextValue('app', { folder: true, linked: true }),
      };
    }
    return {
      ...app,
      label: name,
      description: [app.label, app.description].filter(Boolean).join(' · '),
      tooltip: [vscode.l10n.t('The folder {0} is built as this app:', name), app.tooltip].join('\n'),
      accessibilityLabel: vscode.l10n.t('Folder {0}, built as {1}', name, app.accessibilityLabel ?? app.label),
    };
  }

  protected override get linkFlags(): Readonly<Record<string, boolean>> {
    return { folder: true, linked: true };
  }

  protected override async loadContent(get: GetResource): Promise<NodeContent> {
    const content = await super.loadContent(get);
    if (content.kind === 'failure' && isGone(content.error)) {
      const text = vscode.l10n.t('The service has no such app any more');
      const description = vscode.l10n.t('Select to unlink the folder');
      return {
        kind: 'failure',
        error: content.error,
        nodes: [new UnlinkNode(this, '=gone', { text, description, icon: 'link', command: 'appBuild.unlinkFolder' })],
      };
    }
    return content;
  }
}

/** Offers to unlink the folder above it. */
class UnlinkNode extends NoteNode {
  get uri(): vscode.Uri | undefined {
    return this.parent instanceof FolderNode ? this.parent.uri : undefined;
  }
}
