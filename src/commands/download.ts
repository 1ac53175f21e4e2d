import path from 'node:path';
import * as vscode from 'vscode';
import type { Connections } from '../auth/connection.ts';
import { saveDownload } from '../resources/downloads/saveDownload.ts';
import type { Dialogs } from '../workbench/dialogs.ts';
import type { Notifications } from '../workbench/notifications.ts';
import type { Handlers } from './registry.ts';
import { subjectOf } from './wizard/requestSubject.ts';
import { signedIn } from './signedIn.ts';

interface Parts {
  readonly connections: Connections;
  readonly dialogs: Dialogs;
  readonly notifications: Notifications;
}

/** The command that saves what a link leads to. */
export function downloadCommands({ connections, dialogs, notifications }: Parts) {
  return {
    'appBuild.download': async (argument) => {
      const { client } = await signedIn(connections);
      const { url } = await subjectOf(argument, client, vscode.l10n.t('Download'));
      const file = await saveDownload({ client, url }, dialogs);
      if (file !== undefined) {
        announce(file).catch((error: unknown) => notifications.failure('Showing a download', error));
      }
      return file;
    },
  } satisfies Handlers;
}

/** Says where the file is, with what one does next. */
async function announce(file: vscode.Uri): Promise<void> {
  const reveal = vscode.l10n.t('Reveal');
  const open = vscode.l10n.t('Open');
  const revealing = revealCommand(file);
  const message = vscode.l10n.t('{0} is downloaded.', path.posix.basename(file.path));
  const chosen = await vscode.window.showInformationMessage(
    message,
    ...(revealing === undefined ? [] : [reveal]),
    open,
  );
  if (chosen === open) {
    await vscode.commands.executeCommand('vscode.open', file);
  } else if (chosen === reveal && revealing !== undefined) {
    await vscode.commands.executeCommand(revealing, file);
  }
}

/** The system's file manager shows only what is on the person's own machine. */
function revealCommand(file: vscode.Uri): string | undefined {
  const here =
    file.scheme === 'file' && vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  if (here) {
    return 'revealFileInOS';
  }
  return vscode.workspace.getWorkspaceFolder(file) === undefined ? undefined : 'revealInExplorer';
}
