import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError, sentence } from '../../src/errors/index.ts';
import { confirmSize } from '../../src/extension/apps/builds/buildDecisions.ts';
import type { CheckValue } from '../../src/extension/preflight/packageRows.ts';
import type { RowElement } from '../../src/extension/workbench/rowsView.ts';
import { createCheck, createPlan } from '../support/folderChecks.ts';
import { OriginalService } from '../support/originalService.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { getTestApps, getTestExtension, until } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { spokenRow } from './support/spokenRow.ts';
import { deleteFiles, openFolder, WEB_PROJECT, writeFiles } from './support/webProject.ts';

type Element = RowElement<CheckValue>;

const PRIVATE_KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA0m5'.repeat(4)}\n-----END RSA PRIVATE KEY-----\n`;

describe('the view Check', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const person = useRecordingUser();

  beforeEach(async () => {
    await writeFiles({ ...WEB_PROJECT, 'www/films/a.mp4': 'x'.repeat(3_000_000), 'www/films/b [1].mp4': 'y' });
  });

  afterEach(async () => {
    await apps.preflight.close();
    await deleteFiles('config.xml', 'www', '.appbuildignore', '.env', 'keys');
  });

  const run = (command: string, ...args: unknown[]) => vscode.commands.executeCommand(`appBuild.${command}`, ...args);
  const inFolder = (...names: readonly string[]) => path.join(openFolder().uri.fsPath, ...names);
  const ignoreFile = () => readFile(inFolder('.appbuildignore'), 'utf8').catch(() => undefined);
  const rows = (element?: Element) => apps.preflight.rows.getChildren(element);
  const getItem = (element: Element) => {
    const item = apps.preflight.rows.getTreeItem(element);
    spokenRow(item);
    return item;
  };
  const labels = (element?: Element) =>
    rows(element).map((each) => {
      const { label } = getItem(each);
      return typeof label === 'string' ? label : assert.fail();
    });

  /** Returns the row at this path of labels. */
  const find = (...names: readonly string[]): Element =>
    names.reduce<Element | undefined>((above, name) => {
      const found = rows(above).find((each) => getItem(each).label === name);
      assert.ok(found, `${name} is not among ${labels(above).join(', ')}`);
      return found;
    }, undefined) ?? assert.fail();
  const sent = (...names: readonly string[]) => find('Package contents', ...names);
  const check = (element: Element, isNowChecked: boolean) => apps.preflight.rows.check(element, isNowChecked);
  const isChecked = (...names: readonly string[]) => {
    const { checkboxState } = getItem(sent(...names));
    return typeof checkboxState === 'object' && checkboxState.state === vscode.TreeItemCheckboxState.Checked;
  };
  const untilRows = (fit: () => boolean | Promise<boolean>) => until(apps.preflight.rows.onDidChangeTreeData, fit);

  it('shows findings and files, which it opens, without asking the user to sign in', async () => {
    await run('checkFolder');
    const { rows: view } = apps.preflight;
    assert.deepEqual([view.visible, view.description], [true, openFolder().name]);
    assert.match(view.message, /^Ready to build\./);
    assert.deepEqual(person.questions, []);
    assert.equal(getItem(sent()).description, '4 files, 3.0 MB');
    const page = getItem(sent('www', 'index.html'));
    assert.equal(page.resourceUri?.toString(), vscode.Uri.joinPath(openFolder().uri, 'www/index.html').toString());
    assert.ok(page.command);
    const { command, arguments: given = [] } = page.command;
    await vscode.commands.executeCommand(command, ...(given as unknown[]));
    assert.equal(vscode.window.activeTextEditor?.document.fileName, inFolder('www', 'index.html'));
  });

  it('excludes an unchecked file with a line in .appbuildignore, and includes it again', async () => {
    await run('showPackage');
    check(sent('www', 'films', 'b [1].mp4'), false);
    await untilRows(() => !isChecked('www', 'films', 'b [1].mp4'));
    assert.equal(await ignoreFile(), '/www/films/b \\[1\\].mp4\n');
    assert.equal(getItem(find('Left out', '/www/films/b \\[1\\].mp4')).description, '.appbuildignore · 1');
    // Use the command in the context menu, as users without a mouse do.
    await run('toggleFile', sent('www', 'films', 'b [1].mp4'));
    await untilRows(() => isChecked('www', 'films', 'b [1].mp4'));
    await waitUntil(async () => (await ignoreFile()) === undefined);
    await run('toggleFile', { row: { checkbox: {}, value: { kind: 'file', path: 'config.xml' } } });
    assert.equal(await ignoreFile(), undefined);
  });

  it('adds the line to an open .appbuildignore as an edit that can be undone', async () => {
    await writeFile(inFolder('.appbuildignore'), '# mine\r\n*.psd');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(inFolder('.appbuildignore')));
    await run('showPackage');
    check(sent('www', 'films'), false);
    await untilRows(() => !isChecked('www', 'films'));
    assert.equal(await ignoreFile(), '# mine\r\n*.psd\r\n/www/films/\r\n');
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), '# mine\r\n*.psd');
  });

  it('sends a file that may contain a secret after the user agrees to this file, until it’s unchecked', async () => {
    await writeFiles({ 'www/data.json': PRIVATE_KEY, 'www/.env': 'A=1' });
    await run('showPackage');
    const suspect = find('Needs your approval', 'data.json');
    assert.equal(getItem(suspect).description, 'Private key on line 1 · www');
    assert.equal(labels(sent('www')).includes('data.json'), false);
    assert.deepEqual(labels(find('Left out', 'May contain secrets')), ['.env']);
    person.answers.press = () => undefined;
    check(suspect, true);
    await waitUntil(() =>
      person.notifications.join('\n').includes('Send www/data.json although it may contain a secret?'),
    );
    const { value } = suspect.row;
    const { check: shown } = apps.preflight;
    assert.ok(value?.kind === 'suspect' && shown !== undefined);
    assert.equal(apps.consents.getAnswer(shown.project, value.suspect), undefined, 'no answer is no yes');
    person.answers.press = (_text, [first]) => first;
    check(find('Needs your approval', 'data.json'), true);
    await untilRows(() => !labels().includes('Needs your approval'));
    assert.ok(isChecked('www', 'data.json'));
    check(sent('www', 'data.json'), false);
    await untilRows(() => !labels(sent('www')).includes('data.json'));
    assert.deepEqual(labels(find('Left out', 'May contain secrets')), ['.env', 'data.json']);
    assert.doesNotMatch(person.notifications.join('\n'), /MIIEow/);
  });

  it('follows the project’s files, and keeps expanded rows open', async () => {
    await run('showPackage');
    const { rows: view } = apps.preflight;
    const getChildren = view.getChildren.bind(view);
    const { id } = sent();
    try {
      // VS Code requests the children of a row only if it's expanded.
      const shown = new Promise<void>((resolve) => {
        view.getChildren = (element) => {
          if (element?.id === id) {
            resolve();
          }
          return getChildren(element);
        };
      });
      await writeFiles({ 'www/late.js': 'late' });
      await shown;
      await untilRows(() => labels(sent('www')).includes('late.js'));
      const config = await vscode.workspace.openTextDocument(inFolder('config.xml'));
      const edit = new vscode.WorkspaceEdit();
      edit.delete(config.uri, new vscode.Range(0, 0, config.lineCount, 0));
      await vscode.workspace.applyEdit(edit);
      // The check reads unsaved text.
      await untilRows(() => labels().includes('Would fail'));
    } finally {
      Reflect.deleteProperty(view, 'getChildren');
    }
  });

  it('shows hostile names verbatim', async () => {
    // No files change in this folder, so nothing triggers another check.
    const quiet = vscode.Uri.joinPath(openFolder().uri, 'quiet');
    const { project } = createCheck(quiet);
    const name = 'x[a](command:b)$(trash)\u202e.js';
    const plan = createPlan(project, { [name]: 1 }, { suspects: [] });
    const finding = { code: 'config', verdict: 'fine', message: sentence('Twice.') } as const;
    const findings = [finding, finding];
    await apps.preflight.show(createCheck(quiet, { folder: openFolder(), plan, findings }), 'files');
    assert.equal(new Set(rows(find('Fine')).map(({ id }) => id)).size, 2, 'VS Code shows no two rows of one id');
    const [item] = rows(sent()).map(getItem);
    const plain = 'x[a]\u200b(command:b)$\u200b(trash).js';
    assert.deepEqual([item?.label, item?.accessibilityInformation?.label], [plain, `${plain}, 1 byte`]);
  });

  it('checks for the app that the folder is linked to, and reports if it no longer exists', async () => {
    const service = await OriginalService.start();
    try {
      const connection = await signInAtService(access, service);
      const url = service.appUrl(service.addApp({ title: 'Shop' }));
      const link = { url, title: 'Shop', project: '' };
      await apps.folders.set(openFolder().uri, connection, link);
      await run('checkFolder', openFolder().uri);
      assert.equal(apps.preflight.rows.description, `${openFolder().name} as “Shop”`);
      await apps.folders.set(openFolder().uri, connection, { ...link, url: service.appUrl(99) });
      await run('checkFolder', { uri: openFolder().uri });
      const { tooltip } = getItem(find('Might fail', 'Service'));
      assert.ok(typeof tooltip === 'string');
      assert.match(tooltip, /This folder’s app “Shop” no longer exists\./);
    } finally {
      await service.close();
    }
  });

  it('shows only the latest of two concurrent checks, and none after the view is closed', async () => {
    await run('checkFolder');
    const { preflight } = apps;
    const check = preflight.check ?? assert.fail();
    let drawn = 0;
    const listener = preflight.rows.onDidChangeTreeData(() => (drawn += 1));
    // Each visible check watches its project's files.
    await Promise.all([preflight.show(check, 'files'), preflight.show(check, 'findings')]);
    listener.dispose();
    assert.equal(drawn, 1);
    const shown = preflight.show(check, 'files');
    await preflight.close();
    await shown;
    assert.equal(preflight.check, undefined);
  });

  it('opens instead of a large upload if the user wants to look first', async () => {
    const { project } = createCheck(openFolder().uri);
    const plan = createPlan(project, { 'www/film.mp4': 60_000_000, 'www/index.html': 1 });
    const input = await access.loadInput();
    let shown = 0;
    const show = () => Promise.resolve(void (shown += 1));
    const ask = (button?: string) => {
      person.answers.press = () => button;
      return confirmSize(plan, 'shop', input, show);
    };
    await assert.rejects(ask('Show Package Contents'), CancelledError);
    assert.equal(shown, 1);
    await assert.rejects(ask(), CancelledError);
    await ask('Send');
    assert.equal(shown, 1);
    assert.match(person.notifications[0] ?? '', /^Send 60\.0 MB of shop\?\n[^]*2 files, 60\.0 MB\. The largest:/);
    await confirmSize(createPlan(project, { a: 1 }), 'shop', input, show);
    assert.equal(person.notifications.length, 3, 'a small upload is not asked about');
  });

  it('writes nothing through a .appbuildignore that links out of the folder, even if the link is broken', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
    const target = path.join(outside, 'profile');
    const ignored = inFolder('.appbuildignore');
    try {
      await symlink(target, ignored);
      for (const text of [undefined, '# mine\n']) {
        await (text === undefined ? undefined : writeFile(target, text));
        const told = person.notifications.length + 1;
        await run('showPackage');
        check(sent('www', 'films', 'a.mp4'), false);
        await waitUntil(() => person.notifications.length === told);
        assert.match(
          person.notifications.at(-1) ?? '',
          /\.appbuildignore is a link or not a regular file, so nothing was written\./,
        );
        assert.equal(await readFile(target, 'utf8').catch(() => undefined), text);
        assert.ok(isChecked('www', 'films', 'a.mp4'));
      }
    } finally {
      await rm(ignored, { force: true });
      await rm(outside, { recursive: true });
    }
  });
});
