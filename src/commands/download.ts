import path from 'node:path';
import * as vscode from 'vscode';
import { saveDownload, type DownloadSource } from '../resources/downloads/saveDownload.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';
import { subjectOf } from './wizard/requestSubject.ts';

export type DownloadDependencies = Pick<CommandDependencies, 'connections' | 'input' | 'notifications'>;

/** The command that saves what a link leads to. */
export function downloadCommands(dependencies: DownloadDependencies) {
  return { 'appBuild.download': (argument) => download(dependencies, argument) } satisfies Handlers;
}

/**
 * Saves what a link leads to, and says where.
 *
 * @param argument what to download, as {@link subjectOf} reads it.
 * @returns the file; undefined when the person decided otherwise.
 */
export async function download(
  { connections, input, notifications }: DownloadDependencies,
  argument: unknown,
): Promise<vscode.Uri | undefined> {
  const { client } = await connections.requireSignedIn();
  const { url } = await subjectOf(argument, { client, input, title: vscode.l10n.t('Download') });
  return saveAndTell({ client, url }, { input, notifications });
}

/** Saves a download, and says where. @returns the file; undefined when the person decided otherwise. */
export async function saveAndTell(
  source: DownloadSource,
  { input, notifications }: Pick<DownloadDependencies, 'input' | 'notifications'>,
): Promise<vscode.Uri | undefined> {
  const file = await saveDownload(source, input);
  if (file !== undefined) {
    const reveal = revealCommand(file);
    notifications.information(
      vscode.l10n.t('{0} is downloaded.', path.posix.basename(file.path)),
      ...(reveal === undefined
        ? []
        : [{ title: vscode.l10n.t('Reveal'), run: () => vscode.commands.executeCommand(reveal, file) }]),
      { title: vscode.l10n.t('Open'), run: () => vscode.commands.executeCommand('vscode.open', file) },
    );
  }
  return file;
}

/** The system's file manager shows only what is on the person's own machine. */
export function revealCommand(file: vscode.Uri): string | undefined {
  const isOnThisMachine =
    file.scheme === 'file' && vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  if (isOnThisMachine) {
    return 'revealFileInOS';
  }
  return vscode.workspace.getWorkspaceFolder(file) === undefined ? undefined : 'revealInExplorer';
}
