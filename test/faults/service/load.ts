import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { startLocalService } from '../../support/localService.ts';
import { cleanUp, clientOf, transport } from '../../support/servers.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { call } from '../../support/serviceRequests.ts';
import type { Row } from '../row.ts';

/** For another client to be answered while the service is under load. */
const OTHERS_TIMEOUT_MS = 5000;

/** Connections on which nothing is sent that the service may keep. */
const MAX_SILENT_CONNECTIONS = 300;

/** Clients that sign in and read at the same time, each with connections of its own. */
export async function manyClients(size = 64): Promise<Row> {
  const service = await startLocalService();
  const start = performance.now();
  const times: number[] = [];
  const failures = await Promise.allSettled(
    Array.from({ length: size }, async () => {
      const anonymous = clientOf({ url: service.baseUrl }, { transport: transport() });
      const client = anonymous.withCredentials({
        type: 'accessToken',
        accessToken: await anonymous.exchangeAuthenticationToken(service),
      });
      for (const path of ['/api/v1', '/api/v1/me', '/api/v1/apps', '/api/v1/keys', '/api/v1/keys/ios']) {
        const { status, milliseconds } = await client.get(path);
        times.push(status === 200 ? milliseconds : Infinity);
      }
    }),
  );
  const milliseconds = performance.now() - start;
  await cleanUp();
  await service.stop();
  const problems = failures.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  times.sort((a, b) => a - b);
  return {
    group: 'load',
    name: `${size} clients sign in and read at the same time`,
    expected: `${size * 6} answers`,
    got: `${times.length + size - problems.length} answers, slowest read ${(times.at(-1) ?? Infinity).toFixed(0)} ms`,
    milliseconds,
    within: 60_000,
    problems: [...problems, ...((times.at(-1) ?? Infinity) < 30_000 ? [] : ['a read took too long'])],
  };
}

const SLOW_REQUESTS: Readonly<Record<string, { readonly first: string; readonly drip: string }>> = {
  headers: { first: 'GET /api/v1/me HTTP/1.1\r\nHost: HOST\r\n', drip: 'X: y\r\n' },
  'a body': {
    first:
      'POST /authorize HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000000\r\n\r\n',
    drip: 'x',
  },
};

/** Clients that send a request without ever ending it: other clients are answered, and these are refused. */
export async function slowClients(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [what, { first, drip }] of Object.entries(SLOW_REQUESTS)) {
    const limits = { headersTimeoutMs: 400, requestTimeoutMs: 800 };
    const service = await startInProcess({ limits });
    const { host, port } = new URL(service.baseUrl);
    const sockets = Array.from({ length: 100 }, () => openSocket(Number(port)));
    const answers = sockets.map(async (socket) => {
      let text = '';
      socket.on('data', (bytes) => {
        text += bytes.toString('latin1');
      });
      await once(socket, 'close');
      return text;
    });
    const start = performance.now();
    sockets.forEach((socket) => socket.write(first.replace('HOST', host)));
    const dripping = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write(drip)), 50);
    const { status } = await call(service.baseUrl, `/api/v1/me?auth_token=${service.authToken}`);
    const otherMs = performance.now() - start;
    const turnedAway = await Promise.race([Promise.all(answers), sleep(20_000, undefined, { ref: false })]);
    const milliseconds = performance.now() - start;
    clearInterval(dripping);
    sockets.forEach((socket) => socket.destroy());
    await service.stop();
    const toldWhy = turnedAway?.filter((answer) => /^HTTP\/1\.1 408 .*"error"/s.test(answer)).length ?? 0;
    rows.push({
      group: 'load',
      name: `100 clients that never end ${what}`,
      expected: 'others are answered, these are turned away',
      got: `another client: ${status} in ${otherMs.toFixed(0)} ms; ${toldWhy} of 100 told why`,
      milliseconds,
      within: 20_000,
      problems: [
        ...(status === 200 && otherMs < OTHERS_TIMEOUT_MS ? [] : ['others had to wait']),
        ...(toldWhy === 100 ? [] : ['they are not turned away']),
      ],
    });
  }
  return rows;
}

/** Connections on which nothing is sent: a bounded number is kept, and other clients are answered. */
export async function silentConnections(count: number): Promise<Row> {
  const service = await startLocalService();
  const port = Number(new URL(service.baseUrl).port);
  const start = performance.now();
  const open = new Set<Socket>();
  let slowest = 0;
  const problems: string[] = [];
  for (let made = 0; made < count; made += 250) {
    await Promise.all(
      Array.from({ length: Math.min(250, count - made) }, async () => {
        const socket = openSocket(port);
        open.add(socket);
        socket.on('close', () => open.delete(socket));
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      }),
    );
    const before = performance.now();
    const { status } = await call(service.baseUrl, `/api/v1/me?auth_token=${service.authToken}`);
    slowest = Math.max(slowest, performance.now() - before);
    if (status !== 200) {
      problems.push(`another client got ${status}`);
    }
  }
  // The service closes those above its limit at once, which shows here a moment later; the others after 10 s.
  const deadline = performance.now() + OTHERS_TIMEOUT_MS;
  while (open.size > MAX_SILENT_CONNECTIONS && performance.now() < deadline) {
    await new Promise(setImmediate);
  }
  const kept = open.size;
  const milliseconds = performance.now() - start;
  open.forEach((socket) => socket.destroy());
  await service.stop();
  return {
    group: 'load',
    name: `${count} half-open connections`,
    expected: `at most ${MAX_SILENT_CONNECTIONS} kept, others are answered`,
    got: `${kept} kept; slowest other client ${slowest.toFixed(0)} ms`,
    milliseconds,
    within: 60_000,
    problems: [
      ...problems,
      ...(kept > MAX_SILENT_CONNECTIONS ? ['too many are kept'] : []),
      ...(slowest > OTHERS_TIMEOUT_MS ? ['others had to wait'] : []),
    ],
  };
}

/** What is too large, the status that it gets, and the request. */
const OVERSIZED_REQUESTS: readonly (readonly [string, number, (host: string) => string])[] = [
  [
    '2 MiB of body, announced',
    413,
    (host) =>
      `POST /token HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 2097152\r\n\r\n${'x'.repeat(2097152)}`,
  ],
  [
    '2 MiB of body, in chunks',
    413,
    (host) =>
      `POST /authorize HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n${`10000\r\n${'x'.repeat(65536)}\r\n`.repeat(32)}0\r\n\r\n`,
  ],
  ['20 kB of headers', 431, (host) => `GET /api/v1/me HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['1 MB of headers', 431, (host) => `GET /api/v1/me HTTP/1.1\r\nHost: ${host}\r\n${'X: y\r\n'.repeat(170_000)}\r\n`],
  ['a URL of 20 kB', 431, (host) => `GET /api/v1/me?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
  ['no HTTP', 400, () => 'hello\r\n\r\n'],
];

/** Requests that are too large: they get a status that says so and `{"error": …}`, and the service works afterwards. */
export async function oversizedRequests(): Promise<readonly Row[]> {
  const service = await startLocalService();
  const { host, port } = new URL(service.baseUrl);
  const rows: Row[] = [];
  for (const [name, status, bytes] of OVERSIZED_REQUESTS) {
    const start = performance.now();
    const socket = openSocket(Number(port));
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
      socket.end();
    });
    socket.write(bytes(host));
    await Promise.race([once(socket, 'close'), sleep(2 * OTHERS_TIMEOUT_MS, undefined, { ref: false })]);
    socket.destroy();
    const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
    const after = await call(service.baseUrl, `/api/v1/me?auth_token=${service.authToken}`);
    rows.push({
      group: 'load',
      name,
      expected: String(status),
      got: `${head.slice(9, 12)} ${body}`,
      milliseconds: performance.now() - start,
      within: OTHERS_TIMEOUT_MS,
      problems: [
        ...(head.startsWith(`HTTP/1.1 ${status} `) && /^(?:[0-9a-f]+\r\n)?\{"error":"[^"]+"\}/.test(body)
          ? []
          : [`answered ${answer.slice(0, 300)}`]),
        ...(after.status === 200 ? [] : ['the service is broken afterwards']),
      ],
    });
  }
  await service.stop();
  return rows;
}

function openSocket(port: number): Socket {
  // The service may end the connection in any way: its close is waited for.
  return connect(port, '127.0.0.1').on('error', () => undefined);
}
