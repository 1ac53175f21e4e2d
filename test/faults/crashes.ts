import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { registerClient, signIn, type Browser } from '../support/consent.ts';
import { repositoryRoot } from '../support/repository.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { fetchAccessToken, fetchAuthToken, call } from '../support/serviceRequests.ts';
import { type Row, TIMEOUT_MS, measured } from './measured.ts';
import { createAppLoad, deleteAll, type AppLoad } from './appLoad.ts';

/** Number of clients that request access tokens at the same time. */
const CONCURRENT_WRITERS = 6;
/** Number of clients that upload and build apps at the same time. */
const CONCURRENT_UPLOADERS = 2;
/** Maximum time, in ms, after the first app until the service is killed. */
const MAX_LOAD_MS = 1_000;

const program = join(repositoryRoot, 'test/faults/builderProgram.ts');

/** Writes that the service has acknowledged. */
interface Acknowledged {
  readonly accessTokens: string[];
  readonly authTokens: string[];
  readonly clients: { readonly clientId: string; readonly clientSecret: string }[];
}

/**
 * Kills the service (SIGKILL) at random moments during writes, uploads, and builds, and restarts it with the same data folder. Every
 * acknowledged write must exist, and the port, the demo credentials, and a signed-in browser must still work. Waiting and running builds
 * must end with complete packages, and no file may be left over.
 */
export function crashes(rounds: number): Promise<Row> {
  const name = `kill -9 at ${rounds} random moments during writes, uploads, and builds`;
  const expected = 'every acknowledged write is there, every build ends, every package is whole, no file is left over';
  const work = async (): ReturnType<Parameters<typeof measured>[1]> => {
    const folder = await mkdtemp(join(tmpdir(), 'app-build-crash-'));
    const problems: string[] = [];
    let tokens = 0;
    const apps = createAppLoad();
    let service = await startLocalService({ dataFolder: folder });
    const { browser } = await signIn(service);
    for (let round = 1; round <= rounds; round += 1) {
      const written = await writeUntilKilled(service, browser, apps);
      // In every other round, builders are separate processes.
      const builder = round % 2 === 0 ? {} : { builder: [program] };
      const again = await startLocalService({ dataFolder: folder, ...builder });
      const lost = await missing(again, written, browser);
      const broken = await apps.check(again);
      const isSame = again.baseUrl === service.baseUrl && again.clientSecret === service.clientSecret;
      const changed = isSame ? [] : ['another port or other credentials'];
      const said = again.errorOutput() === '' ? [] : [again.errorOutput()];
      problems.push(...[...lost, ...broken, ...changed, ...said].map((text) => `round ${round}: ${text}`));
      tokens += written.accessTokens.length + written.authTokens.length + written.clients.length;
      service = again;
    }
    await deleteAll(service, folder);
    await service.stop();
    await rm(folder, { recursive: true });
    if (tokens < rounds || apps.count() < rounds) {
      problems.push('hardly anything was acknowledged');
    }
    const got = `${tokens} tokens and clients and ${apps.count()} writes of apps acknowledged`;
    return { got: `${got}, ${problems.length === 0 ? 'none' : 'some'} lost`, problems };
  };
  return measured({ group: 'crash', name, expected }, work, rounds * TIMEOUT_MS);
}

async function writeUntilKilled(service: LocalService, browser: Browser, apps: AppLoad): Promise<Acknowledged> {
  const written: Acknowledged = { accessTokens: [], authTokens: [], clients: [] };
  let first: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (first = resolve));
  const repeat = async (write: () => Promise<unknown>): Promise<void> => {
    try {
      for (;;) {
        await write();
      }
    } catch {
      // The service has stopped.
    }
  };
  const load = Promise.all([
    ...Array.from({ length: CONCURRENT_WRITERS }, () =>
      repeat(async () => written.accessTokens.push(await fetchAccessToken(service))),
    ),
    repeat(async () => {
      written.authTokens.push(await fetchAuthToken(service));
    }),
    repeat(async () => written.clients.push(await registerClient(browser))),
    ...Array.from({ length: CONCURRENT_UPLOADERS }, () => apps.run(service, first)),
  ]);
  await Promise.race([begun, load]);
  await sleep(Math.random() * MAX_LOAD_MS);
  await service.stop('SIGKILL');
  await load;
  return written;
}

/** Returns acknowledged writes that no longer work. */
async function missing(
  service: LocalService,
  { accessTokens, authTokens, clients }: Acknowledged,
  browser: Browser,
): Promise<readonly string[]> {
  const lost: string[] = [];
  const expect = async (what: string, works: Promise<boolean>): Promise<void> => {
    if (!(await works)) {
      lost.push(`${what} is lost`);
    }
  };
  const me = async (query: string): Promise<boolean> =>
    (await call(service.baseUrl, `/api/v1/me?${query}`)).status === 200;
  for (const token of accessTokens) {
    await expect('an access token', me(`access_token=${token}`));
  }
  for (const token of new Set(authTokens)) {
    await expect('an authentication token', me(`auth_token=${encodeURIComponent(token)}`));
  }
  for (const client of clients) {
    await expect(
      'a client',
      fetchAccessToken({ ...service, ...client }).then(
        () => true,
        () => false,
      ),
    );
  }
  await expect(
    'the browser’s session',
    browser.open('/account').then(({ status }) => status === 200),
  );
  return lost;
}
