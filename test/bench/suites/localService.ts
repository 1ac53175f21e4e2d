/** The local service's user resource, requested with a token, beside a server that does nothing but send the same bytes. */
import autocannon from 'autocannon';
import { startLocalService } from '../../support/localService.ts';
import { startFixedServer } from '../fixedServer.ts';
import { interleaved } from '../rounds.ts';
import { ratioAtLeast } from '../row.ts';
import type { Measure } from '../suite.ts';

/** Before anything is measured: V8 compiles the code during the first ten thousands of requests. */
const WARM_UP_SECONDS = 3;
const MIN_RATIO = 0.5;

export const measure: Measure = async (rounds) => {
  const service = await startLocalService();
  const path = `/api/v1/me?auth_token=${service.authToken}`;
  const me = await (await fetch(service.baseUrl + path)).text();
  const bare = await startFixedServer({ me });
  const requestsPerSecond =
    (origin: string, seconds = 1) =>
    async (): Promise<number> => {
      const { requests, non2xx, errors } = await autocannon({ url: origin + path, connections: 10, duration: seconds });
      if (non2xx + errors > 0) {
        throw new Error(`${non2xx + errors} requests failed.`);
      }
      return requests.average;
    };
  await requestsPerSecond(service.baseUrl, WARM_UP_SECONDS)();
  await requestsPerSecond(bare.url, WARM_UP_SECONDS)();
  const { ours, peer } = await interleaved(rounds, {
    ours: requestsPerSecond(service.baseUrl),
    peer: requestsPerSecond(bare.url),
  });
  await service.stop();
  bare.stop();
  return [
    ratioAtLeast(
      'localService, /api/v1/me with a token: requests/s, beside a bare node:http server',
      { ours, peer },
      MIN_RATIO,
    ),
  ];
};
