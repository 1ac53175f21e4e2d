import assert from 'node:assert/strict';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { androidTools } from '../../../../support/androidTools.ts';
import { type Files, useTestCordova } from '../../../../support/cordovaBuilds.ts';
import { itOnPosix } from '../../../../support/itOnPosix.ts';
import { readArchive } from '../../../../support/readArchive.ts';
import { BuildError } from '../../../../../src/android-package/index.ts';

const CANARY = 'the content of a file of this machine';

describe('local service: uploads that attack Cordova', () => {
  const folders = useTestCordova();
  /** Folder in which any executed code leaves a file. */
  let markers: string;
  /** File that no app may contain. */
  let secretFile: string;

  beforeEach(async () => {
    markers = await folders.make('markers');
    secretFile = path.join(folders.root, 'secret.txt');
    await writeFile(secretFile, CANARY);
  });

  const mark = (name: string): string =>
    `require('fs').writeFileSync(${JSON.stringify(path.join(markers, name))}, '');`;
  const hook = (name: string): string => `${mark(name)} module.exports = () => {};`;
  const script = (name: string): string => `#!/bin/sh\ntouch '${path.join(markers, name)}'\n`;

  /**
   * Returns an upload that is a whole Cordova project. Each part tries to run, read, or write something outside the project.
   */
  function hostileFiles(): Files {
    const hooks = ['before_platform_add', 'after_platform_add', 'before_prepare', 'after_prepare', 'before_compile'];
    const npmPackage = (name: string, version: string): string =>
      JSON.stringify({ name, version, main: 'index.js', scripts: { postinstall: './script.sh' } });
    return {
      'www/index.html': '<h1>hostile</h1>',
      'www/cordova.js': 'the app’s own cordova.js',
      'www/config.xml': '<widget id="other.app" version="9"><name>Other</name></widget>',
      'config.xml': `<?xml version="1.0"?>
        <widget id="com.example.hostile" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
          <name>x\${['touch','groovy'].execute()}"; \`touch x\`</name>
          <description>\${'d'} &lt;script&gt;</description>
          <content src="../../../../../../../../../..${secretFile}" />
          ${hooks.map((type) => `<hook type="${type}" src="hook-${type}.js" />`).join('')}
          <hook type="before_prepare" src="hook.sh" />
          <hook type="before_prepare" src="../outside.js" />
          <platform name="browser"><hook type="before_prepare" src="hook-platform.js" /></platform>
          <platform name="android">
            <hook type="before_prepare" src="hook-platform.js" />
            <resource-file src="${secretFile}" target="app/src/main/assets/secret.txt" />
            <resource-file src="build-extras.gradle" target="app/build-extras.gradle" />
            <edit-config file="../../../../outside.xml" target="/x" mode="merge"><y /></edit-config>
            <icon src="${secretFile}" density="mdpi" />
          </platform>
          <icon src="${secretFile}" />
          <splash src="${secretFile}" />
          <engine name="browser" spec="./engine" />
          <engine name="android" spec="./engine" />
          <resource-file src="${secretFile}" target="www/secret.txt" />
          <edit-config file="../../../outside.xml" target="/x" mode="merge"><y /></edit-config>
          <config-file target="../../../outside.xml" parent="/x"><y /></config-file>
          <preference name="AndroidGradlePluginVersion" value="1'; evil()" />
          <preference name="BackgroundColor" value="&quot;&gt;${CANARY}" />
          <access origin="&quot;/&gt;&lt;hook type='before_compile' src='hook.sh'/&gt;" />
        </widget>`,
      ...Object.fromEntries(hooks.map((type) => [`hook-${type}.js`, hook(type)])),
      'hook-platform.js': hook('platform-hook'),
      'hook.sh': script('shell-hook'),
      'hooks/before_prepare/run.js': hook('hooks-folder'),
      '.cordova/hooks/before_prepare/run.js': hook('cordova-hooks-folder'),
      'build-extras.gradle': `new File('${path.join(markers, 'gradle')}').text = ''`,
      'node_modules/cordova-browser/package.json': npmPackage('cordova-browser', '7.0.0'),
      'node_modules/cordova-browser/index.js': mark('node-modules'),
      'node_modules/cordova-browser/bin/template/cordova/Api.js': mark('node-modules-api'),
      'node_modules/cordova-android/package.json': npmPackage('cordova-android', '15.1.0'),
      'node_modules/cordova-android/index.js': mark('node-modules'),
      'platforms/browser/cordova/Api.js': mark('platform-api'),
      'platforms/android/cordova/Api.js': mark('platform-api'),
      'engine/package.json': npmPackage('cordova-browser', '7.0.0'),
      'engine/index.js': mark('engine'),
      'engine/script.sh': script('engine-script'),
      'plugins/evil/plugin.xml': `<plugin id="evil" version="1.0.0"><name>evil</name>
        <hook type="before_prepare" src="hook.js" /></plugin>`,
      'plugins/evil/hook.js': hook('plugin-hook'),
      'plugins/fetch.json': '{"evil":{"source":{"type":"local","path":"evil"}}}',
      'package.json': JSON.stringify({
        name: 'hostile',
        version: '1.0.0',
        dependencies: { dependency: 'file:./dependency', 'cordova-browser': 'file:./engine' },
        scripts: { postinstall: './hook.sh', prepare: './hook.sh' },
        cordova: { platforms: ['browser', 'android'], plugins: { evil: {} } },
      }),
      'dependency/package.json': npmPackage('dependency', '1.0.0'),
      'dependency/script.sh': script('dependency-script'),
      '.npmrc': 'git=./evil.sh\nscript-shell=./evil.sh\n',
      'evil.sh': script('npmrc'),
      'build.json': JSON.stringify({ android: { debug: { keystore: secretFile, alias: 'a' } } }),
      'merges/browser/merged.txt': CANARY,
    };
  }

  async function assertNothingOutside(): Promise<void> {
    assert.deepEqual(await readdir(markers), []);
    const left = (await readdir(folders.root)).filter(
      (name) => !/^(job|markers|tools|engine)-|^secret\.txt$/.test(name),
    );
    assert.deepEqual(left, []);
    assert.equal(await readFile(secretFile, 'utf8'), CANARY);
  }

  it('can’t execute code, or read or write files outside the project, in a browser build', async () => {
    const { path: artifact, log } = await folders.build({
      files: hostileFiles(),
      prepare: async (folder) => {
        // Unpacking never creates links. This link was created otherwise, and isn't followed.
        await symlink(secretFile, path.join(folder, 'www', 'secret-link.txt'));
        await symlink(folders.root, path.join(folder, 'www', 'folder-link'), 'junction');
        await symlink('..', path.join(folder, 'www', 'loop'), 'junction');
      },
    });
    await assertNothingOutside();
    const files = await readArchive(artifact);
    assert.equal(files.get('index.html'), '<h1>hostile</h1>');
    assert.ok(!files.get('cordova.js')?.includes('the app’s own'));
    assert.match(files.get('config.xml') ?? '', /id="com\.example\.hostile"[^]*<content src="index\.html" \/>/);
    assert.deepEqual(
      [...files].filter(([name, text]) => /secret|folder-link|loop|merged/.test(name) || text.includes(CANARY)),
      [],
    );
    for (const name of ['hook', 'engine', 'resource-file', 'edit-config', 'config-file']) {
      assert.ok(log.includes(`config.xml: <${name}> isn’t supported and is ignored.`), name);
    }
    assert.ok(log.some((line) => line.includes('the preference “AndroidGradlePluginVersion”')));
  });

  itOnPosix('can’t execute code, or read or write files outside the project, in an Android build', async () => {
    const env = await androidTools(await folders.make('tools'));
    const { path: artifact } = await folders.build({ files: hostileFiles(), platform: 'android', env });
    await assertNothingOutside();
    // The stub of Gradle packs the project instead of compiling it.
    const files = await readArchive(artifact);
    assert.match(files.get('cdv-gradle-name.gradle') ?? '', /^rootProject\.name = "x\[[^"$`{}\\]*"$/m);
    assert.deepEqual(
      [...files].filter(([, text]) => text.includes(CANARY) || text.includes('${[')),
      [],
    );
    assert.ok(!files.has('app/build-extras.gradle'));
    assert.equal(files.get('app/src/main/assets/www/index.html'), '<h1>hostile</h1>');
  });

  it('can’t install a plugin from the upload', async () => {
    const plugin = (attributes: string): Files => ({
      'www/index.html': 'x',
      'config.xml': `<widget id="com.example.a" version="1.0.0"><name>A</name><plugin ${attributes} /></widget>`,
      'evil-plugin/plugin.xml':
        '<plugin id="evil-plugin" version="1.0.0"><hook type="before_plugin_install" src="h.js" /></plugin>',
      'evil-plugin/package.json': JSON.stringify({
        name: 'evil-plugin',
        version: '1.0.0',
        scripts: { install: 'node h.js' },
      }),
      'evil-plugin/h.js': hook('plugin'),
    });
    for (const attributes of ['name="evil-plugin" spec="./evil-plugin"', 'name="../evil-plugin"', 'name="cordova"']) {
      await assert.rejects(
        folders.build({ files: plugin(attributes) }),
        (error) => error instanceof BuildError && error.message.startsWith('Plugin not supported: '),
      );
    }
    await assertNothingOutside();
  });
});
