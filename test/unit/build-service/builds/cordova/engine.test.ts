import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { chooseBuilder } from '../../../../../src/build-service/builds/chooseBuilder.ts';
import { EngineError, findEngine } from '../../../../../src/build-service/builds/cordova/engine.ts';
import { installEngine } from '../../../../../src/build-service/builds/cordova/installEngine.ts';
import { verifyApk } from '../../../../support/apk/verifyApk.ts';
import { testJob } from '../../../../support/buildJob.ts';
import { type Files, useTestCordova, writeFiles } from '../../../../support/cordovaBuilds.ts';
import { itOnPosix } from '../../../../support/itOnPosix.ts';
import { repositoryRoot } from '../../../../support/repository.ts';

const SOURCES = path.join(repositoryRoot, 'src', 'build-service', 'builds', 'cordova', 'engine');

const cordova = (version: string): Files => ({
  'node_modules/cordova/package.json': JSON.stringify({ name: 'cordova', version }),
  'node_modules/cordova/bin/cordova': '',
  'node_modules/cordova-browser/package.json': '{"version":"7.0.0"}',
});

interface EngineSearch {
  readonly option?: string;
  readonly dataFolder?: string;
  readonly env?: NodeJS.ProcessEnv;
}

describe('local service: the Cordova engine', () => {
  const folders = useTestCordova();

  async function makeEngine(version = '13.0.0', name = 'engine'): Promise<string> {
    const folder = await folders.make(name);
    await writeFiles(folder, cordova(version));
    return folder;
  }

  /**
   * Creates a folder for PATH whose `cordova` belongs to an engine. On Windows, npm puts a batch file beside `node_modules`.
   */
  async function linkTo(engine: string, bin: string): Promise<string> {
    if (process.platform === 'win32') {
      await writeFiles(engine, { 'cordova.cmd': '' });
      return engine;
    }
    await mkdir(bin, { recursive: true });
    await symlink(path.join(engine, 'node_modules', 'cordova', 'bin', 'cordova'), path.join(bin, 'cordova'));
    return bin;
  }

  const find = async ({ option, dataFolder, env = {} }: EngineSearch): Promise<string | undefined> =>
    (await findEngine(option, dataFolder, env))?.folder;

  it('is found through the option, the environment, the data folder, or PATH, in this order', async () => {
    const [byOption, byEnvironment] = [await makeEngine(), await makeEngine()];
    const dataFolder = await folders.make('data');
    const byData = path.join(dataFolder, 'engine');
    await writeFiles(byData, cordova('13.1.0'));
    const byPath = await makeEngine();
    const withPath = { PATH: await linkTo(byPath, path.join(folders.root, 'usr', 'bin')) };
    const env = { ...withPath, APP_BUILD_ENGINE: byEnvironment };
    assert.equal(await find({ option: byOption, env, dataFolder }), byOption);
    assert.equal(await find({ env, dataFolder }), byEnvironment);
    assert.equal(await find({ env: withPath, dataFolder }), byData);
    assert.equal(await find({ env: withPath }), byPath);
    assert.equal(await find({ env: {} }), undefined);
  });

  it('lists the installed platforms, and the plugins in the engine’s package.json', async () => {
    const option = await makeEngine();
    await writeFiles(option, {
      'package.json':
        '{"dependencies":{"cordova":"13.0.0","cordova-plugin-a":"1.0.0","@x/b":"1","../c":"1","gone":"1"}}',
      'node_modules/cordova-plugin-a/package.json': '{"version":"1.0.0"}',
      'node_modules/cordova-plugin-a/plugin.xml':
        '<plugin><preference name="KEY"/><preference name="PORT" default="1"/><platform name="ios"><preference name="ID"/></platform></plugin>',
      'node_modules/@x/b/package.json': '{"version":"2.0.0"}',
      'node_modules/@x/b/plugin.xml': '<plugin',
      'node_modules/unwanted/package.json': '{"version":"1.0.0"}',
      'node_modules/unwanted/plugin.xml': '<plugin />',
      'c/package.json': '{"version":"1.0.0"}',
      'c/plugin.xml': '<plugin />',
    });
    const engine = await findEngine(option, undefined, {});
    assert.ok(engine !== undefined);
    assert.deepEqual(engine.platforms, { browser: '7.0.0' });
    assert.deepEqual(engine.plugins, [
      { name: 'cordova-plugin-a', version: '1.0.0', variables: ['KEY'] },
      { name: '@x/b', version: '2.0.0', variables: [] },
    ]);
  });

  it('is reported as missing if --engine or APP_BUILD_ENGINE names a folder without an engine', async () => {
    const old = await makeEngine('12.0.0');
    for (const folder of [old, folders.root, path.join(folders.root, 'nowhere')]) {
      await assert.rejects(
        find({ option: folder }),
        (error) => error instanceof EngineError && error.message.startsWith('--engine'),
      );
      await assert.rejects(find({ env: { APP_BUILD_ENGINE: folder } }), /^EngineError: APP_BUILD_ENGINE names /);
    }
  });

  itOnPosix(
    'isn’t used from a workspace that npm adds to PATH, from a relative folder, or if it’s outdated',
    async () => {
      const workspace = await makeEngine('13.0.0', 'workspace');
      const bin = await linkTo(workspace, path.join(workspace, 'node_modules', '.bin'));
      const oldBin = await linkTo(await makeEngine('12.0.0'), path.join(folders.root, 'old'));
      const relative = path.relative(process.cwd(), await linkTo(workspace, path.join(folders.root, 'plain')));
      const shim = path.join(folders.root, 'shim');
      await writeFiles(shim, { cordova: '#!/bin/sh\n' });
      await chmod(path.join(shim, 'cordova'), 0o755);
      for (const entry of [bin, `${bin}/`, relative, '.', '', oldBin, shim]) {
        assert.equal(await find({ env: { PATH: entry } }), undefined, entry);
      }
    },
  );

  it('leaves Android apps to the built-in builder if the SDK is missing, and reports that', async () => {
    const options = { builder: undefined, dataFolder: undefined };
    const builder = await chooseBuilder({ ...options, engine: await makeEngine() }, { PATH: '' });
    const { android, ios } = await builder.platforms();
    assert.equal(android, undefined);
    assert.notEqual(ios, undefined);
    assert.ok(builder.plugins?.some(({ name }) => name === 'cordova-plugin-vibration'));
    const job = await testJob(await folders.make('job'), {}, { 'index.html': '' });
    const log: string[] = [];
    const built = await builder.build(job, (line) => log.push(line), new AbortController().signal);
    assert.equal(built.builder, 'builtin');
    await verifyApk(await readFile(built.path));
    assert.match(log[0] ?? '', /^Cordova can’t build for Android here\. .*\. The built-in builder builds the app\.$/);
    // The engine has the plugin, so the failure is caused by the missing SDK.
    const engine = await makeEngine();
    await writeFiles(engine, {
      'plugins/package.json': '{"dependencies":{"cordova-plugin-ble-central":"^1.0.0"}}',
      'plugins/node_modules/cordova-plugin-ble-central/package.json': '{"version":"1.0.0"}',
      'plugins/node_modules/cordova-plugin-ble-central/plugin.xml': '<plugin id="cordova-plugin-ble-central" />',
    });
    const withPlugin = await chooseBuilder({ ...options, engine }, { PATH: '' });
    await withPlugin.platforms();
    const listed = withPlugin.plugins?.find(({ name }) => name === 'cordova-plugin-ble-central');
    assert.deepEqual(withPlugin.builtBy, { android: 'builtin' });
    assert.match(listed?.unavailable?.android ?? '', /The Android SDK is missing\. Install it/);
    const config =
      '<widget id="com.example.a" version="1"><name>A</name><plugin name="cordova-plugin-ble-central"/></widget>';
    const files = { 'index.html': '<script>ble.scan([], 5)</script>', 'config.xml': config };
    const failing = await testJob(await folders.make('job'), {}, files);
    await assert.rejects(
      withPlugin.build(failing, () => undefined, new AbortController().signal),
      /^BuildError: Plugin not supported: cordova-plugin-ble-central \(www\/index\.html:1\)\. Cordova has the native code, but can’t compile it for Android on this computer\. .*The Android SDK is missing/,
    );
    const alone = await chooseBuilder({ ...options, engine: await makeEngine(), builder: 'cordova' }, { PATH: '' });
    assert.notEqual((await alone.platforms()).android, undefined);
  });

  it('is used if it exists, unless the user selects the built-in builder', async () => {
    const none = { builder: undefined, engine: undefined, dataFolder: undefined };
    const engine = await makeEngine();
    const getName = async (options: Partial<Parameters<typeof chooseBuilder>[0]>): Promise<string> =>
      (await chooseBuilder({ ...none, ...options }, {})).name;
    assert.equal(await getName({}), 'builtin');
    assert.equal(await getName({ engine, builder: 'builtin' }), 'builtin');
    assert.equal(await getName({ engine }), 'cordova');
    assert.equal(await getName({ engine, builder: 'cordova' }), 'cordova');
    await assert.rejects(getName({ builder: 'cordova' }), /--install-engine.*--engine DIR/);
  });

  describe('during its installation', () => {
    const signal = new AbortController().signal;

    it('gets the exact versions in its lock file, which contains no host', async () => {
      const { engine } = folders;
      assert.equal(engine.version, '13.0.0');
      assert.deepEqual(engine.platforms, { android: '15.1.0', ios: '8.1.1', browser: '7.0.0' });
      assert.deepEqual([...engine.plugins], []);
      const { dependencies } = JSON.parse(await readFile(path.join(SOURCES, 'package.json'), 'utf8')) as {
        readonly dependencies: Readonly<Record<string, string>>;
      };
      assert.ok(Object.values(dependencies).every((version) => /^\d+\.\d+\.\d+$/.test(version)));
      const { packages } = JSON.parse(await readFile(path.join(SOURCES, 'package-lock.json'), 'utf8')) as {
        readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string }>>;
      };
      for (const [name, { resolved, integrity }] of Object.entries(packages).filter(([each]) => each !== '')) {
        assert.equal(resolved, undefined, name);
        assert.match(integrity ?? '', /^sha512-/, name);
      }
    });

    it('isn’t installed again if it already exists', async () => {
      const dataFolder = path.dirname(folders.engine.folder);
      const program = path.join(repositoryRoot, 'src', 'build-service', 'main.ts');
      const args = [program, '--install-engine', '--data', dataFolder];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
      assert.equal(stdout, '');
      assert.match(stderr, /^Cordova 13\.0\.0 is already installed in [^\n]+\nBuilds use Cordova from now on[^\n]*\n$/);
    });

    it('is installed completely or not at all, with an explanation after a failure', async () => {
      const dataFolder = path.join(folders.root, 'data');
      // One belongs to an installation in progress, one to a killed process.
      const names = ['engine-partial-aaaaaa', 'engine-partial-bbbbbb', 'engine-partial-thesis2'];
      await writeFiles(dataFolder, Object.fromEntries(names.map((name) => [`${name}/x`, ''])));
      const earlier = new Date(Date.now() - 2 * 60 * 60_000);
      for (const name of names.slice(1)) {
        await utimes(path.join(dataFolder, name), earlier, earlier);
      }
      // npm has no network and an empty cache.
      const env = { ...process.env, npm_config_offline: 'true', npm_config_cache: path.join(folders.root, 'cache') };
      await assert.rejects(
        installEngine({ dataFolder, report: () => undefined, signal, env }),
        /^EngineError: npm ended with status 1, so the engine isn’t installed\. Check the network/,
      );
      assert.deepEqual((await readdir(dataFolder)).sort(), ['engine-partial-aaaaaa', 'engine-partial-thesis2']);
    });

    it('never replaces an existing file or folder', async () => {
      const dataFolder = await folders.make('data');
      await writeFiles(dataFolder, { 'engine/mine.txt': '' });
      await assert.rejects(
        installEngine({ dataFolder, report: () => undefined, signal, env: {} }),
        /^EngineError: .*engine doesn’t contain a Cordova engine\. Delete that folder/,
      );
      assert.deepEqual(await readdir(path.join(dataFolder, 'engine')), ['mine.txt']);
    });

    it('requires npm, and never uses npm from a workspace', async () => {
      const bin = path.join(folders.root, 'node_modules', '.bin');
      await writeFiles(bin, { npm: '#!/bin/sh\n', 'node_modules/npm/bin/npm-cli.js': '' });
      await chmod(path.join(bin, 'npm'), 0o755);
      for (const PATH of [folders.root, bin]) {
        await assert.rejects(
          installEngine({ dataFolder: folders.root, report: () => undefined, signal, env: { PATH } }),
          /^EngineError: npm wasn’t found\./,
        );
      }
    });
  });
});
