import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { startInProcess } from '../../support/inProcessService.ts';
import { startLocalService } from '../../support/localService.ts';
import { cleanUp, clientOf, transport } from '../../support/servers.ts';
import { call } from '../../support/serviceRequests.ts';
import type { Row } from '../row.ts';
import { measured } from './measured.ts';

const READERS = 32;
const SLOW_CLIENTS = 50;

/** Clients that sign in and read at the same time, each with connections of its own. */
export function manyClients(): Promise<Row> {
  const name = `${READERS} clients sign in and read at the same time`;
  return measured({ group: 'load', name, expected: `${READERS * 5} answers` }, async () => {
    const service = await startLocalService();
    const answers = await Promise.allSettled(
      Array.from({ length: READERS }, async () => {
        const anonymous = clientOf({ url: service.baseUrl }, { transport: transport() });
        const client = anonymous.withCredentials({
          type: 'accessToken',
          accessToken: await anonymous.exchangeAuthenticationToken(service),
        });
        for (const path of ['/api/v1', '/api/v1/me', '/api/v1/apps', '/api/v1/keys', '/api/v1/keys/ios']) {
          const { status } = await client.get(path);
          if (status !== 200) {
            throw new Error(`${path} is answered with ${status}`);
          }
        }
      }),
    );
    await cleanUp();
    await service.stop();
    const problems = answers.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
    return { got: `${READERS - problems.length} clients have theirs`, problems };
  });
}

/** What a slow client sends at first, and then again and again. */
const SLOW_REQUESTS = [
  { first: 'GET /api/v1/me HTTP/1.1\r\nHost: HOST\r\n', drip: 'X: y\r\n' },
  {
    first:
      'POST /authorize HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50000\r\n\r\n',
    drip: 'x',
  },
] as const;

/** Clients that send a request without ever ending it: other clients are answered, and these are refused. */
export function slowClients(): Promise<Row> {
  const name = `${SLOW_CLIENTS} clients that never end their headers or their body`;
  return measured(
    { group: 'load', name, expected: 'others are answered, these are told why they are not' },
    async () => {
      const service = await startInProcess({ limits: { headersTimeoutMs: 400, requestTimeoutMs: 800 } });
      const { host, port } = new URL(service.baseUrl);
      const sockets = Array.from({ length: SLOW_CLIENTS }, () => openSocket(Number(port)));
      const requestOf = (index: number): (typeof SLOW_REQUESTS)[number] => SLOW_REQUESTS[index % 2 === 0 ? 0 : 1];
      sockets.forEach((socket, index) => socket.write(requestOf(index).first.replace('HOST', host)));
      const dripping = setInterval(() => {
        sockets.forEach((socket, index) => socket.writable && socket.write(requestOf(index).drip));
      }, 50);
      const answers = sockets.map((socket) => text(socket).catch(String));
      const { status } = await call(service, `/api/v1/me?auth_token=${service.authToken}`);
      const toldWhy = (await Promise.all(answers)).filter((answer) => /^HTTP\/1\.1 408 .*"error"/s.test(answer)).length;
      clearInterval(dripping);
      await service.stop();
      return {
        got: `another client: ${status}; ${toldWhy} of ${SLOW_CLIENTS} told why`,
        problems: [
          ...(status === 200 ? [] : ['others are not answered']),
          ...(toldWhy === SLOW_CLIENTS ? [] : ['they are not told why']),
          ...service.reports,
        ],
      };
    },
  );
}

function openSocket(port: number): Socket {
  // The service may end the connection in any way: its close is waited for.
  return connect(port, '127.0.0.1').on('error', () => undefined);
}
