import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { repositoryRoot } from '../../../support/repository.ts';
import { cleanUp, json, serve } from '../../../support/servers.ts';

const run = promisify(execFile);

/** Runs a module in a new Node process and returns its output. */
async function node(script: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
    cwd: repositoryRoot,
  });
  return JSON.parse(stdout);
}

/**
 * Returns a script that imports the client, calls `me`, and reports the changes to the process. The first round runs before
 * Node's own dispatcher exists, and with `useFetch`, the second runs after. Only names are compared, because reading a global
 * can install it.
 */
const script = (entry: string, service: string, useFetch: boolean): string => `
  import { createRequire } from 'node:module';
  ${useFetch ? "await fetch('data:,');" : ''}
  const dispatchers = () => ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => globalThis[Symbol.for(name)]);
  const known = [...Reflect.ownKeys(globalThis), ...dispatchers()];
  const untouched = () => {
    const now = [...Reflect.ownKeys(globalThis), ...dispatchers()];
    return now.length === known.length && now.every((one, index) => one === known[index]);
  };
  const loaded = () => Object.keys(createRequire(import.meta.url)('node:module')._cache).some((path) => path.includes('undici'));
  const module = await import(${JSON.stringify(entry)});
  const { BuildServiceClient, Transport, parseServiceUrl } = module.default ?? module;
  const imported = { untouched: untouched(), loaded: loaded() };
  const transport = new Transport();
  const client = new BuildServiceClient({ service: parseServiceUrl(${JSON.stringify(service)}), transport });
  const { username } = await client.currentUser();
  await transport.dispose();
  console.log(JSON.stringify({ imported, username, untouched: untouched(), loaded: loaded(), dispatcher: dispatchers()[0] !== undefined }));`;

/** Modules that `script` imports. */
const ENTRY = [
  ['BuildServiceClient', 'client.ts'],
  ['parseServiceUrl', 'serviceUrl.ts'],
  ['Transport', 'http/transport.ts'],
].map(
  ([name, file = '']) =>
    `export { ${name} } from ${JSON.stringify(join(repositoryRoot, 'src', 'service-client', file))};`,
);

describe('undici', () => {
  let folder = '';
  let service = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'app-build-'));
    service = (await serve((_request, response) => json(response, { username: 'ann' }))).url;
  });

  afterEach(async () => {
    await cleanUp();
    await rm(folder, { recursive: true });
  });

  it('is loaded from a separate file on the first request, and leaves the process’s globals unchanged', async () => {
    await writeFile(join(folder, 'entry.ts'), ENTRY.join('\n'));
    const entryPoints = {
      client: join(folder, 'entry.ts'),
      undici: join(repositoryRoot, 'src/service-client/http/undici.ts'),
    };
    await node(
      `import { build } from 'esbuild'; import { splitBundle } from './esbuild.config.mjs'; await build(splitBundle(${JSON.stringify(entryPoints)}, ${JSON.stringify(folder)})); console.log(1)`,
    );
    const client = await readFile(join(folder, 'client.cjs'), 'utf8');
    const undici = await readFile(join(folder, 'undici.cjs'), 'utf8');
    assert.ok(!client.includes('llhttp') && undici.includes('llhttp'));
    assert.ok(!undici.includes('undici.globalDispatcher'));
    const entry = pathToFileURL(join(folder, 'client.cjs')).href;
    for (const useFetch of [false, true]) {
      assert.deepEqual(await node(script(entry, service, useFetch)), {
        imported: { untouched: true, loaded: false },
        username: 'ann',
        untouched: true,
        loaded: true,
        dispatcher: useFetch,
      });
    }
  });
});
