import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import type { TreeNode } from '../../src/extension/resources/tree/treeNode.ts';
import { getTestApps, getTestExtension, logged } from './support/extension.ts';
import { useOriginalService } from './support/useOriginalService.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { openFolder } from './support/webProject.ts';

describe('a command on several rows', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  let connection: SignedInConnection;
  let view: TreeRows;
  const person = useRecordingUser();
  const service = useOriginalService();
  let folder: string;
  let ids: readonly number[];
  let list: TreeNode;

  before(() => {
    view = new TreeRows(access.tree);
  });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-several-'));
    ids = ['Shop', 'Field Notes', 'Shop'].map((title) => service.addApp({ title }));
    for (const id of ids) {
      service.finish(id, 'android');
    }
    service.addKey('ios', { title: 'Ann' });
    service.addKey('ios', { title: 'Ben' });
    connection = await signInAtService(access, service);
    await access.tree.refresh();
    list = await view.at('Apps');
  });

  afterEach(async () => {
    const shown = [...person.notifications, ...person.questions, ...person.progress, await logged(access)].join('\n');
    await rm(folder, { recursive: true, force: true });
    assert.ok(!shown.includes(service.token), 'a token is shown or logged');
  });

  const rows = () => access.tree.getChildren(list);
  /** Runs a command as VS Code runs it from a menu. */
  const run = (command: string, clicked: TreeNode | undefined, selected: readonly (TreeNode | undefined)[]) =>
    vscode.commands.executeCommand(`appBuild.${command}`, clicked, [...selected]);
  const said = () => person.notifications.join('\n');
  const writes = () => service.requests.filter((line) => !line.startsWith('GET '));
  const saved = async () => (await readdir(folder)).sort();
  const [appPath, downloadPath] = [
    (id = 0) => new RegExp(`apps/${id}$`),
    (id = 0) => new RegExp(`apps/${id}/android$`),
  ];

  it('saves builds in one folder, each under a different name, and reports it once', async () => {
    const [shop, notes, other] = await rows();
    assert.ok(shop);
    const android = await view.child(shop, 'Android');
    person.answers = { typed: [], files: [folder] };
    const files = (await run('downloadBuild', shop, [shop, android, notes, other, list])) as vscode.Uri[];
    assert.deepEqual(await saved(), files.map((file) => path.basename(file.fsPath)).sort());
    assert.equal(files.length, 3, 'the build of an app and its platform is one');
    assert.deepEqual(await readFile(files[0]?.fsPath ?? ''), service.artifact);
    assert.equal(person.notifications.length, 1);
    assert.match(said(), /^Builds downloaded to .*: 3 of 3\.\nOne selected row was skipped/);
    assert.ok(person.progress.some((text) => text.startsWith('2 of 3: Field Notes for Android')));
  });

  it('saves builds under package names, even if the service suggests a name that a tool would run', async () => {
    const all = await rows();
    const disposition = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` });
    for (const [index, name] of ['eslint.config.mjs', 'Makefile', '../.git/x.AAB'].entries()) {
      service.answer('GET', downloadPath(ids[index]), { status: 200, headers: disposition(name), body: 'built' });
    }
    person.answers = { typed: [], files: [folder] };
    await run('downloadBuild', all[0], all);
    const names = await saved();
    assert.equal(names.length, 3, names.join());
    assert.deepEqual(
      names.map((name) => name.replace(/^(?:Shop|Field Notes)(?:-[\d.]+\d)?(?: \(2\))?/, '')).sort(),
      ['.aab', '.apk', '.apk'],
      names.join(),
    );
  });

  it('continues after a failure, reports it, and doesn’t replace a file unless the user agrees', async () => {
    const all = await rows();
    const names = (await run('downloadBuild', all[0], [all[0], all[1]]), await saved());
    assert.deepEqual(names, [], 'without a folder, nothing is saved');
    assert.ok(!service.requests.some((line) => line.endsWith('android')));

    service.answer('GET', downloadPath(ids[1]), { status: 404, body: '{"error":"It was <b>removed</b>"}' });
    person.answers = { typed: [], files: [folder] };
    const [first] = (await run('downloadBuild', all[0], all)) as vscode.Uri[];
    assert.equal((await saved()).length, 2);
    assert.match(said(), /2 of 3\.\nField Notes for Android: The service returned an error \(404\): It was/);

    await writeFile(first?.fsPath ?? '', 'mine');
    for (const [answer, content] of [
      [undefined, 'mine'],
      ['Replace', service.artifact.toString()],
    ] as const) {
      person.answers = { typed: [], files: [folder], press: () => answer };
      await run('downloadBuild', all[0], [all[0], all[1]]);
      assert.match(said(), /already exists\. Replace it\?/);
      assert.equal((await readFile(first?.fsPath ?? '')).toString(), content);
    }
    assert.ok((await saved()).every((name) => !name.endsWith('.part')));
  });

  it('keeps saved files when it’s canceled halfway', async () => {
    const all = await rows();
    service.answer('GET', downloadPath(ids[1]), { dripMs: 60_000 });
    person.answers = { typed: [], files: [folder] };
    const ended = run('downloadBuild', all[0], all);
    await person.untilProgress('2 of 3');
    person.cancelProgress();
    assert.equal(((await ended) as vscode.Uri[]).length, 1);
    assert.match(said(), /: 1 of 3\.$/m);
    assert.equal((await saved()).length, 1);
  });

  it('deletes apps and their stored data after one question with their names', async () => {
    const all = await rows();
    const url = service.appUrl(ids[0] ?? 0);
    await apps.folders.set(openFolder().uri, connection, { url, title: 'Shop', project: '' });
    try {
      person.answers = { typed: [], press: () => undefined };
      await run('deleteApp', all[0], [all[0], all[1]]);
      assert.deepEqual(writes(), []);
      assert.match(
        said(),
        /^Delete 2 apps\?\n[^]*• Shop\n• Field Notes\n[^]*You can’t undo this[^]*no longer have an app/,
      );

      service.answer('DELETE', appPath(ids[1]), { status: 403, body: '{"error":"Not yours"}' });
      person.answers = { typed: [], press: (_, [action]) => action };
      person.notifications.length = 0;
      await run('deleteApp', all[0], all);
      assert.deepEqual([...service.apps.keys()], [ids[1]]);
      assert.equal(person.notifications.length, 2, 'one question, one answer');
      assert.match(said(), /Deleted: 2 of 3\.\nField Notes: .*Not yours/);
      assert.equal(apps.folders.get(openFolder().uri, connection), undefined);
      assert.deepEqual(await view.rows(list).then((shown) => shown.length), 1);
    } finally {
      await apps.folders.set(openFolder().uri, connection, undefined);
    }
  });

  it('cancels builds, and reports which ones the service doesn’t cancel', async () => {
    const [first = 0, second = 0] = ids;
    const href = `/api/v1/apps/${first}/build/ios`;
    service.change(first, { status: { ios: 'pending' }, actions: [{ name: 'cancel-ios', method: 'DELETE', href }] });
    const actions = [{ name: 'cancel-ios', method: 'DELETE', href: href.replace(String(first), String(second)) }];
    service.change(second, { status: { ios: 'pending' }, actions });
    service.answer('DELETE', /build\/ios$/, { status: 202, body: '{"success":"cancelled"}' });
    await access.tree.refresh();
    const all = await rows();
    service.change(second, { status: { ios: 'complete' } });
    await run('cancelBuild', all[0], all);
    assert.deepEqual(writes(), [`DELETE ${href}`]);
    assert.match(said(), /^Builds canceled: 1 of 2\.\nField Notes: “Field Notes” isn’t building\.\nOne selected row/);
  });

  it('copies one link per line, and reloads each row once', async () => {
    const [shop, notes] = await rows();
    await run('copyLink', shop, [shop, notes]);
    assert.deepEqual(person.copied, [
      ids
        .slice(0, 2)
        .map((id) => service.appUrl(id))
        .join('\n'),
    ]);
    assert.ok(shop && notes);
    await Promise.all([shop, notes].map((row) => access.tree.getChildren(row)));
    service.requests.length = 0;
    await run('refreshResource', shop, [shop, notes, await view.child(shop, 'Android')]);
    assert.deepEqual(service.requests.filter((line) => /apps\/\d+$/.test(line)).length, 2);
  });

  it('applies only to the clicked row if it isn’t selected or the command accepts only one', async () => {
    const [shop, notes, other] = await rows();
    await run('copyLink', shop, [notes, other]);
    await run('copyLink', shop, [shop]);
    await vscode.commands.executeCommand('appBuild.copyLink', shop, 'nonsense');
    assert.deepEqual(new Set(person.copied), new Set([service.appUrl(ids[0] ?? 0)]));
    await run('openInBrowser', shop, [shop, notes]);
    assert.deepEqual(person.pages, [service.appUrl(ids[0] ?? 0)]);
    await run('deleteKey', list, [list, shop]);
    assert.match(said(), /^This can’t be done with any of the selected rows\./);
    assert.deepEqual(writes(), []);
  });
});
