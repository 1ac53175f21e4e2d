import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { createCordovaBuilder } from '../../../../../src/build-service/builds/cordova/cordovaBuilder.ts';
import type { CordovaEngine } from '../../../../../src/build-service/builds/cordova/engine.ts';
import { download, waitForBuilds, unzip, upload } from '../../../../support/builds.ts';
import { readArchive } from '../../../../support/readArchive.ts';
import { type Files, useTestCordova, writeFiles } from '../../../../support/cordovaBuilds.ts';
import { withEnvironment } from '../../../../support/hooks.ts';
import { openInProcess } from '../../../../support/inProcessService.ts';
import { repositoryRoot } from '../../../../support/repository.ts';
import { processEnd } from '../../../../support/processes.ts';
import { BuildError } from '../../../../../src/android-package/index.ts';

const PAGE: Files = { 'index.html': '<script src="cordova.js"></script>' };

/** Secrets that a service's environment might contain. */
const SECRETS = { SECRET_TOKEN: 'a-secret', npm_config__auth: 'a-secret', NODE_OPTIONS: '--no-warnings', PWD: '/' };

describe('local service: builds with Cordova', () => {
  const folders = useTestCordova();

  it('makes a browser app from an upload and serves it', async () => {
    const service = await openInProcess({ builder: createCordovaBuilder(folders.engine, process.env) });
    try {
      const id = await upload(service, {
        'www/index.html': PAGE['index.html'] ?? '',
        'config.xml': '<widget id="com.example.real" version="2.1.0"><name>Wirklich &amp; wahr</name></widget>',
      });
      const { status, error } = await waitForBuilds(service, id);
      assert.equal(status.browser, 'complete', JSON.stringify(error));
      const { name, bytes } = await download(service, id, 'browser');
      assert.match(name, /^Wirklich-wahr-2\.1\.0-browser\.zip/);
      const files = await unzip(bytes);
      assert.equal(files['index.html'], PAGE['index.html']);
      assert.match(files['cordova.js'] ?? '', /Platform: browser|cordova\.define|PLATFORM_VERSION_BUILD_LABEL/);
      assert.match(files['config.xml'] ?? '', /id="com\.example\.real"[^]*<name>Wirklich &amp; wahr<\/name>/);
    } finally {
      await service.stop();
    }
  });

  describe('with a plugin of the engine', () => {
    const config = (plugin: string): Files => ({
      ...PAGE,
      'config.xml': `<widget id="com.example.a" version="1.0"><name>A</name>${plugin}</widget>`,
    });
    const plugin: Files = {
      'package.json': '{"name":"cordova-plugin-probe","version":"2.0.0"}',
      'plugin.xml': `<plugin id="cordova-plugin-probe" version="2.0.0" xmlns="http://apache.org/cordova/ns/plugins/1.0">
        <name>Probe</name><preference name="API_KEY" /><hook type="before_plugin_install" src="probe.js" />
        <js-module src="probe-module.js" name="probe"><clobbers target="probe" /></js-module></plugin>`,
      'probe-module.js': 'module.exports = 1;',
      'probe.js': `module.exports = ({ opts: { projectRoot } }) => require('fs').writeFileSync(
        projectRoot + '/www/environment.json', JSON.stringify({ ...process.env, args: process.argv }));`,
    };
    let engineWithPlugin: CordovaEngine;
    beforeEach(async () => {
      engineWithPlugin = await folders.engineWith({ 'cordova-plugin-probe': plugin });
    });

    it('includes the plugin, and hides the service’s environment variables from it', async () => {
      const files = config(
        '<plugin name="cordova-plugin-probe" spec="1.0.0"><variable name="API_KEY" value="abc" /></plugin>',
      );
      await withEnvironment(SECRETS, async () => {
        const env = { ...process.env };
        const { path: artifact, log } = await folders.build({ engine: engineWithPlugin, files, env });
        const built = await readArchive(artifact);
        assert.ok(built.has('plugins/cordova-plugin-probe/probe-module.js'));
        const probed = built.get('environment.json') ?? '{}';
        assert.ok(!probed.includes('a-secret'));
        if (process.platform !== 'win32') {
          const { PATH = '', HOME = '', ...others } = JSON.parse(probed) as Readonly<Record<string, string>>;
          assert.deepEqual([path.basename(PATH), path.basename(HOME)], ['no-programs', 'home']);
          assert.deepEqual(Object.keys(others).sort(), [
            ...['CI', 'ELECTRON_RUN_AS_NODE', 'LANG', 'LC_ALL', 'NO_UPDATE_NOTIFIER', 'PWD', 'TMPDIR'],
            ...['args', 'npm_config_ignore_scripts', 'npm_config_offline'],
          ]);
        }
        assert.ok(
          log.includes('Plugin cordova-plugin-probe: the engine’s version 2.0.0 is used. The app requests 1.0.0.'),
        );
      });
    });
  });

  describe('with an unreliable Cordova', () => {
    /** Creates an engine whose Cordova is a script. */
    const scripted = (script: string): Promise<CordovaEngine> =>
      folders.engineWith({ cordova: { 'package.json': '{"version":"13.0.0"}', 'bin/cordova': script } });

    it('treats a build without an artifact as a failure', async () => {
      const makes = (file: string): string => `const folder = 'platforms/browser/www';
        require('fs').mkdirSync(folder, { recursive: true });
        require('fs').writeFileSync(folder + '/${file}', '');`;
      for (const script of ['', makes('index.html'), makes('cordova.js')]) {
        const scriptedEngine = await scripted(script);
        await assert.rejects(
          folders.build({ engine: scriptedEngine, files: PAGE }),
          /^BuildError: .*didn’t create an app/,
        );
      }
    });

    it('names the failed step, and logs its output and status', async () => {
      const log: string[] = [];
      const failing = await scripted("console.error('Oh no'); process.exitCode = 1;");
      await assert.rejects(
        folders.build({ engine: failing, files: PAGE, onLog: (line) => log.push(line) }),
        new BuildError('The step “Prepare” failed. See the log for details.'),
      );
      assert.deepEqual(log.slice(-2), ['Oh no', 'The step ended with status 1.']);
    });

    it('ends all processes of a canceled build', async () => {
      const controller = new AbortController();
      const pidFile = path.join(folders.root, 'pid');
      const hanging = await scripted(`
        const { spawn } = require('child_process');
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
        require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
        console.log('hanging');
        setInterval(() => {}, 1000);`);
      const build = folders.build({
        engine: hanging,
        files: PAGE,
        signal: controller.signal,
        onLog: (line) => {
          if (line === 'hanging') {
            controller.abort(new Error('cancelled'));
          }
        },
      });
      await assert.rejects(build, /^Error: cancelled$/);
      await processEnd(Number(await readFile(pidFile, 'utf8')));
    });
  });

  it('starts the app with the page from config.xml, adds the icon, and builds only in the job’s folder', async () => {
    const decoy = {
      'www/index.html': 'decoy',
      'config.xml': '<widget id="de.coy" version="1"><name>D</name></widget>',
      'platforms/x': '',
    };
    const elsewhere = await folders.make('elsewhere');
    await writeFiles(elsewhere, decoy);
    // The parent of the job's folder, where Cordova could find the decoy.
    await writeFiles(folders.root, { ...decoy, 'package.json': '{"name":"decoy"}' });
    const config = '<widget><content src="./start/first.html#top" /></widget>';
    const files = { 'config.xml': config, 'www/start/first.html': 'first' };
    const icon = path.join(repositoryRoot, 'media', 'icon.png');
    const { path: artifact } = await withEnvironment({ PWD: elsewhere }, () => folders.build({ files, icon }));
    const built = await readArchive(artifact);
    assert.equal(built.get('start/first.html'), 'first');
    assert.match(built.get('config.xml') ?? '', /<content src="start\/first\.html" \/>/);
    const { icons } = JSON.parse(built.get('manifest.json') ?? '{}') as { readonly icons: unknown };
    assert.deepEqual(icons, [{ src: 'app-icon.png', type: 'image/png', sizes: '256x256' }]);
    assert.ok(built.has('app-icon.png'));
    for (const folder of [elsewhere, folders.root]) {
      assert.deepEqual(await readdir(path.join(folder, 'platforms')), ['x']);
    }
  });
});
