import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import type { Anonymiser } from './anonymiser.ts';
import type { Manifest } from './manifest.ts';
import type { Fact } from './report.ts';

/** Remote windows that VS Code and its own extensions make; the name of another kind may hold a host. */
const REMOTE_KINDS = [
  'attached-container',
  'codespaces',
  'dev-container',
  'k8s-container',
  'ssh-remote',
  'tunnel',
  'wsl',
];

/** Versions, and the window that the extension runs in. */
export function environmentFacts(
  { packageJSON, extensionKind }: vscode.Extension<unknown>,
  anonymiser: Anonymiser,
): readonly Fact[] {
  const { appName, appHost, language, remoteName, uiKind } = vscode.env;
  const { workspaceFolders = [] } = vscode.workspace;
  const virtual = workspaceFolders.filter(({ uri }) => uri.scheme !== 'file').length;
  const remote = remoteName === undefined ? 'none' : REMOTE_KINDS.includes(remoteName) ? remoteName : 'of another kind';
  const outside = (text: string) => anonymiser.hideInValue(text);
  return [
    ['Extension', outside((packageJSON as Manifest).version)],
    ['VS Code', `${outside(vscode.version)} (${outside(appName)})`],
    ['Runs in', `${uiKind === vscode.UIKind.Web ? 'a browser' : 'a desktop window'}, host ${outside(appHost)}`],
    ['Remote', remote],
    ['Extension runs', extensionKind === vscode.ExtensionKind.UI ? 'beside the window' : 'where the folders are'],
    ['System', `${platform()} ${/^\d+(\.\d+)*/.exec(release())?.[0] ?? ''} ${arch()}`],
    ['Node.js', process.versions.node],
    ['Language', outside(language)],
    [
      'Folders',
      `${workspaceFolders.length}, of which ${virtual} virtual; ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}`,
    ],
  ];
}
