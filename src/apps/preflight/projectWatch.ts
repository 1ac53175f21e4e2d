import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';

/** Time from the first change of files to what follows: a save, or a tool that builds the pages, changes several. */
const CHANGE_DELAY_MS = 500;
/** Folders that tools fill, and that are never sent. */
const NEVER_SENT = /(?:^|\/)(?:\.git|\.hg|\.svn|node_modules|platforms|plugins)(?:\/|$)/;

/** Tells when files of a project are created, changed or deleted; many changes within a moment are one. */
export class ProjectWatch extends Disposable {
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #timer: NodeJS.Timeout | undefined;

  /** @param project its folder. */
  constructor(project: vscode.Uri) {
    super();
    const watcher = this.register(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(project, '**/*')),
    );
    const follow = ({ path }: vscode.Uri) => {
      if (!NEVER_SENT.test(path.slice(project.path.length))) {
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#changed.fire();
        }, CHANGE_DELAY_MS);
      }
    };
    this.register(watcher.onDidCreate(follow));
    this.register(watcher.onDidChange(follow));
    this.register(watcher.onDidDelete(follow));
    this.register({ dispose: () => clearTimeout(this.#timer) });
  }
}
