import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import { config } from '../support/failingFolders.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { getTestApps, getTestExtension, next } from './support/extension.ts';
import { useOriginalService } from './support/useOriginalService.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

const PAGE = { 'www/index.html': '<!doctype html><title>Shop</title>' };
const RIGHT = config();
const UNCLOSED = RIGHT.replace('</name>', '');

describe('the check before a build', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const service = useOriginalService();
  let connection: SignedInConnection;
  const person = useRecordingUser();
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

  it('stops a build that can’t succeed, shows the place, and sends nothing, unless the user wants it anyway', async () => {
    await writeFiles({ 'config.xml': UNCLOSED });
    person.answers = { typed: [], press: () => undefined };
    await build();
    assert.deepEqual(
      [service.uploads, person.notifications.length],
      [[], 1],
      'it is silent when the question is closed',
    );
    person.answers = { typed: [], press: press('Show Problems') };
    await build();
    assert.match(said(), /The build of workspace would fail\./);
    assert.match(said(), /config\.xml, line \d+: .*name/);
    assert.deepEqual(service.uploads, []);
    assert.ok(apps.preflight.check?.findings.some(({ verdict, location }) => verdict === 'fails' && location?.range));
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

  it('asks about an unavailable platform and a locked key', async () => {
    const run = (platforms: readonly string[]) => apps.buildFolder(openFolder(), { platforms });
    person.answers = { typed: [], press: () => undefined };
    await assert.rejects(run(['ios']), { kind: 'cancelled' });
    assert.match(said(), /iOS: Apps for iOS need a signing key/);
    person.notifications.length = 0;
    service.addKey('android', { title: 'Play [x](command:y)', default: true, locked: true });
    await build();
    assert.match(said(), /The signing key “Play \[x\]\u200b\(command:y\)” is locked\./);
    assert.deepEqual(service.uploads, []);
  });

  it('reports findings to a task before asking the user', async () => {
    await writeFiles({ 'config.xml': UNCLOSED });
    person.answers = { typed: [], press: () => undefined };
    const terminal = apps.tasks.terminal({ type: 'app-build' }, openFolder());
    let output = '';
    terminal.onDidWrite((text) => (output += text));
    assert.ok(terminal.onDidClose);
    const closed = next(terminal.onDidClose);
    terminal.open(undefined);
    assert.equal(await closed, 1);
    assert.match(output, /Checking workspace\r\n(?:.*\r\n)*config\.xml, line \d+: .*\r\n(?:.*\r\n)*Canceled\./);
  });

  it('reads unsaved text in editors, unless the build uses the files on disk', async () => {
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

  it('lists a mistake in config.xml once in Problems, whether or not an editor has the file open', async () => {
    await writeFiles({ 'config.xml': UNCLOSED });
    await vscode.commands.executeCommand('appBuild.checkFolder');
    const uri = vscode.Uri.joinPath(openFolder().uri, 'config.xml');
    const isToldOnce = () =>
      vscode.languages.getDiagnostics(uri).filter(({ source, code }) => source === 'App Build' && code === 'notClosed')
        .length === 1;
    await waitUntil(isToldOnce);
    await vscode.window.showTextDocument(uri);
    await apps.preflight.refresh();
    await waitUntil(isToldOnce);
  });

  it('lists a missing start page once in Problems while an editor has config.xml open', async () => {
    await writeFiles({ 'config.xml': RIGHT.replace('</widget>', '<content src="no.html"/></widget>') });
    const uri = vscode.Uri.joinPath(openFolder().uri, 'config.xml');
    const codes = () =>
      vscode.languages
        .getDiagnostics(uri)
        .map(({ code }) => (typeof code === 'object' ? code.value : code))
        .filter((code) => code === 'startPageMissing');
    await vscode.window.showTextDocument(uri);
    await waitUntil(() => codes().length > 0);
    await vscode.commands.executeCommand('appBuild.checkFolder');
    assert.deepEqual(codes(), ['startPageMissing']);
  });

  describe('a plugin that the builder doesn’t have', () => {
    const PLUGIN = '  <plugin name="cordova-plugin-ble-central" />\n';
    const uri = () => vscode.Uri.joinPath(openFolder().uri, 'config.xml');
    const told = () => vscode.languages.getDiagnostics(uri()).filter(({ code }) => code === 'pluginNotSupported');
    const text = async () => (await vscode.workspace.openTextDocument(uri())).getText();
    const untilTold = (count: number) => waitUntil(() => told().length === count);

    beforeEach(async () => {
      const support = { builder: 'builtin', unavailable: { android: null }, plugins: [] };
      service.answer('GET', /current_support/, { status: 200, body: JSON.stringify(support) });
      await writeFiles({
        'config.xml': config({ body: PLUGIN }),
        'www/index.html': '<!doctype html><title>Shop</title><script>ble.scan([], 5)</script>',
      });
      // VS Code reloads an open file some time after it has changed on disk.
      await waitUntil(async () => (await text()).includes(PLUGIN));
    });

    it('is an error in Problems, with a quick fix that removes it', async () => {
      const editor = await vscode.window.showTextDocument(uri());
      await untilTold(1);
      const [{ severity, range, message } = assert.fail()] = told();
      assert.equal(severity, vscode.DiagnosticSeverity.Error);
      assert.equal(editor.document.getText(range), PLUGIN.trim());
      assert.match(
        message,
        /^cordova-plugin-ble-central contains native code, .* Install the Cordova engine, or remove/,
      );
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri(),
        range,
      );
      assert.deepEqual(
        actions.filter(({ kind }) => kind?.value === 'quickfix').map(({ title }) => title),
        ['Install Engine…', 'Remove Plugin'],
      );
      const { edit } = actions.find(({ title }) => title === 'Remove Plugin') ?? assert.fail();
      assert.ok(edit && (await vscode.workspace.applyEdit(edit)));
      assert.doesNotMatch(editor.document.getText(), /ble-central/);
      await editor.document.save();
      await untilTold(0);
    });

    it('stays at its line in Problems when config.xml changes on disk', async () => {
      const { document } = await vscode.window.showTextDocument(uri());
      await untilTold(1);
      await writeFiles({ 'config.xml': config({ body: `  <author>Ann</author>\n\n${PLUGIN}` }) });
      await waitUntil(() => document.getText().includes('Ann'));
      const marked = () => told().map(({ range }) => document.getText(range));
      await waitUntil(() => marked().join() === PLUGIN.trim());
    });

    it('has a row labeled with the plugin’s name, and a button that removes the plugin in an edit that can be undone', async () => {
      await vscode.commands.executeCommand('appBuild.checkFolder');
      const { rows } = apps.preflight;
      const group = rows.getChildren().find((each) => rows.getTreeItem(each).label === 'Would fail');
      const [row = assert.fail(), ...others] = rows.getChildren(group);
      const { label, description, contextValue, tooltip } = rows.getTreeItem(row);
      assert.ok(typeof tooltip === 'string');
      assert.deepEqual(
        [others, label, description, contextValue],
        [[], 'cordova-plugin-ble-central', 'not available here', 'finding;installEngine;removePlugin;'],
      );
      assert.match(tooltip, /contains native code/);
      await untilTold(1);
      await vscode.commands.executeCommand('appBuild.removePlugin', row);
      assert.doesNotMatch(await text(), /ble-central/);
      await untilTold(0);
      await vscode.commands.executeCommand('undo');
      assert.match(await text(), /ble-central/);
    });

    it('stops a build, and offers the possible fixes', async () => {
      person.answers = { typed: [], press: press('Remove Plugin') };
      await build();
      assert.doesNotMatch(await text(), /ble-central/);
      assert.deepEqual(service.uploads, []);
    });
  });

  it('offers the source of an unbuilt page instead of a retry', async () => {
    await writeFiles({ 'www/index.html': '<!doctype html><script type="module" src="/src/main.ts"></script>' });
    person.answers = { typed: [], press: press('Open index.html') };
    await build();
    await waitUntil(() => vscode.window.activeTextEditor?.document.uri.path.endsWith('/www/index.html'));
    assert.match(said(), /index\.html loads source code/);
    assert.doesNotMatch(said(), /Retry/);
  });

  describe('after a failed build', () => {
    const fail = async (error: string) => {
      service.finish(id, 'android', 'error', error);
      await access.tree.refresh();
    };
    const row = async () => {
      const view = new TreeRows(access.tree);
      // The folder's app is the first row; others are under Apps.
      const first = (await access.tree.getChildren()).find((each) => view.shown(each).startsWith('Shop'));
      const node = await (first === undefined ? view.at('Apps', 'Shop', 'Android') : view.child(first, 'Android'));
      const { tooltip } = access.tree.getTreeItem(node);
      return { node, flags: view.getContext(node)?.split(';'), tooltip: typeof tooltip === 'string' ? tooltip : '' };
    };
    const show = async () => vscode.commands.executeCommand('appBuild.showBuildProblem', (await row()).node);

    it('shows the problem in the row, and opens the line', async () => {
      await fail('Malformed config.xml');
      await writeFiles({ 'config.xml': UNCLOSED });
      const { flags, tooltip } = await row();
      assert.ok(flags?.includes('problem'));
      assert.match(tooltip, /config\.xml isn’t well-formed, or is incomplete\. Use Show the Problem to go there\./);
      await show();
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.path, vscode.Uri.joinPath(openFolder().uri, 'config.xml').path);
      assert.ok(editor.selection.start.line > 0, 'the place of the problem');
    });

    it('reports that the folder no longer has the problem, and offers to build it', async () => {
      await fail('Malformed config.xml');
      person.answers = { typed: [], press: press('Build App') };
      const sent = next(apps.watcher.onDidChange);
      await show();
      assert.match(said(), /That’s no longer the case in workspace\. Build it again\./);
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
      person.answers = { typed: [], press: press('Install Engine…') };
      await show();
      assert.match(said(), /cordova-plugin-camera contains native code, .* calls it in www\/index\.html, line 1/);
      // The test's service isn't the local service, so the command reports that it can't install the engine.
      await waitUntil(() => said().includes('Only the local service uses a build engine on this computer.'));
    });

    it('opens the view for a finding without a file, and reports if nothing explains the failure', async () => {
      service.addKey('android', { title: 'Play', default: true, locked: true });
      await fail('The signing key “Play” is locked. Unlock it first.');
      await show();
      assert.ok(apps.preflight.check?.findings.some(({ code }) => code === 'keyLocked'));
      await fail('Incorrect keystore password');
      service.keys.clear();
      await show();
      assert.match(said(), /Nothing in workspace explains the failure: Incorrect keystore password/);
    });

    it('offers no explanation for an app without a folder here', async () => {
      await fail('Malformed config.xml');
      await apps.folders.set(openFolder().uri, connection, undefined);
      await access.tree.refresh();
      const { flags, tooltip } = await row();
      assert.ok(!flags?.includes('problem'));
      assert.doesNotMatch(tooltip, /Show the Problem/);
      await show();
      assert.match(said(), /No open folder is linked to “Shop”\./);
    });
  });
});
