import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { waitUntil } from './waitUntil.ts';

/** A connection of a test, which sends bytes unchanged and never closes its side. */
export interface RawConnection {
  readonly socket: Socket;
  /** Returns the data so far, as latin1. */
  readonly received: () => string;
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<unknown>;
  readonly send: (bytes: string) => void;
  /** Waits until the received data matches. */
  readonly until: (expected: RegExp) => Promise<unknown>;
}

/** Opens a connection. */
export async function openConnection({ hostname, port, protocol }: URL): Promise<RawConnection> {
  const options = { host: hostname, port: Number(port), allowHalfOpen: true };
  const isSecure = protocol === 'https:';
  const socket = isSecure ? connectTls({ ...options, rejectUnauthorized: false }) : createConnection(options);
  let received = '';
  let hasEnded = false;
  socket.setEncoding('latin1').on('data', (data: string) => {
    received += data;
  });
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      hasEnded = true;
      resolve();
    };
    // A client that only waits may see a reset instead of an end.
    socket.once('end', end).once('close', end);
  });
  await once(socket, isSecure ? 'secureConnect' : 'connect');
  return {
    socket,
    received: () => received,
    ended,
    send: (bytes) => void socket.write(bytes, 'latin1'),
    until: (expected) =>
      waitUntil(() => {
        if (hasEnded && !expected.test(received)) {
          throw new Error(`The connection ended after: ${received}`);
        }
        return expected.test(received);
      }),
  };
}

/** Sends a byte of a header repeatedly, so that the connection is never idle, until the server ends it. */
export async function trickle({ ended, send, socket }: RawConnection, intervalMs = 10): Promise<void> {
  const timer = setInterval(() => socket.writable && send('a'), intervalMs);
  await ended;
  clearInterval(timer);
}
