import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { BuildError, type BuildJob, type BuildKey } from '../../../../src/localService/builds/builder.ts';
import { createCommandBuilder } from '../../../../src/localService/builds/commandBuilder.ts';
import { testJob, testKey } from '../../../support/buildJob.ts';
import { KILLED } from '../../../support/processes.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

describe('local service: builds by a command', () => {
  let folder: string;
  let script: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'command builder-'));
    script = join(folder, 'builder.mjs');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const job = async (values: Partial<BuildJob> = {}): Promise<BuildJob> => testJob(folder, values);

  /** Builds with a program of these lines. */
  async function build(
    lines: string,
    values: Partial<BuildJob> = {},
    signal = new AbortController().signal,
  ): Promise<{ readonly log: readonly string[]; readonly fileName: string; readonly content: string }> {
    await writeFile(script, `import { writeFileSync, mkdirSync } from 'node:fs';\nconst env = process.env;\n${lines}`);
    const builder = createCommandBuilder(`"${process.execPath}" '${script}' "two words"`);
    const log: string[] = [];
    const { path, fileName } = await builder.build(await job(values), (line) => log.push(line), signal);
    return { log, fileName, content: await readFile(path, 'utf8') };
  }
  const fails = (lines: string, message: string): Promise<void> =>
    assert.rejects(build(lines), (error) => error instanceof BuildError && error.message === message);

  it('makes the one file that the program leaves, from what its environment names', async () => {
    const { log, fileName, content } = await build(
      `console.log(process.argv[2], env.APP_BUILD_PLATFORM, env.APP_BUILD_TITLE, env.APP_BUILD_ID, env.APP_BUILD_VERSION, env.APP_BUILD_DEBUG);
      writeFileSync(env.APP_BUILD_OUTPUT + '/My App.bin', env.APP_BUILD_SOURCE);`,
    );
    assert.deepEqual(log, ['two words android Title com.example.app 1.2.3 undefined']);
    assert.deepEqual([fileName, content], ['My App.bin', join(folder, 'source')]);
  });

  it('gives it the key by its environment, and nothing else of that of the service', async () => {
    const key: BuildKey = {
      key: { ...testKey, alias: 'one' },
      files: { keystore: '/keys/k' },
      passwords: { key_pw: 'k e y', keystore_pw: 's"t' },
    };
    process.env.OWN_SECRET = 'hidden';
    try {
      const { content } = await build(
        `writeFileSync(env.APP_BUILD_OUTPUT + '/env', JSON.stringify(Object.entries(env)
          .filter(([name]) => /KEY|_PW|PASSWORD|SECRET|CERT/.test(name)).sort()));`,
        { key },
      );
      assert.deepEqual(Object.fromEntries(JSON.parse(content) as [string, string][]), {
        APP_BUILD_KEYSTORE: '/keys/k',
        APP_BUILD_KEYSTORE_PW: 's"t',
        APP_BUILD_KEY_ALIAS: 'one',
        APP_BUILD_KEY_PW: 'k e y',
      });
    } finally {
      delete process.env.OWN_SECRET;
    }
  });

  it('says how the program failed', async () => {
    await fails('process.exit(3)', 'The build command ended with status 3.');
    await fails("process.kill(process.pid, 'SIGKILL')", `The build command ${KILLED}.`);
    await fails('', 'The build command left no file in APP_BUILD_OUTPUT.');
    const two = `writeFileSync(env.APP_BUILD_OUTPUT + '/a', ''); writeFileSync(env.APP_BUILD_OUTPUT + '/b', '');`;
    await fails(two, 'The build command left more than one file in APP_BUILD_OUTPUT.');
    const absent = createCommandBuilder(join(folder, 'absent'));
    await assert.rejects(
      absent.build(await job(), () => undefined, new AbortController().signal),
      new BuildError('The build command could not be started (ENOENT).'),
    );
    // Windows has a shell for it, elsewhere it is no program.
    const reason = process.platform === 'win32' ? '(EINVAL): name its shell, too, as in cmd /c build.bat' : '(EACCES)';
    const batch = join(folder, 'build.bat');
    await writeFile(batch, 'exit 0');
    await assert.rejects(
      createCommandBuilder(`'${batch}'`).build(await job(), () => undefined, new AbortController().signal),
      new BuildError(`The build command could not be started ${reason}.`),
    );
  });

  it('ends the program when it is aborted', async () => {
    const controller = new AbortController();
    const building = build(
      `writeFileSync(env.APP_BUILD_OUTPUT + '/begun', ''); setInterval(() => {}, 1000);`,
      {},
      controller.signal,
    );
    const output = join(folder, 'work', 'output');
    await waitUntil(async () => (await readdir(output).catch(() => [])).length > 0);
    controller.abort(new Error('enough'));
    await assert.rejects(building, new Error('enough'));
  });

  it('refuses a command that names no program, or has a quote that does not end', () => {
    assert.throws(() => createCommandBuilder('  '), /must name a program/);
    assert.throws(() => createCommandBuilder(`node 'build`), /a quote that does not end/);
    assert.throws(() => createCommandBuilder(`node build" x`), /a quote that does not end/);
  });

  it('takes a title with any characters', async () => {
    const title = 'a\0b $(id) "x"\n%PATH%';
    const { app } = await job();
    const { content } = await build(`writeFileSync(env.APP_BUILD_OUTPUT + '/t', env.APP_BUILD_TITLE)`, {
      app: { ...app, title },
    });
    assert.equal(content, 'ab $(id) "x"\n%PATH%');
  });
});
