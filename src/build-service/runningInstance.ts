/** Determines which process serves a data folder: this one or one that already uses it. */
import { once } from 'node:events';
import { get as getByHttp, type IncomingMessage } from 'node:http';
import { get as getByHttps } from 'node:https';
import { setTimeout } from 'node:timers/promises';

import type { Hono } from 'hono';

import { HttpError } from './http/errors.ts';
import { INSTANCE_TIMEOUT_MS, OTHER_PROCESS_TIMEOUT_MS } from './limits.ts';
import type { Service } from './service.ts';
import { openServedDatabase, StartError } from './store/database.ts';
import { lockFolder, prepareFolder } from './store/dataFolder.ts';
import { readServiceRow } from './store/owner.ts';
import { createHexSecret } from './store/secrets.ts';
import { instanceProof, Store } from './store/store.ts';

const RETRY_INTERVAL_MS = 50;

/**
 * A random challenge, and the proof that the serving process returns for it. A program that knows both can later verify
 * that a process with the same data is listening, because no other program can compute the proof.
 */
export interface InstanceProof {
  readonly challenge: string;
  readonly proof: string;
}

/** The service in another process. */
interface RunningInstance {
  readonly baseUrl: string;
  readonly instance: InstanceProof;
  /** The service's data. The caller must close it. */
  readonly store: Store;
}

/**
 * Locks a data folder for this process, or finds the process that serves it.
 *
 * @returns a function that unlocks the folder, or the running instance
 * @throws StartError if the folder can't be used, or if the other process doesn't announce its address in time
 */
export async function claimFolder(
  folder: string,
  maxWaitMs = OTHER_PROCESS_TIMEOUT_MS,
): Promise<(() => void) | RunningInstance> {
  prepareFolder(folder);
  const deadline = performance.now() + maxWaitMs;
  do {
    const taken = lockFolder(folder) ?? (await findRunningInstance(folder));
    if (taken !== undefined) {
      return taken;
    }
    await setTimeout(RETRY_INTERVAL_MS);
  } while (performance.now() < deadline);
  throw new StartError(
    `Another process uses the data folder ${folder} but doesn’t respond. Stop it, or specify another folder with --data.`,
  );
}

/** Adds `GET /instance?challenge=<64 hexadecimal digits>`. @param origin origin of this process */
export function addInstanceRoute(app: Hono, { store }: Service, origin: string): void {
  app.get('/instance', (c) => {
    const challenge = c.req.query('challenge') ?? '';
    if (!/^[0-9a-f]{64}$/.test(challenge)) {
      throw new HttpError(400, 'The challenge must be 64 hexadecimal digits.');
    }
    return c.json({ proof: instanceProof(store, origin, challenge) });
  });
}

/**
 * Returns the service that another process is running, if any.
 *
 * @returns `undefined` if that process hasn't started serving yet or has stopped
 */
async function findRunningInstance(folder: string): Promise<RunningInstance | undefined> {
  let store: Store | undefined;
  try {
    const database = openServedDatabase(folder);
    store = database && new Store(database);
    const baseUrl = store && readServiceRow(store).address;
    if (store !== undefined && baseUrl) {
      const challenge = createHexSecret(32);
      const instance = { challenge, proof: instanceProof(store, baseUrl, challenge) };
      if (await isServing(baseUrl, instance)) {
        return { baseUrl, store, instance };
      }
    }
  } catch (error) {
    if (error instanceof StartError) {
      throw error;
    }
    // The other process is still creating its data.
  }
  store?.close();
  return undefined;
}

/**
 * Reports whether a process with the same data responds at an address. A killed process leaves its address in the data,
 * and any program may use its port.
 */
async function isServing(baseUrl: string, { challenge, proof }: InstanceProof): Promise<boolean> {
  const signal = AbortSignal.timeout(INSTANCE_TIMEOUT_MS);
  const get = baseUrl.startsWith('https:') ? getByHttps : getByHttp;
  try {
    // The proof replaces the check of the certificate, which only the other process knows.
    const options = { agent: false, rejectUnauthorized: false, signal };
    const request = get(`${baseUrl}/instance?challenge=${challenge}`, options);
    const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
    // A valid response fits into one chunk. Another program's response may be endless.
    const [chunk] = (await once(response, 'data', { signal })) as [Buffer];
    request.destroy();
    return (JSON.parse(chunk.toString()) as Partial<InstanceProof> | null)?.proof === proof;
  } catch {
    return false;
  }
}
