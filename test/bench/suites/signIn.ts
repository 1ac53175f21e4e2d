/** From the callback to the user's name, over a network with a round trip of 50 ms. */
import { Agent, request } from 'undici';
import { BuildServiceClient } from '../../../src/api/client.ts';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { Transport } from '../../../src/api/http/transport.ts';
import { startFixedServer } from '../fixedServer.ts';
import { interleaved, timed } from '../rounds.ts';
import { atMost, exactly, type Row } from '../row.ts';
import type { Measure } from '../suite.ts';

const ROUND_TRIP_MS = 50;

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
  const requests: number[] = [];
  const times = await interleaved(rounds, {
    ours: async () => {
      await server.requests();
      const milliseconds = await timed(ours);
      requests.push(await server.requests());
      return milliseconds;
    },
    peer: () => timed(peer),
  });
  server.stop();
  return [
    exactly('signIn, after the callback: requests', requests, 2),
    atMost(
      'signIn, after the callback: ms with a 50 ms round trip, beside two raw requests',
      times.ours,
      2 * ROUND_TRIP_MS + 15,
      times.peer,
    ),
  ];
};
