/** Another process that serves the same data. */
import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

import { instanceProof, LOOPBACK_ADDRESS } from './store/instanceProof.ts';
import { createHexSecret, secretsEqual } from './store/secrets.ts';
import type { Store } from './store/store.ts';

/** For a process on the port to answer. */
const PROBE_TIMEOUT_MS = 3_000;
const MAX_ANSWER_BYTES = 1024;

export interface RunningInstance {
  /** Resolves when the connection ends over which it gave its proof: it may have ended then. */
  readonly closed: Promise<void>;
  /** Closes that connection. */
  release(): void;
}

/**
 * The process at `port`, when it proves that it serves the same data; `undefined` when it does not. It learns nothing but a
 * random challenge.
 */
export async function findRunningInstance(store: Store, port: number): Promise<RunningInstance | undefined> {
  const challenge = createHexSecret(32);
  const agent = new Agent({ keepAlive: true });
  try {
    const request = get({
      agent,
      host: LOOPBACK_ADDRESS,
      port,
      path: `/instance?challenge=${challenge}`,
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const closed = new Promise<void>((resolve) => response.socket.once('close', () => resolve()));
    const { proof } = JSON.parse(await readText(response)) as { proof?: unknown };
    if (typeof proof === 'string' && secretsEqual(proof, instanceProof(store, port, challenge))) {
      return { closed, release: () => agent.destroy() };
    }
  } catch {
    // Whatever answers like this is another program.
  }
  agent.destroy();
  return undefined;
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_ANSWER_BYTES) {
      throw new Error('This is no proof.');
    }
  }
  return text;
}
