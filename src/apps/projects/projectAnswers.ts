import type * as vscode from 'vscode';
import { textMember } from './json.ts';
import { keyOfProject, type PagesAnswers, type WebProject } from './projectSearch.ts';

/** What a person has said about a project, and is not asked again. */
export interface ProjectAnswer {
  /** ID of an app that no file gives one. */
  readonly id?: string | undefined;
  /** Folder of the pages below the project, where a configuration says it by an expression. */
  readonly pages?: string | undefined;
  /** `always`: pages that are absent or old are built without a question. */
  readonly buildsPages?: 'always' | undefined;
}

/** Followed by the address of a folder, or of a project. */
const CHOICE_PREFIX = 'webProject ';
const ANSWER_PREFIX = 'projectAnswer ';

/**
 * What was asked once about the projects of a folder. Kept for the workspace, on this machine. The state that all windows share is
 * no place for it: for a moment, VS Code reads there what an earlier write has left.
 */
export class ProjectAnswers {
  readonly #memento: vscode.Memento;

  constructor(workspaceState: vscode.Memento) {
    this.#memento = workspaceState;
  }

  /** Where a person has said that the pages are. */
  readonly pages: PagesAnswers = (uri) => {
    const pages = textMember(this.#memento.get(ANSWER_PREFIX + uri.toString()), 'pages');
    return pages === undefined ? undefined : { pages };
  };

  of(project: Pick<WebProject, 'uri' | 'app'>): ProjectAnswer {
    const stored = this.#memento.get(keyOf(project));
    const always = textMember(stored, 'buildsPages') === 'always' ? ('always' as const) : undefined;
    return { id: textMember(stored, 'id'), pages: textMember(stored, 'pages'), buildsPages: always };
  }

  async keep(project: Pick<WebProject, 'uri' | 'app'>, answer: ProjectAnswer): Promise<void> {
    await this.#memento.update(keyOf(project), { ...this.of(project), ...answer });
  }

  /** The project of a folder that was chosen among several, by {@link keyOfProject}. */
  chosen(folder: vscode.Uri): string | undefined {
    const key = this.#memento.get(CHOICE_PREFIX + folder.toString());
    return typeof key === 'string' ? key : undefined;
  }

  async choose(folder: vscode.Uri, project: WebProject): Promise<void> {
    await this.#memento.update(CHOICE_PREFIX + folder.toString(), keyOfProject(project));
  }

  /** Forgets which project of a folder is meant: the next build asks. */
  async forgetChoice(folder: vscode.Uri): Promise<void> {
    await this.#memento.update(CHOICE_PREFIX + folder.toString(), undefined);
  }
}

function keyOf({ uri, app }: Pick<WebProject, 'uri' | 'app'>): string {
  return ANSWER_PREFIX + uri.toString() + (app === undefined ? '' : `#${app}`);
}
