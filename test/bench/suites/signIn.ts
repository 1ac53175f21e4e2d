/** From the callback to the user's name, over a network with a round trip of 50 ms. */
import { Agent, request } from 'undici';
import { BuildServiceClient } from '../../../src/api/client.ts';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { Transport } from '../../../src/api/http/transport.ts';
import { startFixedServer } from '../fixedServer.ts';
import { interleaved, timed, type Sample } from '../rounds.ts';
import { atMost, exactly, figure, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const ROUND_TRIP_MS = 50;
/** Two round trips, and what a busy machine adds. */
const MAX_MS = 2 * ROUND_TRIP_MS + 30;

export const measure: Measure = async (rounds): Promise<readonly Row[]> => {
  const server = await startFixedServer({ delayMs: ROUND_TRIP_MS });
  const client = new BuildServiceClient({ service: parseServiceUrl(server.url), transport: new Transport() });
  const dispatcher = new Agent();
  const ours = async (): Promise<void> => {
    const accessToken = await client.exchangeCode({
      clientId: 'id',
      clientSecret: 'secret-of-the-bench',
      code: 'code-of-the-bench',
    });
    await client.withCredentials({ type: 'accessToken', accessToken }).currentUser();
  };
  const peer = async (): Promise<void> => {
    const exchange = await request(
      `${server.url}/authorize/token?client_id=id&client_secret=secret-of-the-bench&code=code`,
      { method: 'POST', dispatcher },
    );
    const { access_token: token } = (await exchange.body.json()) as { readonly access_token: string };
    await (await request(`${server.url}/api/v1/me?access_token=${token}`, { dispatcher })).body.json();
  };
  await ours();
  await peer();
  const requests: Sample[] = [];
  const measured = await interleaved(rounds, {
    ours: async () => {
      await server.requests();
      const sample = await timed(ours);
      requests.push(figure(await server.requests()));
      return sample;
    },
    peer: () => timed(peer),
  });
  server.stop();
  return [
    exactly({ name: 'signIn, after the callback', unit: 'requests', ours: requests }, 2),
    atMost(
      { name: `signIn, after the callback, with a round trip of ${ROUND_TRIP_MS} ms`, unit: 'ms', ours: measured.ours },
      MAX_MS,
      { name: 'two requests of undici', samples: measured.peer },
    ),
  ];
};
