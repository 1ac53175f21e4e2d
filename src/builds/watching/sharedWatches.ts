import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { SharedState } from '../../workbench/sharedState.ts';
import { WATCHED_PREFIX } from '../names.ts';

/** A watched build as it is stored: enough to ask for it again. */
export interface StoredWatch {
  /** Path of the app at the service, without a query, which may hold a secret. */
  readonly path: string;
  readonly title: string;
  readonly platforms: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** A build that has not been seen to end is forgotten after this time. */
const MAX_WATCH_AGE_MS = 24 * 60 * 60_000;
const MAX_CLAIM_AGE_MS = 7 * MAX_WATCH_AGE_MS;

/**
 * The watched builds of all windows: the global state has them, so that a window that is loaded goes on with
 * them; and a file for each end says that some window has notified of it.
 */
export class SharedWatches {
  readonly #state: SharedState;
  readonly #claims: string;

  /** @param claims path of a folder that all windows share; it is made when it is needed. */
  constructor(globalState: vscode.Memento, claims: string) {
    this.#state = new SharedState(globalState);
    this.#claims = claims;
  }

  of(account: string, now: number): readonly StoredWatch[] {
    const prefix = watchKey(account, '');
    return this.#state
      .keys()
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => {
        const watch = toWatch(key.slice(prefix.length), this.#state.get(key));
        return watch !== undefined && now - watch.startedAt < MAX_WATCH_AGE_MS ? [watch] : [];
      });
  }

  async add(account: string, { path: appPath, title, platforms, startedAt }: StoredWatch): Promise<void> {
    await this.#state.update(watchKey(account, appPath), { title, platforms, startedAt });
  }

  async delete(account: string, appPath: string): Promise<void> {
    await this.#state.update(watchKey(account, appPath), undefined);
  }

  /** Claims the notification of an end. @returns true in one window; also where no file can be written */
  async claim({ path: appPath, startedAt }: Pick<StoredWatch, 'path' | 'startedAt'>): Promise<boolean> {
    // Paths of apps are of no use to other programs: the name does not show them.
    const name = createHash('sha256').update(`${appPath} ${startedAt}`).digest('hex');
    try {
      await mkdir(this.#claims, { recursive: true });
      await this.#deleteOldClaims();
      await (await open(path.join(this.#claims, name), 'wx', 0o600)).close();
      return true;
    } catch (error) {
      return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
    }
  }

  async #deleteOldClaims(): Promise<void> {
    for (const name of await readdir(this.#claims)) {
      const file = path.join(this.#claims, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > MAX_CLAIM_AGE_MS) {
        await rm(file, { force: true });
      }
    }
  }
}

function watchKey(account: string, appPath: string): string {
  return `${WATCHED_PREFIX}${account}|${appPath}`;
}

/** The global state is written by every version of this extension. */
function toWatch(appPath: string, value: unknown): StoredWatch | undefined {
  const { title, platforms, startedAt } = (value ?? {}) as Partial<Record<keyof StoredWatch, unknown>>;
  return typeof title === 'string' &&
    typeof startedAt === 'number' &&
    Array.isArray(platforms) &&
    platforms.every((platform) => typeof platform === 'string')
    ? { path: appPath, title, platforms, startedAt }
    : undefined;
}
