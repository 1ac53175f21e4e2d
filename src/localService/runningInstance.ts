/** Another process that serves the same data. */
import { once } from 'node:events';
import * as http from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';

import type { Builder } from './builds/builder.ts';
import { StartError } from './startError.ts';
import { DataError, openServedDatabase } from './store/database.ts';
import { lockFolder, prepareFolder } from './store/dataFolder.ts';
import { instanceProof, lastAddress } from './store/instanceProof.ts';
import { createHexSecret, secretsEqual } from './store/secrets.ts';
import { Store } from './store/store.ts';

/** For a process that has the folder to say where it serves: it may have just been started, or be about to end. */
const MAX_WAIT_MS = 12_000;
const RETRY_INTERVAL_MS = 50;

/** For a process on the port to answer. */
const PROBE_TIMEOUT_MS = 1_500;
const MAX_ANSWER_BYTES = 1024;

/** With what a process has proved itself. Whoever knows both can ask it again without the data: nobody else knows the proof. */
export interface InstanceProof {
  readonly challenge: string;
  readonly proof: string;
}

export interface RunningInstance {
  readonly baseUrl: string;
  /** The certificate that it shows, PEM; `undefined` without TLS. */
  readonly certificate: string | undefined;
  /** Name of what it builds with. */
  readonly builder: Builder['name'];
  readonly instance: InstanceProof;
}

/** Another process that serves, and its data, for the caller to close. */
interface OpenedInstance extends RunningInstance {
  readonly store: Store;
}

/**
 * Takes a data folder for this process, or finds the one that serves it.
 *
 * @returns in the first case what gives the folder back
 * @throws DataError for a folder that cannot be used; StartError when the process that has it does not prove itself in time
 */
export async function takeFolder(folder: string, maxWaitMs = MAX_WAIT_MS): Promise<(() => void) | OpenedInstance> {
  prepareFolder(folder);
  const deadline = performance.now() + maxWaitMs;
  do {
    const taken = lockFolder(folder) ?? (await findServing(folder));
    if (taken !== undefined) {
      return taken;
    }
    await setTimeout(RETRY_INTERVAL_MS);
  } while (performance.now() < deadline);
  throw new StartError(
    `Another process uses the data folder ${folder}, and does not answer. End it, or name another folder with --data.`,
  );
}

/** @returns `undefined` for a process that has not begun to serve, or has ended */
async function findServing(folder: string): Promise<OpenedInstance | undefined> {
  let store: Store | undefined;
  try {
    const database = openServedDatabase(folder);
    store = database && new Store(database);
    const address = store && lastAddress(store);
    const instance = store && address ? await findRunningInstance(store, address) : undefined;
    if (store !== undefined && instance !== undefined) {
      return { ...instance, store };
    }
  } catch (error) {
    if (error instanceof DataError) {
      throw error;
    }
    // It is being made.
  }
  store?.close();
  return undefined;
}

/** What it answers. */
type Answer = Readonly<Partial<Pick<RunningInstance, 'builder'> & Pick<InstanceProof, 'proof'>>>;

/**
 * The process at `origin`, when it proves that it serves the same data there; `undefined` when it does not. It learns nothing
 * but a random challenge. Its certificate is not verified: nobody signs the one that a process makes for itself, and what
 * passed the challenge on would have to listen at that same port.
 */
export async function findRunningInstance(store: Store, origin: string): Promise<RunningInstance | undefined> {
  const challenge = createHexSecret(32);
  const { get } = origin.startsWith('https:') ? await import('./http/tls.ts') : http;
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const url = `${origin}/instance?challenge=${challenge}`;
    const request = get(url, { agent: false, rejectUnauthorized: false, signal });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const certificate = certificateOf(response.socket);
    const { proof = '', builder } = JSON.parse(await readText(response)) as Answer;
    return builder !== undefined && secretsEqual(proof, instanceProof(store, origin, challenge))
      ? { baseUrl: origin, certificate, builder, instance: { challenge, proof } }
      : undefined;
  } catch {
    // Whatever answers like this is another program.
    return undefined;
  }
}

function certificateOf(socket: Socket): string | undefined {
  return (socket as Partial<TLSSocket>).getPeerX509Certificate?.()?.toString();
}

async function readText(response: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_ANSWER_BYTES) {
      throw new Error('This is no proof.');
    }
  }
  return text;
}
