import type * as vscode from 'vscode';
import { textMember } from './projectJson.ts';
import { keyOfProject, type PagesAnswers, type WebProject } from './projectSearch.ts';

/** A person's answers about a project, which are not asked for again. */
interface ProjectAnswer {
  /** ID of an app that no file gives one. */
  readonly id?: string | undefined;
  /** `always`: pages that are absent or old are built without a question. */
  readonly buildsPages?: 'always' | undefined;
}

/** Followed by the address of a folder, or of a project. */
const CHOICE_PREFIX = 'webProject ';
const ANSWER_PREFIX = 'projectAnswer ';
const PAGES_PREFIX = 'projectPages ';

/**
 * What was asked once about the projects of a folder. Kept for the workspace, on this machine. The state that all windows share is
 * no place for it: for a moment, VS Code reads there what an earlier write has left.
 */
export class ProjectAnswers {
  readonly #memento: vscode.Memento;

  constructor(workspaceState: vscode.Memento) {
    this.#memento = workspaceState;
  }

  /** Where the pages are, by a person's answer. */
  readonly pages: PagesAnswers = (uri) => {
    const pages = this.#memento.get(PAGES_PREFIX + uri.toString());
    return typeof pages === 'string' ? pages : undefined;
  };

  of(project: Pick<WebProject, 'uri' | 'app'>): ProjectAnswer {
    const stored = this.#memento.get(answersKey(project));
    const always = textMember(stored, 'buildsPages') === 'always' ? ('always' as const) : undefined;
    return { id: textMember(stored, 'id'), buildsPages: always };
  }

  /** Where the pages of a folder are; undefined forgets it. */
  async keepPages(uri: vscode.Uri, pages: string | undefined): Promise<void> {
    await this.#memento.update(PAGES_PREFIX + uri.toString(), pages);
  }

  async keep(project: Pick<WebProject, 'uri' | 'app'>, answer: ProjectAnswer): Promise<void> {
    await this.#memento.update(answersKey(project), { ...this.of(project), ...answer });
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

function answersKey({ uri, app }: Pick<WebProject, 'uri' | 'app'>): string {
  return ANSWER_PREFIX + uri.toString() + (app === undefined ? '' : `#${app}`);
}
