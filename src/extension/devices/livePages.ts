import type * as vscode from 'vscode';
import { CancelledError } from '../../errors/index.ts';
import type { PackagePlan } from '../../web-project/index.ts';
import { watchProject } from '../preflight/watchProject.ts';
import { Disposable } from '../workbench/disposable.ts';
import { SAVE_PAUSE_MS } from './limits.ts';
import { decodePath } from './previewProblems.ts';
import { copyWebFiles, type CopiedFiles, type WebFiles } from './network/webFiles.ts';

/** Plans the package of a project from its current files. */
export type PlanPages = (signal: AbortSignal) => Promise<PackagePlan>;

/** Receives changes to a project's pages. */
interface PagesFollower {
  /** Shows new pages. Takes ownership of the files, even if it fails. */
  show(files: WebFiles): Promise<void>;
  /** Reports that the current pages can't be shown, so the last good ones stay. An undefined error reports that the problem is solved. */
  failed(error: unknown): void;
}

/** A project's pages as its package would contain them. Rereads them after every change until disposed. */
export class LivePages extends Disposable {
  readonly #plan: PlanPages;
  readonly #controller = new AbortController();
  #latest: CopiedFiles | undefined;
  #follower: PagesFollower | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;

  constructor(plan: PlanPages) {
    super();
    this.#plan = plan;
    this.register({ dispose: () => this.#controller.abort(new CancelledError()) });
  }

  /** Reads the pages for the first time. @throws PackingError; CancelledError */
  async read(): Promise<WebFiles> {
    const { signal } = this.#controller;
    this.#latest = await copyWebFiles(await this.#plan(signal), signal, this.#latest);
    return this.#latest;
  }

  /** Returns the project's file at a path of the app, such as `/js/app.js`. Undefined if a tool makes the file. */
  find(path: string): vscode.Uri | undefined {
    const name = decodePath(path).slice(1);
    const names = [name, `${name}.html`, `${name}index.html`, `${name}/index.html`];
    return names.map((each) => this.#latest?.planned.get(each)?.uri).find((uri) => uri !== undefined);
  }

  /** Starts following changes. @param project folder of the project */
  follow(project: vscode.Uri, follower: PagesFollower): void {
    this.#follower = follower;
    this.register(watchProject(project, SAVE_PAUSE_MS, () => void this.refresh()));
  }

  /** Reads the pages and shows them if they have changed. A change in the meantime starts another read. Never rejects. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readUntilFresh().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readUntilFresh(): Promise<void> {
    const isFollowed = (): boolean => !this.#controller.signal.aborted;
    while (this.#isStale && isFollowed()) {
      this.#isStale = false;
      try {
        const before = this.#latest;
        const files = await this.read();
        if (files !== before) {
          await this.#follower?.show(files);
        }
        this.#follower?.failed(undefined);
      } catch (error) {
        if (isFollowed()) {
          this.#follower?.failed(error);
        }
      }
    }
  }
}
