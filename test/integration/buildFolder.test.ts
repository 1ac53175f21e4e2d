import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import type { TestAccess } from '../../src/extension.ts';
import { oddAnswers } from '../support/originalService.ts';
import { accessTokens } from '../support/secrets.ts';
import { getTestApps, getTestExtension } from './support/extension.ts';
import { useOriginalService } from './support/useOriginalService.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { deleteFiles, openFolder, WEB_PROJECT, writeFiles } from './support/webProject.ts';

describe('building the open folder', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const service = useOriginalService();
  const person = useRecordingUser();
  let connection: SignedInConnection;
  /** Folder where packages are written. */
  let temporary: string;
  const { TMPDIR } = process.env;

  before(async () => {
    temporary = await mkdtemp(path.join(tmpdir(), 'packages-'));
    process.env.TMPDIR = temporary;
    await writeFiles({ ...WEB_PROJECT, '.env': 'TOKEN=secret-of-mine' });
  });

  after(async () => {
    if (TMPDIR === undefined) {
      delete process.env.TMPDIR;
    } else {
      process.env.TMPDIR = TMPDIR;
    }
    await rm(temporary, { recursive: true });
    await deleteFiles('config.xml', 'www', '.env', '.vscode');
  });

  beforeEach(async () => {
    connection = await signInAtService(access, service);
  });

  const build = () => vscode.commands.executeCommand('appBuild.buildFolder');
  const folder = () => openFolder().uri;
  const linked = () => apps.folders.get(folder(), connection);
  const link = (id: number) =>
    apps.folders.set(folder(), connection, { url: service.appUrl(id), title: 'Shop', project: '' });
  const said = () => person.notifications.join('\n');

  it('asks which app to use if there are several, and stops silently if the user dismisses the question', async () => {
    const another = service.addApp({ title: 'Another' });
    person.answers.pick = () => false;
    await build();
    assert.deepEqual([person.notifications, service.uploads, linked()], [[], [], undefined]);
    person.answers.pick = ({ label }) => label === 'Create an App';
    await build();
    for (const text of ['Which app does workspace build?', 'Create an App', 'Another']) {
      assert.ok(person.questions.join('\n').includes(text), text);
    }
    assert.notEqual(linked()?.url, service.appUrl(another));
    assert.equal(service.apps.size, 2);
  });

  it('creates the first app without a question, uploads, watches the builds, and remembers the app', async () => {
    await build();
    assert.deepEqual(person.questions, []);
    const [id, ...others] = service.apps.keys();
    assert.ok(id !== undefined && others.length === 0);
    assert.equal(service.app(id).fields.title, 'Shop');
    const [upload] = service.uploads;
    assert.ok(upload);
    assert.deepEqual(
      ['www/index.html', 'config.xml', '.env'].map((name) => upload.bytes.includes(name)),
      [true, true, false],
    );
    assert.deepEqual(linked(), { url: service.appUrl(id), title: 'Shop', project: '' });
    assert.equal(said(), '', 'nothing says that it is built before it is');
    assert.match(person.progress.join('\n'), /Uploaded [\d.]+ (bytes|kB) of/);
    assert.ok(!service.requests.some((line) => line.endsWith('/build')), 'the upload builds: nothing is asked twice');
    assert.deepEqual(
      apps.watcher.get(service.appUrl(id))?.builds.map(({ platform }) => platform),
      ['android', 'ios', 'winphone'],
    );
    service.finishAll();
    assert.equal((await apps.watcher.waitForEnd(service.appUrl(id))).kind, 'ended');
    assert.deepEqual(await readdir(temporary), [], 'the package is deleted');
  });

  it('sends a secret only if the user agrees to its file', async () => {
    const id = service.addApp({ title: 'Shop' });
    await link(id);
    const [token = ''] = accessTokens();
    await writeFiles({
      'www/config.js': `"${token}"`,
      'www/keys.js': `"${token}"`,
      'release.p12': 'x',
      '.appbuildignore': '!*.p12',
    });
    const sent = () =>
      service.uploads.map(({ bytes }) =>
        ['config.js', 'keys.js', 'release.p12'].filter((name) => bytes.includes(name)),
      );
    try {
      person.answers.lists = [['www/keys.js']];
      await build();
      assert.match(person.questions.join('\n'), /Access token on line 1/);
      person.questions.length = 0;
      await build();
      assert.deepEqual(sent(), [['keys.js'], ['keys.js']]);
      assert.deepEqual(person.questions, [], 'it is asked once');
      const texts = [...person.notifications, ...person.questions, JSON.stringify(getState(access))];
      assert.ok(!texts.join('\n').includes(token));
    } finally {
      await deleteFiles('www/config.js', 'www/keys.js', 'release.p12', '.appbuildignore');
    }
  });

  it('suggests the app with the same package or name first, to avoid a second one', async () => {
    service.addApp({ title: 'Another' });
    const id = service.addApp({ title: 'My shop', package: 'com.example.shop' });
    await build();
    assert.equal(linked()?.url, service.appUrl(id));
    assert.equal(service.apps.size, 2);
  });

  it('doesn’t offer to create an app if the service doesn’t allow it', async () => {
    service.answer('GET', /apps$/, { status: 200, body: '{"apps":[],"link":"/api/v1/apps","actions":[]}' });
    await build();
    assert.match(said(), /doesn’t let you create apps\. Your account might not have permission\./);
    assert.deepEqual([person.questions, service.uploads, linked()], [[], [], undefined]);
  });

  it('reports that the app was deleted before or during the upload, and asks again', async () => {
    await link(2999);
    await build();
    assert.match(person.questions.join('\n'), /“Shop” no longer exists, or demo can’t access it/);
    const [id] = service.apps.keys();
    assert.equal(linked()?.url, service.appUrl(id ?? 0));
    service.answer('PUT', /./, { status: 404, body: '{"error":"app not available"}' }, 1);
    person.questions.length = 0;
    person.answers.pick = ({ label }) => label === 'Create an App';
    await build();
    assert.match(person.questions.join('\n'), /“Shop” no longer exists/);
    assert.equal(service.apps.size, 2);
    assert.equal(linked()?.url, service.appUrl([...service.apps.keys()][1] ?? 0));
  });

  it('links nothing and keeps no package if the upload fails, and shows the next step', async () => {
    service.answer('POST', /apps$/, oddAnswers.tooLarge, 1);
    await build();
    assert.match(said(), /is too large for the service: The file is too large\..*\.appbuildignore/);
    assert.equal(linked(), undefined);
    assert.equal(service.apps.size, 0);
    assert.deepEqual(await readdir(temporary), []);
  });

  it('asks the user to sign in first', async () => {
    for (const { id } of await access.sessions.all()) {
      await access.sessions.remove(id);
    }
    person.answers = {
      typed: [service.username, service.password],
      pick: ({ label }) => ['User Name and Password', 'Create an App'].includes(label),
    };
    await build();
    assert.equal(service.uploads.length, 1);
    assert.ok((await access.sessions.all()).length === 1 && !said().includes(service.password));
  });

  it('saves the project’s unsaved files first if the setting for tasks requires it', async () => {
    await link(service.addApp());
    const file = vscode.Uri.joinPath(folder(), 'www', 'index.html');
    const before = await readFile(file.fsPath, 'utf8');
    const type = async (text: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(file, new vscode.Position(0, 0), text);
      await vscode.workspace.applyEdit(edit);
    };
    const setting = vscode.workspace.getConfiguration('task');
    await type('<!-- first -->');
    await build();
    assert.equal(await readFile(file.fsPath, 'utf8'), `<!-- first -->${before}`);
    await setting.update('saveBeforeRun', 'prompt', vscode.ConfigurationTarget.Global);
    await type('<!-- second -->');
    person.answers.pick = ({ label }) => label === 'Build Saved Files';
    await build();
    assert.match(person.questions.join('\n'), /Not saved yet: www\/index\.html/);
    assert.equal(await readFile(file.fsPath, 'utf8'), `<!-- first -->${before}`);
    await setting.update('saveBeforeRun', undefined, vscode.ConfigurationTarget.Global);
    await (await vscode.workspace.openTextDocument(file)).save();
    await writeFiles(WEB_PROJECT);
    assert.equal(service.uploads.length, 2);
  });

  it('asks before it links a second folder to an app, unless the first folder is deleted', async () => {
    const id = service.addApp({ title: 'Shop' });
    const other = await mkdtemp(path.join(temporary, 'other-'));
    await apps.folders.set(vscode.Uri.file(other), connection, { url: service.appUrl(id), title: 'Shop', project: '' });
    person.answers.press = () => undefined;
    const row = { url: service.appUrl(id) };
    await vscode.commands.executeCommand('appBuild.linkFolder', row);
    assert.match(said(), /“Shop” is already built from another folder\./);
    assert.ok(said().includes(other) && said().includes('Link Anyway'));
    assert.equal(linked(), undefined);
    person.answers.press = (_text, buttons) => buttons.find((button) => button === 'Link Anyway');
    await vscode.commands.executeCommand('appBuild.linkFolder', row);
    assert.equal(linked()?.url, service.appUrl(id));
    await vscode.commands.executeCommand('appBuild.unlinkFolder', row);
    assert.equal(linked(), undefined);
    await rm(other, { recursive: true });
    person.notifications.length = 0;
    await vscode.commands.executeCommand('appBuild.linkFolder', row);
    assert.equal(linked()?.url, service.appUrl(id));
    assert.doesNotMatch(said(), /another folder/);
    await vscode.commands.executeCommand('appBuild.unlinkFolder');
    assert.equal(linked(), undefined);
    await apps.folders.set(vscode.Uri.file(other), connection, undefined);
  });

  it('uploads once for several callers, requests the build if the upload doesn’t start it, and watches it once', async () => {
    const id = service.addApp({ title: 'Shop' });
    await link(id);
    const app = { id, title: 'Shop', link: `/api/v1/apps/${id}`, status: { android: null }, completed: true };
    service.answer('PUT', /apps/, { status: 200, body: JSON.stringify(app) });
    const watched: string[] = [];
    const subscription = apps.watcher.onDidChange(({ appUrl }) => watched.push(appUrl));
    const reports = [[], []] as string[][];
    await Promise.all(
      reports.map((texts) => apps.buildFolder(openFolder(), { report: (text) => void texts.push(text) })),
    );
    subscription.dispose();
    const writes = service.requests.filter((line) => !line.startsWith('GET '));
    assert.deepEqual(writes, [`PUT /api/v1/apps/${id}`, `POST /api/v1/apps/${id}/build`]);
    assert.equal(watched.filter((url) => url === service.appUrl(id)).length, 1);
    const [first = [], second = []] = reports;
    assert.deepEqual([first.length > 3, second], [true, []]);
  });

  it('asks which other app to build without unlinking the folder, and doesn’t join a build of the linked app', async () => {
    const id = service.addApp({ title: 'Shop' });
    await link(id);
    const links: (string | undefined)[] = [];
    const subscription = apps.folders.onDidChange(() => links.push(linked()?.url));
    person.answers.pick = ({ label }) => label === 'Create an App';
    const [own, another] = await Promise.all([
      apps.buildFolder(openFolder()),
      apps.buildFolder(openFolder(), { target: 'ask' }),
    ]);
    subscription.dispose();
    assert.equal(own.app.url, service.appUrl(id));
    const created = service.appUrl([...service.apps.keys()].at(-1) ?? 0);
    assert.deepEqual([another.app.url, another.isFirst, linked()?.url], [created, true, created]);
    assert.deepEqual(links, [service.appUrl(id), created]);
    assert.doesNotMatch(person.questions.join('\n'), /no longer exists/);
  });

  it('waits until a build of the same folder for other platforms ends, then starts another build', async () => {
    await link(service.addApp());
    const report = () => undefined;
    const wanted = [['android'], ['winphone'], ['winphone']];
    const started = await Promise.all(wanted.map((platforms) => apps.buildFolder(openFolder(), { platforms, report })));
    assert.deepEqual(
      started.map(({ platforms }) => platforms),
      wanted,
    );
    assert.equal(service.uploads.length, 2);
  });
});

/** Returns the remembered values. */
function getState({ globalState, context: { workspaceState } }: TestAccess): readonly unknown[] {
  return [globalState, workspaceState].flatMap((memento) => memento.keys().map((key) => [key, memento.get(key)]));
}
