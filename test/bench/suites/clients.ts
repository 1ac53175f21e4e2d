/** Loads the local service with many clients, and measures how long one of them waits for a new app. */
import assert from 'node:assert/strict';
import { FormData, Pool } from 'undici';
import { samplePackage } from '../../support/appPackages.ts';
import { startLocalService } from '../../support/localService.ts';
import { fetchAuthToken } from '../client.ts';
import { getMedian, type Row } from '../rounds.ts';

const CLIENTS = 200;
/** Every 16th request of a client creates an app. The others read it. */
const REQUESTS_PER_APP = 16;
const ROUND_MS = 10_000;
/** Every client sends its next request when it has received the previous response, so the processor is always busy. */
const MAX_MS = 1_500;

export async function measure(rounds: number): Promise<readonly Row[]> {
  const service = await startLocalService({ demo: false, bundled: true });
  const token = await fetchAuthToken(service);
  const pool = new Pool(service.baseUrl, { connections: CLIENTS });
  const bytes = new Blob([await samplePackage()]);
  const ask = async (path: string, body?: FormData): Promise<{ readonly id: number }> => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await pool.request({
      method,
      path: `/api/v1${path}?auth_token=${token}`,
      ...(body && { body }),
    });
    assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.statusCode}`);
    return (await answer.body.json()) as { readonly id: number };
  };
  const create = (): Promise<{ readonly id: number }> => {
    const form = new FormData();
    form.append('file', bytes, 'app.zip');
    return ask('/apps', form);
  };
  const round = async (): Promise<number> => {
    const times: number[] = [];
    const end = performance.now() + ROUND_MS;
    const client = async (_: unknown, index: number): Promise<void> => {
      let target = '/current_support';
      for (let count = index; performance.now() < end; count += 1) {
        const start = performance.now();
        if (count % REQUESTS_PER_APP === 0) {
          target = `/apps/${(await create()).id}`;
          times.push(performance.now() - start);
        } else {
          await ask(target);
        }
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return getMedian(times);
  };
  const ours: number[] = [];
  for (let count = 0; count < rounds; count += 1) {
    ours.push(await round());
  }
  await pool.destroy();
  await service.stop();
  return [{ what: `Creating an app while ${CLIENTS} clients use the local service`, ours, max: MAX_MS }];
}
