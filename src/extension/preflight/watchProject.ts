import * as vscode from 'vscode';
import { CONFIG_FILE } from '../../web-project/index.ts';

/** Matches folders that tools fill and that are never packaged. */
const NEVER_SENT = /(?:^|\/)(?:\.git|\.hg|\.svn|node_modules)(?:\/|$)|^\/(?:platforms|plugins)(?:\/|$)/;

/**
 * Calls `changed` when a project's files are created, changed, or deleted, or when its config.xml is edited.
 *
 * @param project the URI of the project folder
 * @param pauseMs the delay between the first change and the call, because saving or running a tool often changes
 * several files
 */
export function watchProject(project: vscode.Uri, pauseMs: number, changed: () => void): vscode.Disposable {
  /** Undefined if no change is pending. */
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
