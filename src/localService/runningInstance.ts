/** Another process that serves the same data. */
import { once } from 'node:events';
import * as http from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { instanceProof } from './store/instanceProof.ts';
import { createHexSecret, secretsEqual } from './store/secrets.ts';
import type { Store } from './store/store.ts';

/** For a process on the port to answer. */
const PROBE_TIMEOUT_MS = 1_500;
const MAX_ANSWER_BYTES = 1024;

export interface RunningInstance {
  /** The certificate that it shows, PEM; `undefined` without TLS. */
  readonly certificate: string | undefined;
  /** Resolves when the connection ends over which it gave its proof: it may have ended then. */
  readonly closed: Promise<void>;
  /** Closes that connection. */
  release(): void;
}

/**
 * The process at `origin`, when it proves that it serves the same data there; `undefined` when it does not. It learns nothing
 * but a random challenge. Its certificate is not verified: nobody signs the one that a process makes for itself, and what
 * passed the challenge on would have to listen at that same port.
 */
export async function findRunningInstance(store: Store, origin: string): Promise<RunningInstance | undefined> {
  const challenge = createHexSecret(32);
  const { get, Agent } = origin.startsWith('https:') ? await import('./http/tls.ts') : http;
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const request = get(`${origin}/instance?challenge=${challenge}`, { agent, signal });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const { socket } = response;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    const { proof } = JSON.parse(await readText(response)) as { proof?: unknown };
    if (typeof proof === 'string' && secretsEqual(proof, instanceProof(store, origin, challenge))) {
      return { certificate: certificateOf(socket), closed, release: () => agent.destroy() };
    }
  } catch {
    // Whatever answers like this is another program.
  }
  agent.destroy();
  return undefined;
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
