/** Which process serves a data folder: this one, or one that has it already. */
import { setTimeout } from 'node:timers/promises';

import type { Hono } from 'hono';

import { HttpError } from './http/errors.ts';
import { OTHER_PROCESS_TIMEOUT_MS } from './limits.ts';
import type { Service } from './service.ts';
import { openServedDatabase, StartError } from './store/database.ts';
import { lockFolder, prepareFolder } from './store/dataFolder.ts';
import { readServiceRow } from './store/owner.ts';
import { createHexSecret } from './store/secrets.ts';
import { instanceProof, Store } from './store/store.ts';

const RETRY_INTERVAL_MS = 50;

/**
 * A random challenge, and what the process that serves the folder answers to it. A program that knows both can find out whether that
 * process still serves there: nothing else that may listen at its port later knows the answer.
 */
export interface InstanceProof {
  readonly challenge: string;
  readonly proof: string;
}

/** The service of another process. */
interface RunningInstance {
  readonly baseUrl: string;
  readonly instance: InstanceProof;
  /** Its data, for the caller to close. */
  readonly store: Store;
}

/**
 * Takes a data folder for this process, or finds the one that serves it.
 *
 * @returns in the first case what gives the folder back
 * @throws StartError for a folder that cannot be used, and when the process that has it doesn't announce its address in time
 */
export async function takeFolder(
  folder: string,
  maxWaitMs = OTHER_PROCESS_TIMEOUT_MS,
): Promise<(() => void) | RunningInstance> {
  prepareFolder(folder);
  const deadline = performance.now() + maxWaitMs;
  do {
    const taken = lockFolder(folder) ?? findRunningInstance(folder);
    if (taken !== undefined) {
      return taken;
    }
    await setTimeout(RETRY_INTERVAL_MS);
  } while (performance.now() < deadline);
  throw new StartError(
    `Another process uses the data folder ${folder}, and does not answer. End it, or name another folder with --data.`,
  );
}

/** Adds `GET /instance?challenge=<64 hexadecimal digits>`. `origin` is that of this process. */
export function addInstanceRoute(app: Hono, { store }: Service, origin: string): void {
  app.get('/instance', (c) => {
    const challenge = c.req.query('challenge') ?? '';
    if (!/^[0-9a-f]{64}$/.test(challenge)) {
      throw new HttpError(400, 'The challenge must be 64 hexadecimal digits.');
    }
    return c.json({ proof: instanceProof(store, origin, challenge) });
  });
}

/** @returns `undefined` for a process that does not serve yet, or no longer */
function findRunningInstance(folder: string): RunningInstance | undefined {
  let store: Store | undefined;
  try {
    const database = openServedDatabase(folder);
    store = database && new Store(database);
    const baseUrl = store && readServiceRow(store).address;
    if (store !== undefined && baseUrl) {
      const challenge = createHexSecret(32);
      return { baseUrl, store, instance: { challenge, proof: instanceProof(store, baseUrl, challenge) } };
    }
  } catch (error) {
    if (error instanceof StartError) {
      throw error;
    }
    // The data are being made.
  }
  store?.close();
  return undefined;
}
