import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';

/** Time without a change after which what has changed is told: a save, or a tool that makes the pages, changes several files. */
const QUIET_MS = 500;
/** Time after which it is told though something goes on changing, as while a person types. */
const MAX_DELAY_MS = 5_000;
/** Folders that tools fill, and that are never sent. */
const NEVER_SENT = /(?:^|\/)(?:\.git|\.hg|\.svn|node_modules)(?:\/|$)|^\/(?:platforms|plugins)(?:\/|$)/;

/** Tells when files of a project are created, changed or deleted, and when its config.xml is edited. */
export class ProjectWatch extends Disposable {
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds since 1970; undefined when all changes are told. */
  #firstChange: number | undefined;

  /** @param project its folder. */
  constructor(project: vscode.Uri) {
    super();
    const config = vscode.Uri.joinPath(project, 'config.xml').toString();
    const watcher = this.register(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(project, '**/*')),
    );
    const follow = ({ path }: vscode.Uri) => {
      if (!NEVER_SENT.test(path.slice(project.path.length))) {
        this.#follow();
      }
    };
    this.register(watcher.onDidCreate(follow));
    this.register(watcher.onDidChange(follow));
    this.register(watcher.onDidDelete(follow));
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.toString() === config) {
          this.#follow();
        }
      }),
    );
    this.register({ dispose: () => clearTimeout(this.#timer) });
  }

  #follow(): void {
    clearTimeout(this.#timer);
    this.#firstChange ??= Date.now();
    const delay = Math.min(QUIET_MS, this.#firstChange + MAX_DELAY_MS - Date.now());
    this.#timer = setTimeout(() => {
      this.#firstChange = undefined;
      this.#changed.fire();
    }, delay);
  }
}
