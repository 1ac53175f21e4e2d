/**
 * A server with fixed responses, in a process of its own: `startFixedServer` starts it. It answers as fast as node:http can,
 * or after a delay that stands for the round trip of a network.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface FixedServer {
  readonly url: string;
  /** Counts the requests since the last call. */
  readonly requests: () => Promise<number>;
  readonly stop: () => void;
}

interface Settings {
  /** Milliseconds before each response. */
  readonly delayMs?: number;
}

/** Starts the server. It ends with this process at the latest. */
export async function startFixedServer(settings: Settings = {}): Promise<FixedServer> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(settings)]);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    requests: async () => {
      child.send('requests');
      const [count] = (await once(child, 'message')) as [number];
      return count;
    },
    stop: () => void child.kill(),
  };
}

/** The user resource of the contract, about 600 bytes. */
const user = {
  id: 1,
  username: 'ann',
  email: 'ann@example.com',
  created_at: '2026-01-05T09:30:00Z',
  updated_at: '2026-01-05T09:30:00Z',
  link: '/api/v1/me',
  apps: {
    link: '/api/v1/apps',
    all: [1, 2, 3].map((id) => ({ title: `App ${id}`, role: 'admin', link: `/api/v1/apps/${id}` })),
  },
  keys: {
    link: '/api/v1/keys',
    ...Object.fromEntries(
      ['android', 'ios', 'winphone'].map((platform) => [platform, { link: `/api/v1/keys/${platform}`, all: [] }]),
    ),
  },
};

function serve({ delayMs = 0 }: Settings): void {
  let requests = 0;
  const me = JSON.stringify(user);
  const token = JSON.stringify({ access_token: 'of-the-bench-1234567890' });
  const server = createServer((request, response) => {
    requests += 1;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const count = Number(searchParams.get('count'));
    const answer = (): void => {
      if (pathname === '/authorize/token') {
        json(response, token);
      } else if (pathname === '/list') {
        json(
          response,
          JSON.stringify({
            link: '/list',
            all: numbers(count).map((id) => ({ id, title: `App ${id}`, link: `/api/v1/apps/${id}` })),
          }),
        );
      } else if (pathname === '/bytes') {
        void sendBytes(response, count);
      } else {
        json(response, me);
      }
    };
    if (delayMs === 0) {
      answer();
    } else {
      setTimeout(answer, delayMs);
    }
  });
  server.keepAliveTimeout = 60_000;
  process.on('message', () => {
    process.send?.(requests);
    requests = 0;
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function json(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

async function sendBytes(response: ServerResponse, bytes: number): Promise<void> {
  const chunk = Buffer.alloc(256 * 1024, 'build');
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes });
  for (let remaining = bytes; remaining > 0; remaining -= chunk.length) {
    if (!response.write(remaining < chunk.length ? chunk.subarray(0, remaining) : chunk)) {
      await once(response, 'drain');
    }
  }
  response.end();
}

if (import.meta.main) {
  serve(JSON.parse(process.argv[2] ?? '{}') as Settings);
}
