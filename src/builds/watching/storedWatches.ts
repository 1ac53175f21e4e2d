import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { read } from '../../workbench/readStored.ts';
import { MAX_WATCH_AGE_MS } from '../limits.ts';
import { WATCHED_PREFIX } from '../names.ts';

/** A watched build as it is stored: enough to ask for it again. */
const STORED_WATCH = z.object({
  title: z.string(),
  platforms: z.array(z.string()),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});

interface StoredWatch extends z.infer<typeof STORED_WATCH> {
  /** Path of the app at the service, without a query, which may hold a secret. */
  readonly path: string;
}

/** The builds that this window watches, in the state of its workspace, so that it goes on after a reload. */
export class StoredWatches {
  readonly #state: vscode.Memento;

  constructor(workspaceState: vscode.Memento) {
    this.#state = workspaceState;
  }

  of(account: string, now: number): readonly StoredWatch[] {
    const prefix = watchKey(account, '');
    return this.#state
      .keys()
      .filter((key) => key.startsWith(prefix))
      .map((key) => ({ path: key.slice(prefix.length), watch: read(STORED_WATCH, this.#state.get(key)) }))
      .flatMap(({ path, watch }) =>
        watch !== undefined && now - watch.startedAt < MAX_WATCH_AGE_MS ? [{ path, ...watch }] : [],
      );
  }

  async add(account: string, { path, title, platforms, startedAt }: StoredWatch): Promise<void> {
    await this.#state.update(watchKey(account, path), { title, platforms, startedAt });
  }

  async delete(account: string, path: string): Promise<void> {
    await this.#state.update(watchKey(account, path), undefined);
  }
}

function watchKey(account: string, path: string): string {
  return `${WATCHED_PREFIX}${account}|${path}`;
}
