import type * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import type { PackagePlan } from '../projects/packing/packageContents.ts';
import { watchProject } from '../projects/watchProject.ts';
import { Disposable } from '../workbench/disposable.ts';
import { SAVE_PAUSE_MS } from './limits.ts';
import { copyWebFiles, type CopiedFiles, type WebFiles } from './network/webFiles.ts';

/** Plans the package of a project as it is at that time. */
export type PlanPages = (signal: AbortSignal) => Promise<PackagePlan>;

/** Follows the pages of a project. */
export interface PagesFollower {
  /** Shows other pages. It takes the files, also after a failure. */
  show(files: WebFiles): Promise<void>;
  /** The pages can't be shown as they are in the folder; those from before still are. Undefined: now they can. */
  failed(error: unknown): void;
}

/** The pages of a project, as its package would have them, read again after each change until it is disposed. */
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

  /** @param project its folder */
  follow(project: vscode.Uri, follower: PagesFollower): void {
    this.#follower = follower;
    this.register(watchProject(project, SAVE_PAUSE_MS, () => void this.refresh()));
  }

  /** Reads the pages, and shows them if they are others. A change in the meantime has them read once more. Never rejects. */
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
