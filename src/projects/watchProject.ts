import * as vscode from 'vscode';
import { CONFIG_FILE } from './madeConfig.ts';

/** Folders that tools fill, and that are never sent. */
const NEVER_SENT = /(?:^|\/)(?:\.git|\.hg|\.svn|node_modules)(?:\/|$)|^\/(?:platforms|plugins)(?:\/|$)/;

/**
 * Tells that files of a project were created, changed or deleted, or its config.xml was edited.
 *
 * @param project its folder
 * @param pauseMs between the first change and the call: a save, or a tool, changes several files
 */
export function watchProject(project: vscode.Uri, pauseMs: number, changed: () => void): vscode.Disposable {
  /** Undefined while no change waits to be reported. */
  let timer: NodeJS.Timeout | undefined;
  const follow = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, pauseMs);
  };
  const followFile = ({ path }: vscode.Uri) => {
    if (!NEVER_SENT.test(path.slice(project.path.length))) {
      follow();
    }
  };
  const config = vscode.Uri.joinPath(project, CONFIG_FILE).toString();
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(project, '**/*'));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(followFile),
    watcher.onDidChange(followFile),
    watcher.onDidDelete(followFile),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.uri.toString() === config) {
        follow();
      }
    }),
    { dispose: () => clearTimeout(timer) },
  );
}
