import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { approve } from '../support/consent.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { type NpmBehavior, writeNpmStub } from '../support/npmStub.ts';
import { getTestExtension, logged, until } from './support/extension.ts';
import { RecordingUser } from './support/recordingUser.ts';
import { bringBack, nextPage } from './support/signingIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { deleteFiles, writeFiles } from './support/webProject.ts';

describe('the build engine of the local service', () => {
  const access = getTestExtension();
  let person: RecordingUser;
  let folder: string;
  let otherWindow: LocalService | undefined;
  let baseUrl = '';
  let dataFolder: string;
  const npm = process.env.npm_execpath;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-engine-'));
    dataFolder = path.join(access.context.globalStorageUri.fsPath, 'localServiceDemo');
  });

  afterEach(() => person.dispose());

  after(async () => {
    setNpm(npm);
    await otherWindow?.stop();
    await access.localService.stop();
    await rm(path.join(dataFolder, 'engine'), { recursive: true, force: true });
    await rm(folder, { recursive: true });
  });

  function setNpm(file: string | undefined): void {
    if (file === undefined) {
      delete process.env.npm_execpath;
    } else {
      process.env.npm_execpath = file;
    }
  }

  async function install(behaviour: NpmBehavior, agreed = true): Promise<string> {
    setNpm(await writeNpmStub(folder, behaviour));
    person.answers = {
      typed: [],
      press: (text, [button]) => (agreed && /^Install (?:Apache|plugins)/.test(text) ? button : undefined),
    };
    const from = person.notifications.length;
    await vscode.commands.executeCommand('appBuild.installBuildEngine');
    return person.notifications.slice(from).join('\n');
  }

  async function signIn(): Promise<void> {
    const page = nextPage(access.callbacks);
    const signingIn = vscode.commands.executeCommand('appBuild.signIn');
    const location = await approve({ baseUrl, username: '', password: '' }, await page, { user: 'octo-demo' });
    await bringBack(access.callbacks, location);
    await signingIn;
  }

  const support = async () => {
    const connection = await access.connections.requireSignedIn();
    return (await access.loadBuildServices()).createCalls(connection).support();
  };

  it('is offered only for the local service', async () => {
    person = new RecordingUser();
    assert.match(await install('installs'), /^Only the local service uses a build engine on this computer\./);
  });

  it('is installed when the user agrees, and used immediately by another window’s process without a new sign-in', async () => {
    otherWindow = await startLocalService({ dataFolder: dataFolder });
    baseUrl = (await access.localService.start({ demo: true })).href;
    assert.equal(baseUrl, otherWindow.baseUrl);
    await signIn();
    person = new RecordingUser();
    assert.equal((await support())?.builder, 'builtin');

    const refused = await install('installs', false);
    assert.match(refused, /^Install Apache Cordova for the local service\?\n[^]*about 50 MB/);
    assert.ok(refused.includes(access.localService.engineFolder.fsPath));

    assert.match(await install('fails'), /The build engine wasn’t installed\. npm ended with status 1/);

    const hanging = install('hangs');
    await person.untilProgress('npm is waiting');
    person.cancelProgress();
    assert.doesNotMatch(await hanging, /wasn’t installed/);
    assert.ok(!(await readdir(dataFolder)).some((name) => name.startsWith('engine')), 'nothing is left');

    const view = new TreeRows(access.tree);
    const builder = async () => (await view.rows()).at(-1);
    await until(
      access.tree.onDidChangeTreeData,
      async () => (await builder()) === 'Builds with: built-in builder | Android',
    );
    const row = (await access.tree.getChildren()).at(-1);
    assert.equal(view.getContext(row), 'builder;install;');
    const platforms = await view.rows(row);
    assert.deepEqual([platforms[0], platforms.length], ['Android | available', 4]);
    assert.match(platforms[1] ?? '', /^iOS \| iOS apps require a Mac with Xcode/);
    const session = (await access.sessions.all())[0]?.id;
    assert.match(await install('installs'), /Apache Cordova is installed\. Builds use Cordova from now on/);
    assert.match((await builder()) ?? '', /^Builds with: Apache Cordova/);
    assert.equal((await support())?.builder, 'cordova');
    // The next request starts the service in this window.
    await otherWindow.stop();
    assert.equal((await support())?.builder, 'cordova');
    assert.equal((await access.localService.start({ demo: true })).href, baseUrl);
    assert.equal((await access.sessions.all())[0]?.id, session);
    assert.match(person.progress.join('\n'), /Installing Cordova 13\.0\.0 into /);
    assert.match(await logged(access), /Build engine: npm warn stub/);
  });

  it('gets the project’s plugins from npm when the user agrees', async () => {
    await signIn();
    person = new RecordingUser();
    await writeFiles({
      'index.html': '<p>',
      'config.xml': `<widget id="com.example.a" version="1.0.0"><name>A</name><plugin name="cordova-plugin-camera" />
        <plugin name="cordova-plugin-own" spec="https://example.com/own.git" /></widget>`,
      'package.json':
        '{"devDependencies":{"cordova-plugin-ble-central":"^2.0.0"},"cordova":{"plugins":{"cordova-plugin-ble-central":{}}}}',
    });
    try {
      const refused = await install('installs', false);
      assert.match(refused, /^Install plugins for Apache Cordova\?\n/);
      assert.match(
        refused,
        /Plugins from npm, with their dependencies: cordova-plugin-camera \(newest\)(?:,| and) cordova-plugin-ble-central \^2\.0\.0\./,
      );
      assert.match(
        refused,
        /Not installed because they aren’t on npm: cordova-plugin-own https:\/\/example\.com\/own\.git\./,
      );
      assert.doesNotMatch(refused, /50 MB/);
      const installed = await install('installs');
      assert.match(
        installed,
        /Plugins: cordova-plugin-camera 1\.2\.3, cordova-plugin-ble-central 1\.2\.3\. Builds use Cordova from now on/,
      );
      // The built-in builder, which builds for Android here, doesn't have this plugin.
      const plugin = (await support())?.plugins?.find(({ name }) => name === 'cordova-plugin-ble-central');
      assert.deepEqual(plugin?.variables, ['KEY']);
      const again = await install('fails', false);
      assert.doesNotMatch(again, /Install plugins/);
      assert.match(again, /Apache Cordova is installed\./);
    } finally {
      await deleteFiles('index.html', 'config.xml', 'package.json');
    }
  });
});
