/** A TCP proxy in front of a real service. It damages the data with the toxics of Shopify's toxiproxy. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { listen } from '../support/listen.ts';

/** Faults in one direction of a connection. */
export interface Toxics {
  /** Delay before each chunk of data, in ms. */
  readonly latency?: number;
  readonly bytesPerSecond?: number;
  /** Maximum size of a chunk, in bytes. */
  readonly slice?: number;
  /** Number of bytes to forward. The rest is dropped. */
  readonly limit?: number;
  /** Action after `limit`: an orderly end, a reset (RST), or nothing. */
  readonly then?: 'end' | 'reset' | 'silence';
}

export interface FaultProxy {
  readonly url: string;
  readonly port: number;
  /** Changes the faults of future connections. */
  spoil(directions: { readonly toClient?: Toxics; readonly toService?: Toxics }): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy to 127.0.0.1:`target`. The local service responds only to its own host name, so the proxy replaces its own port in
 * requests with the service's.
 */
export async function startFaultProxy(target: number): Promise<FaultProxy> {
  let toClient: Toxics = {};
  let toService: Toxics = {};
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const service = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        // If the service stops, its clients' connections end.
        other.destroySoon();
      });
    }
    const rename = (bytes: Buffer): Buffer =>
      Buffer.from(bytes.toString('latin1').replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${target}`), 'latin1');
    void pump(client, service, toService, rename);
    void pump(service, client, toClient);
  });
  const { port, close } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    spoil: (directions) => {
      toClient = directions.toClient ?? {};
      toService = directions.toService ?? {};
    },
    close,
  };
}

async function pump(
  from: Socket,
  to: Socket,
  toxics: Toxics,
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<void> {
  const { latency = 0, bytesPerSecond = Infinity, limit = Infinity } = toxics;
  const slice = toxics.slice ?? Math.max(1, bytesPerSecond / 20);
  const closed = new AbortController();
  to.once('close', () => closed.abort());
  const { signal } = closed;
  let remaining = limit;
  try {
    // Silence keeps the connection open, so leaving the loop must not end it.
    for await (const chunk of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const bytes = change(chunk);
      for (let at = 0; at < bytes.length && remaining > 0; at += slice) {
        const piece = bytes.subarray(at, Math.min(bytes.length, at + slice, at + remaining));
        const pause = latency + (1000 * piece.length) / bytesPerSecond;
        await (pause === 0 ? nextTurn() : sleep(pause, undefined, { signal }));
        if (!to.write(piece)) {
          await once(to, 'drain', { signal });
        }
        remaining -= piece.length;
      }
      if (remaining === 0) {
        break;
      }
    }
    await finish(to, remaining === 0 ? toxics.then : 'end');
  } catch {
    // One of the two connections is closed; its events close the other one.
  }
}

async function finish(to: Socket, how: Toxics['then']): Promise<void> {
  switch (how) {
    case 'reset':
      to.resetAndDestroy();
      break;
    case 'silence':
      await once(to, 'close');
      break;
    case 'end':
    case undefined:
      to.end();
  }
}
