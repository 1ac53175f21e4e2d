import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/auth/connection.ts';
import { config } from '../support/failingFolders.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { appsOfTests, extensionOfTests, next } from './support/extension.ts';
import { originalServiceOfTests } from './support/originalServiceOfTests.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

const PAGE = { 'www/index.html': '<!doctype html><title>Shop</title>' };
const RIGHT = config();
const UNCLOSED = RIGHT.replace('</name>', '');

describe('the check before a build', () => {
  const access = extensionOfTests();
  const apps = appsOfTests();
  const service = originalServiceOfTests();
  let connection: SignedInConnection;
  const person = userOfEachTest();
  let id: number;

  beforeEach(async () => {
    connection = await signInAtService(access, service);
    id = service.addApp({ title: 'Shop', package: 'com.example.shop' });
    await link();
    await writeFiles({ 'config.xml': RIGHT, ...PAGE });
  });

  afterEach(async () => {
    await apps.preflight.close();
    await deleteFiles('config.xml', 'www', '.appbuildignore');
  });

  const link = () =>
    apps.folders.set(openFolder().uri, connection, { url: service.appUrl(id), title: 'Shop', project: '' });
  const build = () => vscode.commands.executeCommand('appBuild.buildFolder');
  const said = () => person.notifications.join('\n');
  const press = (title: string) => (_text: string, buttons: readonly string[]) =>
    buttons.find((each) => each === title);

  it('stops a build that cannot work, names the place, and sends nothing, unless the user wants it anyway', async () => {
    await writeFiles({ 'config.xml': UNCLOSED });
    person.answers = { typed: [], press: () => undefined };
    await build();
    assert.deepEqual(
      [service.uploads, person.notifications.length],
      [[], 1],
      'it is silent when the question is closed',
    );
    person.answers = { typed: [], press: press('Show') };
    await build();
    assert.match(said(), /The build of workspace would fail\./);
    assert.match(said(), /config\.xml, line \d+: .*name/);
    assert.deepEqual(service.uploads, []);
    assert.ok(apps.preflight.check?.findings.some(({ verdict, place }) => verdict === 'fails' && place?.range));
    person.answers = { typed: [], press: press('Build Anyway') };
    await build();
    assert.equal(service.uploads.length, 1);
  });

  it('warns that an app would show a blank page, although its build would succeed', async () => {
    await writeFiles({ 'www/index.html': '<!doctype html><script src="none.js"></script>' });
    person.answers = { typed: [], press: () => undefined };
    await build();
    assert.match(said(), /The app from workspace would show a blank page\./);
    assert.match(said(), /none\.js/);
    assert.doesNotMatch(said(), /would fail/);
  });

  it('asks for a platform that was asked for, and for a key that is locked', async () => {
    const run = (platforms: readonly string[]) => apps.buildFolder(openFolder(), { platforms });
    person.answers = { typed: [], press: () => undefined };
    await assert.rejects(run(['ios']), { kind: 'cancelled' });
    assert.match(said(), /ios: There is no signing key for ios/);
    person.notifications.length = 0;
    service.addKey('android', { title: 'Play [x](command:y)', default: true, locked: true });
    await build();
    assert.match(said(), /The signing key “Play \[x\]\u200b\(command:y\)” is locked\./);
    assert.deepEqual(service.uploads, []);
  });

  it('tells a task what it found, before it asks', async () => {
    await writeFiles({ 'config.xml': UNCLOSED });
    person.answers = { typed: [], press: () => undefined };
    const terminal = apps.tasks.terminal({ type: 'app-build' }, openFolder());
    let output = '';
    terminal.onDidWrite((text) => (output += text));
    assert.ok(terminal.onDidClose);
    const closed = next(terminal.onDidClose);
    terminal.open(undefined);
    assert.equal(await closed, 1);
    assert.match(output, /Checking workspace\r\n(?:.*\r\n)*config\.xml, line \d+: .*\r\n(?:.*\r\n)*Cancelled\./);
  });

  it('reads what an editor has not saved, unless the build is of what is on the disk', async () => {
    const uri = vscode.Uri.joinPath(openFolder().uri, 'config.xml');
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), UNCLOSED);
    await vscode.workspace.applyEdit(edit);
    const project = { uri: openFolder().uri, path: '', name: undefined };
    const codes = async (onlySaved: boolean) =>
      (await apps.checkFolder(openFolder(), project, { onlySaved })).findings
        .filter(({ verdict }) => verdict === 'fails')
        .map(({ code }) => code);
    assert.deepEqual(await codes(false), ['notClosed']);
    assert.deepEqual(await codes(true), []);
  });

  describe('after a failed build', () => {
    const fail = async (error: string) => {
      service.finish(id, 'android', 'error', error);
      await access.tree.refresh();
    };
    const row = async () => {
      const view = new TreeRows(access.tree);
      const node = await view.at('Apps', 'Shop', 'android');
      const { tooltip } = access.tree.getTreeItem(node);
      return { node, flags: view.contextOf(node)?.split(';'), tooltip: typeof tooltip === 'string' ? tooltip : '' };
    };
    const show = async () => vscode.commands.executeCommand('appBuild.showBuildProblem', (await row()).node);

    it('its row names the problem, and leads to the line', async () => {
      await fail('Malformed config.xml');
      await writeFiles({ 'config.xml': UNCLOSED });
      const { flags, tooltip } = await row();
      assert.ok(flags?.includes('problem'));
      assert.match(
        tooltip,
        /config\.xml is not well-formed, or lacks what it must have\. Show the Problem leads there\./,
      );
      await show();
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.path, vscode.Uri.joinPath(openFolder().uri, 'config.xml').path);
      assert.ok(editor.selection.start.line > 0, 'the place of the problem');
    });

    it('says that the folder no longer has the problem, and offers to build it', async () => {
      await fail('Malformed config.xml');
      person.answers = { typed: [], press: press('Build This Folder') };
      const sent = next(apps.watcher.onDidChange);
      await show();
      assert.match(said(), /That is no longer so in workspace\. Build it again\./);
      await sent;
      assert.equal(service.uploads.length, 1);
    });

    it('offers the build engine for a plugin that the engine can install', async () => {
      const support = { builder: 'builtin', unavailable: { android: null }, plugins: [] };
      service.answer('GET', /current_support/, { status: 200, body: JSON.stringify(support) });
      await fail('Plugin not supported: cordova-plugin-camera. It has code of its own.');
      const plugin = '<plugin name="cordova-plugin-camera" spec="^8.0.0"/>';
      await writeFiles({
        'config.xml': `<widget id="com.example.shop" version="1.0.0"><name>Shop</name>${plugin}</widget>`,
        'www/index.html': '<script>navigator.camera.getPicture()</script>',
      });
      person.answers = { typed: [], press: press('Install Build Engine…') };
      await show();
      assert.match(said(), /cordova-plugin-camera: the pages call it in www\/index\.html, line 1/);
      // The service of this test is another one.
      await waitUntil(() => said().includes('Only the local service builds with an engine of this machine.'));
    });

    it('opens the view for what is in no file, and says what nothing explains', async () => {
      service.addKey('android', { title: 'Play', default: true, locked: true });
      await fail('The signing key “Play” is locked: unlock it first.');
      await show();
      assert.ok(apps.preflight.check?.findings.some(({ code }) => code === 'keyLocked'));
      await fail('Incorrect keystore password');
      service.keys.clear();
      await show();
      assert.match(said(), /Nothing in workspace explains the failure: Incorrect keystore password/);
    });

    it('has no such action for an app without a folder here', async () => {
      await fail('Malformed config.xml');
      await apps.folders.set(openFolder().uri, connection, undefined);
      await access.tree.refresh();
      const { flags, tooltip } = await row();
      assert.ok(!flags?.includes('problem'));
      assert.doesNotMatch(tooltip, /Show the Problem/);
      await show();
      assert.match(said(), /No folder of this window is built as “Shop”\./);
    });
  });
});
