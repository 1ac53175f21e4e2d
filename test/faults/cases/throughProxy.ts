import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startLocalService, type LocalService } from '../../support/localService.ts';
import { addCleanup } from '../../support/servers.ts';
import type { CaseContext, FaultCase } from '../faultCase.ts';
import { startFaultProxy, type FaultProxy, type Toxics } from '../faultProxy.ts';
import * as outcome from '../outcomes.ts';

/** The real service, which all of these cases share. */
let sharedService: Promise<LocalService> | undefined;

async function realService(): Promise<LocalService> {
  sharedService ??= startLocalService();
  return sharedService;
}

/** Ends the real service that the cases share. */
export async function stopRealService(): Promise<void> {
  await (await sharedService)?.stop();
}

/** A signed-in client whose connection to the real service goes through a proxy. */
async function arrange(
  context: CaseContext,
): Promise<{ readonly proxy: FaultProxy; readonly user: () => Promise<string> }> {
  const service = await realService();
  const proxy = await startFaultProxy(Number(new URL(service.baseUrl).port));
  addCleanup(() => proxy.close());
  const client = context.client(proxy, {
    credentials: { type: 'authToken', authToken: service.authToken },
  });
  return { proxy, user: async () => (await client.currentUser()).username };
}

function spoiled(
  name: string,
  expected: outcome.Outcome,
  directions: { readonly toClient?: Toxics; readonly toService?: Toxics },
): FaultCase {
  return {
    name,
    expected,
    arrange: async (context) => {
      const { proxy, user } = await arrange(context);
      proxy.spoil(directions);
      return user;
    },
  };
}

const user = outcome.value('demo');

/** The real local service behind a proxy that spoils the connection. */
export const throughProxy: readonly FaultCase[] = [
  spoiled('latency 100 ms each way', user, { toClient: { latency: 100 }, toService: { latency: 100 } }),
  spoiled('2 kB a second', user, { toClient: { bytesPerSecond: 2000 } }),
  spoiled('one byte a second', outcome.headersTimeout, { toClient: { bytesPerSecond: 1 } }),
  spoiled('a request of one byte a second', outcome.headersTimeout, { toService: { bytesPerSecond: 1 } }),
  spoiled('one byte at a time', user, { toClient: { slice: 1 }, toService: { slice: 1 } }),
  spoiled('reset after 1 byte', outcome.reset, { toClient: { limit: 1, then: 'reset' } }),
  spoiled('closed after 700 bytes, within the body', outcome.truncated, { toClient: { limit: 700, then: 'end' } }),
  {
    name: 'down, then up again',
    expected: outcome.value('NetworkError, then demo'),
    arrange: async (context) => {
      const { proxy, user: call } = await arrange(context);
      proxy.spoil({ toClient: { limit: 0, then: 'reset' } });
      return async () => {
        const first = await call().catch((error: unknown) => (error as Error).name);
        proxy.spoil({});
        return `${first}, then ${await call()}`;
      };
    },
  },
  {
    name: 'the service is killed in mid-call and started again: the session goes on',
    expected: outcome.value('NetworkError, then demo'),
    arrange: async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'app-build-fault-'));
      const dataFolder = join(folder, 'data');
      let service = await startLocalService({ dataFolder });
      addCleanup(async () => {
        await service.stop();
        await rm(folder, { recursive: true });
      });
      const proxy = await startFaultProxy(Number(new URL(service.baseUrl).port));
      addCleanup(() => proxy.close());
      const accessToken = await context.client({ url: service.baseUrl }).exchangeAuthenticationToken(service);
      // Long enough for the answer to be under way when the service dies.
      proxy.spoil({ toClient: { latency: 200 } });
      const client = context.client(proxy, { credentials: { type: 'accessToken', accessToken } });
      return async () => {
        const call = client.currentUser().catch((error: unknown) => (error as Error).name);
        await service.stop('SIGKILL');
        const first = await call;
        service = await startLocalService({ dataFolder });
        proxy.spoil({});
        return `${typeof first === 'string' ? first : first.username}, then ${(await client.currentUser()).username}`;
      };
    },
  },
];
