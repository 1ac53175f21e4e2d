import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { read } from '../workbench/readStored.ts';
import { keyOfProject, type PagesAnswers, type WebProject } from './projectSearch.ts';

/** The user's answers about a project, which aren't asked for again. */
const PROJECT_ANSWER = z.object({
  /** App ID, if no file has one. */
  id: z.optional(z.string()),
  /** `always`: missing or outdated pages are built without asking. */
  buildsPages: z.optional(z.literal('always')),
  /** Address of the development server; without it, the default port of the tool counts. */
  devServer: z.optional(z.string()),
});

type ProjectAnswer = Readonly<z.infer<typeof PROJECT_ANSWER>>;

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
    return read(z.string(), this.#memento.get(PAGES_PREFIX + uri.toString()));
  };

  of(project: Pick<WebProject, 'uri' | 'app'>): ProjectAnswer {
    return read(PROJECT_ANSWER, this.#memento.get(answersKey(project))) ?? {};
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
    return read(z.string(), this.#memento.get(CHOICE_PREFIX + folder.toString()));
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
