/** The local service's user resource, asked for with a token, beside a server that does nothing but send the same bytes. */
import autocannon from 'autocannon';
import { startLocalService } from '../../support/localService.ts';
import { startFixedServer } from '../fixedServer.ts';
import { interleaved } from '../rounds.ts';
import { ratioAtLeast } from '../row.ts';
import type { Measure } from '../suite.ts';

/** Seconds of requests before anything is measured: the first ten thousands run code that is compiled meanwhile. */
const warmUp = 3;

export const measure: Measure = async (rounds) => {
  const service = await startLocalService();
  const path = `/api/v1/me?auth_token=${service.authToken}`;
  const me = await (await fetch(service.baseUrl + path)).text();
  const bare = await startFixedServer({ me });
  const loaded =
    (origin: string, seconds = 1) =>
    async (): Promise<number> => {
      const { requests, non2xx, errors } = await autocannon({ url: origin + path, connections: 10, duration: seconds });
      if (non2xx + errors > 0) {
        throw new Error(`${non2xx + errors} requests failed.`);
      }
      return requests.average;
    };
  await loaded(service.baseUrl, warmUp)();
  await loaded(bare.url, warmUp)();
  const { ours, peer } = await interleaved(rounds, { ours: loaded(service.baseUrl), peer: loaded(bare.url) });
  await service.stop();
  bare.stop();
  return [
    ratioAtLeast(
      'localService, /api/v1/me with a token: requests/s, beside a bare node:http server',
      { ours, peer },
      0.5,
    ),
  ];
};
