import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { read } from '../workbench/readStored.ts';
import { getProjectKey, type PagesAnswers, type WebProject } from '../../web-project/index.ts';

/** The user's answers to questions about a project, which aren't asked again. */
const PROJECT_ANSWER = z.object({
  /** App ID, used if no file has one. */
  id: z.optional(z.string()),
  /** `always` builds missing or outdated pages without asking. */
  buildsPages: z.optional(z.literal('always')),
  /** Address of the development server. Defaults to the default port of the tool. */
  devServer: z.optional(z.string()),
});

type ProjectAnswer = Readonly<z.infer<typeof PROJECT_ANSWER>>;

/** Prefixes of the keys in the workspace state, followed by the URI of a folder or project. */
const CHOICE_PREFIX = 'webProject ';
const ANSWER_PREFIX = 'projectAnswer ';
const PAGES_PREFIX = 'projectPages ';

/**
 * The user's answers about the projects of a folder, stored for the workspace on this computer. The global state isn't suitable, because VS
 * Code can briefly read outdated values from it after a write.
 */
export class ProjectAnswers {
  readonly #memento: vscode.Memento;

  constructor(workspaceState: vscode.Memento) {
    this.#memento = workspaceState;
  }

  /** Returns the user's answer about the pages folder. */
  readonly pages: PagesAnswers = (uri) => {
    return read(z.string(), this.#memento.get(PAGES_PREFIX + uri.toString()));
  };

  /** Returns the user's answers about a project. */
  get(project: Pick<WebProject, 'uri' | 'app'>): ProjectAnswer {
    return read(PROJECT_ANSWER, this.#memento.get(answersKey(project))) ?? {};
  }

  /** Saves the user's answer about the pages folder. Undefined deletes it. */
  async setPagesFolder(uri: vscode.Uri, pages: string | undefined): Promise<void> {
    await this.#memento.update(PAGES_PREFIX + uri.toString(), pages);
  }

  /** Saves answers about a project. Keeps its other answers. */
  async remember(project: Pick<WebProject, 'uri' | 'app'>, answer: ProjectAnswer): Promise<void> {
    await this.#memento.update(answersKey(project), { ...this.get(project), ...answer });
  }

  /** Returns the {@link getProjectKey} of the project that the user chose in a folder. */
  chosen(folder: vscode.Uri): string | undefined {
    return read(z.string(), this.#memento.get(CHOICE_PREFIX + folder.toString()));
  }

  async choose(folder: vscode.Uri, project: WebProject): Promise<void> {
    await this.#memento.update(CHOICE_PREFIX + folder.toString(), getProjectKey(project));
  }

  /** Deletes the choice of a folder's project, so that the next build asks again. */
  async forgetChoice(folder: vscode.Uri): Promise<void> {
    await this.#memento.update(CHOICE_PREFIX + folder.toString(), undefined);
  }
}

function answersKey({ uri, app }: Pick<WebProject, 'uri' | 'app'>): string {
  return ANSWER_PREFIX + uri.toString() + (app === undefined ? '' : `#${app}`);
}
