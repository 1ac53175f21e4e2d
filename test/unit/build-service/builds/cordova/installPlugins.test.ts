import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

import { Header } from 'tar';

import { createCordovaBuilder } from '../../../../../src/build-service/builds/cordova/cordovaBuilder.ts';
import { openEngine } from '../../../../../src/build-service/builds/cordova/engine.ts';
import { installEngine } from '../../../../../src/build-service/builds/cordova/installEngine.ts';
import type { RequestedPlugin } from '../../../../../src/build-service/builds/cordova/engine.ts';
import { androidTools } from '../../../../support/androidTools.ts';
import { type Files, useTestCordova } from '../../../../support/cordovaBuilds.ts';
import { readArchive } from '../../../../support/readArchive.ts';
import { cleanUp, serve, type TestServer } from '../../../../support/servers.ts';

/** Script that leaves a file when a plugin runs it. */
const MARK = "require('fs').writeFileSync(process.env.HOME + '/../ran-' + Date.now(), ''); module.exports = () => {};";

const plugin = (id: string, version: string, content: string): string =>
  `\uFEFF<?xml version="1.0"?>\r\n<plugin id="${id}" version="${version}" xmlns="http://apache.org/cordova/ns/plugins/1.0">\r\n<name>${id}</name>${content}</plugin>`;

/** Packages by `NAME@VERSION`. Each gets a package.json. */
type Packages = Readonly<Record<string, { readonly files: Files; readonly dependencies?: Files }>>;

const PACKAGES: Packages = {
  'cordova-plugin-camera@1.0.0': {
    files: { 'plugin.xml': plugin('cordova-plugin-camera', '1.0.0', '') },
  },
  'cordova-plugin-camera@2.1.0': {
    files: {
      'plugin.xml': plugin(
        'cordova-plugin-camera',
        '2.1.0',
        `<preference name="KEY" /><preference name="PORT" default="1" />
        <hook type="before_plugin_install" src="hook.js" />
        <engines><engine name="own" version="1" platform="*" scriptSrc="hook.js" /><engine name="cordova" version=">=9" /></engines>
        <dependency id="@example/files" version="1.0.0" url="https://example.com/files.git" commit="abc" />
        <js-module src="camera.js" name="camera"><clobbers target="camera" /></js-module>
        <platform name="android"><hook type="after_prepare" src="hook.js" />
          <source-file src="Camera.java" target-dir="src/com/example" />
          <lib-file src="node_modules/camera-library/camera.jar" />
          <config-file target="AndroidManifest.xml" parent="/*"><uses-permission android:name="android.permission.CAMERA"
            xmlns:android="http://schemas.android.com/apk/res/android" /></config-file></platform>`,
      ),
      'camera.js': 'module.exports = "camera";',
      'Camera.java': 'class Camera {}',
      'hook.js': MARK,
    },
    dependencies: { 'camera-library': '^1.0.0' },
  },
  'camera-library@1.0.0': { files: { 'camera.jar': 'jar' } },
  '@example/files@1.5.0': {
    files: {
      'plugin.xml': plugin('@example/files', '1.5.0', '<js-module src="files.js" name="files"><runs /></js-module>'),
      'files.js': 'module.exports = "files";',
    },
  },
  'not-a-plugin@1.0.0': { files: {} },
  'other-name@1.0.0': { files: { 'plugin.xml': plugin('cordova-android', '1.0.0', '') } },
  'reaches-out@1.0.0': {
    files: { 'plugin.xml': plugin('reaches-out', '1.0.0', '<asset src="../../../secret.txt" target="secret.txt" />') },
  },
  'from-git@1.0.0': {
    files: { 'plugin.xml': plugin('from-git', '1.0.0', '') },
    dependencies: { library: 'git+https://127.0.0.1:1/library.git' },
  },
};

describe('local service: plugins of the Cordova engine', function () {
  // npm runs once for each plugin.
  this.timeout(120_000);
  const folders = useTestCordova();
  let server: TestServer;
  let env: NodeJS.ProcessEnv;
  let dataFolder: string;
  let lines: string[];

  beforeEach(async () => {
    ({ server, env } = await startNpmRegistry(PACKAGES, path.join(folders.root, 'npm-cache')));
    // This engine has no plugins yet, and shares the other tests' Cordova.
    dataFolder = path.join(folders.root, 'data');
    await mkdir(path.join(dataFolder, 'engine'), { recursive: true });
    await symlink(
      path.join(folders.engine.folder, 'node_modules'),
      path.join(dataFolder, 'engine', 'node_modules'),
      'junction',
    );
    lines = [];
  });
  afterEach(async () => {
    await cleanUp();
  });

  const install = (plugins: readonly RequestedPlugin[], signal = new AbortController().signal): Promise<string> =>
    installEngine({ dataFolder, plugins, report: (line) => lines.push(line), signal, env });

  const plugins = async () => (await openEngine(path.join(dataFolder, 'engine')))?.plugins;
  const CAMERA = { name: 'cordova-plugin-camera', version: '2.1.0', variables: ['KEY'] };
  const FILES = { name: '@example/files', version: '1.5.0', variables: [] };

  it('installs a plugin and its dependencies from npm, once, and names the tools that this computer lacks', async () => {
    env = { ...env, ANDROID_HOME: '' };
    await install([{ name: 'cordova-plugin-camera', range: '^2.0.0' }]);
    assert.deepEqual(await plugins(), [CAMERA, FILES]);
    assert.match(
      lines.at(-1) ?? '',
      /^Plugins: cordova-plugin-camera 2\.1\.0, @example\/files 1\.5\.0\. .*needs more tools first\. .*The Android SDK is missing/,
    );
    assert.ok(lines.includes('Build scripts of cordova-plugin-camera are skipped: hook.js.'));
    const asked = server.received.length;
    await install([
      { name: 'cordova-plugin-camera', range: '^2.0.0' },
      { name: '@example/files', range: undefined },
    ]);
    assert.equal(server.received.length, asked, 'npm sends no further request');
    await install([{ name: 'cordova-plugin-camera', range: '1.0.0' }]);
    assert.deepEqual(await plugins(), [{ ...CAMERA, version: '1.0.0', variables: [] }, FILES]);
    assert.deepEqual(await readdir(dataFolder), ['engine']);
  });

  it('leaves other plugins and installed versions unchanged when a plugin can’t be installed', async () => {
    await install([{ name: 'cordova-plugin-camera', range: '1.0.0' }]);
    const names = ['not-there', 'not-a-plugin', 'other-name', 'reaches-out', 'from-git'];
    await install([
      ...names.map((name) => ({ name, range: undefined })),
      { name: 'cordova-plugin-camera', range: '^9.0.0' },
      { name: '@example/files', range: undefined },
    ]);
    assert.deepEqual(await plugins(), [{ ...CAMERA, version: '1.0.0', variables: [] }, FILES]);
    assert.match(
      lines.at(-1) ?? '',
      new RegExp(
        'Not installed: not-there \\(npm has no such package\\), not-a-plugin \\(it doesn’t have a readable plugin\\.xml\\), ' +
          'other-name \\(its plugin\\.xml has a different ID\\), reaches-out \\(its plugin\\.xml names a file outside the plugin\\), ' +
          'from-git \\(it needs a package from Git\\), cordova-plugin-camera \\(npm has no such version\\)\\.',
      ),
    );
  });

  it('keeps the installed version when the installation is canceled', async () => {
    await install([{ name: 'cordova-plugin-camera', range: '1.0.0' }]);
    const controller = new AbortController();
    server.server.on('request', () => controller.abort(new Error('cancelled')));
    await assert.rejects(
      install([{ name: 'cordova-plugin-camera', range: '2.1.0' }], controller.signal),
      /^Error: cancelled$/,
    );
    assert.deepEqual(await plugins(), [{ ...CAMERA, version: '1.0.0', variables: [] }]);
    assert.deepEqual(await readdir(dataFolder), ['engine']);
  });

  it('adds plugins to an app without npm and without running the plugins’ scripts', async () => {
    const builder = createCordovaBuilder((await openEngine(path.join(dataFolder, 'engine'))) ?? folders.engine, env);
    await builder.platforms();
    assert.deepEqual(builder.plugins, []);
    await install([{ name: 'cordova-plugin-camera', range: '^2.0.0' }]);
    await builder.platforms();
    assert.deepEqual(builder.plugins, [CAMERA, FILES], 'the plugins are known without a restart of the service');
    await server.close();
    const installed = (await openEngine(path.join(dataFolder, 'engine'))) ?? folders.engine;
    const config = (content: string): Files => ({
      'index.html': '<script src="cordova.js"></script>',
      'config.xml': `<widget id="com.example.a" version="1.0"><name>A</name>
        <plugin name="cordova-plugin-camera" spec="^2.0.0">${content}</plugin></widget>`,
    });
    await assert.rejects(
      folders.build({ engine: installed, files: config('') }),
      /^BuildError: One of your plugins requires a parameter: KEY\.$/,
    );
    const files = config('<variable name="KEY" value="abc" />');
    const { path: artifact, log } = await folders.build({ engine: installed, files });
    const app = await readArchive(artifact);
    assert.match(app.get('plugins/cordova-plugin-camera/camera.js') ?? '', /module\.exports = "camera"/);
    assert.ok(app.has('plugins/@example/files/files.js'));
    assert.match(app.get('cordova_plugins.js') ?? '', /"cordova-plugin-camera": "2\.1\.0"/);
    assert.ok(
      log.includes('Plugin cordova-plugin-camera: the engine’s version 2.1.0 is used. The app requests ^2.0.0.'),
    );
    if (process.platform !== 'win32') {
      const tools = await androidTools(await folders.make('tools'));
      const android = await folders.build({ engine: installed, files, platform: 'android', env: tools });
      // The stub of Gradle packs the project instead of compiling it.
      const project = await readArchive(android.path);
      assert.ok(project.has('app/src/main/java/com/example/Camera.java'));
      assert.ok(project.has('app/libs/camera.jar'));
      assert.match(project.get('app/src/main/AndroidManifest.xml') ?? '', /android\.permission\.CAMERA/);
    }
    const jobs = (await readdir(folders.root, { recursive: true })).filter((name) => name.includes('ran-'));
    assert.deepEqual(jobs, []);
  });
});

/**
 * Starts an npm registry on loopback. The last version of a package is the newest.
 * @param cache a folder
 * @returns the server, and an environment in which npm uses it and the cache
 */
async function startNpmRegistry(
  packages: Packages,
  cache: string,
): Promise<{ readonly server: TestServer; readonly env: NodeJS.ProcessEnv }> {
  const tarballs = new Map<string, Buffer>();
  const documents = new Map<string, { readonly versions: Record<string, unknown>; latest: string }>();
  const server = await serve((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const tarball = tarballs.get(name);
    const document = documents.get(name);
    if (tarball !== undefined) {
      response.end(tarball);
    } else if (document === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
    } else {
      const { versions, latest } = document;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ name, 'dist-tags': { latest }, versions }));
    }
  });
  for (const [id, { files, dependencies = {} }] of Object.entries(packages)) {
    const at = id.lastIndexOf('@');
    const [name, version] = [id.slice(0, at), id.slice(at + 1)];
    const manifest = { name, version, dependencies };
    const tarball = gzipSync(createTar({ 'package.json': JSON.stringify(manifest), ...files }));
    const file = `tarballs/${id}.tgz`;
    tarballs.set(file, tarball);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const document = documents.get(name) ?? { versions: {}, latest: version };
    document.latest = version;
    document.versions[version] = { ...manifest, dist: { tarball: `${server.url}/${file}`, integrity } };
    documents.set(name, document);
  }
  return { server, env: { ...process.env, npm_config_registry: server.url, npm_config_cache: cache } };
}

/** Packs a package like npm, with its files in `package`. */
function createTar(files: Files): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const header = new Header({ path: `package/${name}`, mode: 0o644, size: content.length, type: 'File' });
    const block = Buffer.alloc(512);
    header.encode(block);
    return [block, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
