/** Another process that serves the same data. */
import { once } from 'node:events';
import * as http from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import type { Builder } from './builds/builder.ts';
import { instanceProof } from './store/instanceProof.ts';
import { createHexSecret, secretsEqual } from './store/secrets.ts';
import type { Store } from './store/store.ts';

/** For a process on the port to answer. */
const PROBE_TIMEOUT_MS = 1_500;
const MAX_ANSWER_BYTES = 1024;

export interface RunningInstance {
  readonly baseUrl: string;
  /** The certificate that it shows, PEM; `undefined` without TLS. */
  readonly certificate: string | undefined;
  readonly pid: number;
  /** Name of what it builds with. */
  readonly builder: Builder['name'];
}

/** What it answers. */
type Answer = Readonly<Partial<Pick<RunningInstance, 'pid' | 'builder'> & { proof: string }>>;

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
    const { proof = '', pid, builder } = JSON.parse(await readText(response)) as Answer;
    return pid !== undefined && builder !== undefined && secretsEqual(proof, instanceProof(store, origin, challenge))
      ? { baseUrl: origin, certificate, pid, builder }
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
