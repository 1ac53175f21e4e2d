import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import { MAX_LOG_LENGTH } from '../../src/extension/apps/builds/limits.ts';
import { LOG_SCHEME } from '../../src/extension/apps/builds/names.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { getTestApps, getTestExtension, logged, next, until, signOutEverywhere } from './support/extension.ts';
import { useOriginalService } from './support/useOriginalService.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { deleteFiles } from './support/webProject.ts';

describe('the log of a build', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const service = useOriginalService();
  const user = useRecordingUser();
  let connection: SignedInConnection;
  let folder: string;

  before(async () => {
    folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    await mkdir(path.join(folder, 'project', 'www', 'js'), { recursive: true });
    await writeFile(path.join(folder, 'project', 'www', 'js', 'app.js'), 'one\ntwo\nthree four\n');
    await writeFile(path.join(folder, 'project', 'config.xml'), '<widget/>\n');
    await mkdir(path.join(folder, 'outside'));
    await writeFile(path.join(folder, 'outside', 'a.js'), 'x');
    await symlink(path.join(folder, 'outside'), path.join(folder, 'project', 'www', 'linked'), 'junction');
  });

  beforeEach(async () => {
    connection = await signInAtService(access, service);
  });

  after(() => deleteFiles('project', 'outside'));

  /** Creates an app with a running build and its log. */
  function building(...first: readonly string[]) {
    const id = service.addApp({ title: 'Tested App' });
    const url = service.appUrl(id);
    service.app(id).status.android = 'pending';
    const lines: string[] = [];
    const log = (...added: readonly string[]) => {
      lines.push(...added);
      service.setLog(id, 'android', lines.map((line) => `${line}\n`).join(''));
    };
    log(...first);
    const open = async () => {
      await vscode.commands.executeCommand('appBuild.showBuildLog', { appUrl: url, platform: 'android' });
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.scheme, LOG_SCHEME, await logged(access));
      return editor;
    };
    /** Returns the number of requests for the log so far. */
    const requests = () => service.requests.filter((line) => line.includes(`/apps/${id}/logs/`)).length;
    const start = () => {
      lines.length = 0;
    };
    return { id, url, log, open, requests, start, end: (status = 'complete') => service.finish(id, 'android', status) };
  }

  /** Resolves when the document contains this text. */
  async function grown(document: vscode.TextDocument, text: string): Promise<void> {
    await until(vscode.workspace.onDidChangeTextDocument, () => document.getText().includes(text));
  }

  /** Resolves when the visible ranges of an editor meet the condition. */
  async function shows(fits: () => boolean): Promise<void> {
    await until(vscode.window.onDidChangeTextEditorVisibleRanges, fits);
  }

  it('grows during the build, scrolls only while its end is visible, and keeps selections', async () => {
    const build = building(...Array.from({ length: 200 }, (_, index) => `line ${index}`));
    const editor = await build.open();
    const { document } = editor;
    assert.match(document.uri.path, /\/Tested App – Android\.log$/);
    await shows(() => (editor.visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2);
    build.log('error: of the compiler', 'the end');
    await grown(document, 'the end\n');
    await shows(() => (editor.visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2);

    editor.revealRange(new vscode.Range(0, 0, 0, 0), vscode.TextEditorRevealType.AtTop);
    await shows(() => editor.visibleRanges[0]?.start.line === 0);
    editor.selection = new vscode.Selection(1, 2, 1, 5);
    const before = [editor.visibleRanges, editor.selection];
    build.log('later');
    await grown(document, 'later\n');
    assert.deepEqual([editor.visibleRanges, editor.selection], before);
  });

  it('is no longer requested when its tab is closed or it’s complete', async () => {
    const [closed, complete, clock] = [building('one'), building('two'), building()];
    const { document } = await closed.open();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const tab = tabs.find(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.query === document.uri.query,
    );
    assert.ok(tab);
    await vscode.window.tabGroups.close(tab);
    complete.end();
    assert.equal((await complete.open()).document.getText(), 'two\n');
    const before = [closed.requests(), complete.requests()];
    const waiting = await clock.open();
    assert.match(waiting.document.getText(), /^The log of “Tested App” is empty so far\./);
    await waitUntil(() => clock.requests() >= 3);
    assert.deepEqual([closed.requests(), complete.requests()], before);
    const again = await closed.open();
    assert.equal(again.document.getText(), 'one\n');
  });

  it('links to files in the folder, and lists their problems until the next build starts', async () => {
    const uri = vscode.Uri.file(path.join(folder, 'project', 'www', 'js', 'app.js'));
    const config = vscode.Uri.file(path.join(folder, 'project', 'config.xml'));
    const build = building('Begins');
    const project = { url: build.url, title: 'Tested App', project: 'project' };
    const root = vscode.Uri.file(folder);
    await apps.folders.set(root, connection, project);
    const { document } = await build.open();
    for (const line of [
      'www/js/app.js:3:7: error: Unexpected word [x](command:y)',
      'a warning at <project>/source/www/js/app.js',
      'www/js/missing.js:1:1: error: There is no such file',
      '../outside/a.js:1:1: error: Outside',
      'www/linked/a.js:1:1: error: Outside, too',
      'https://evil.example/a.js file:///etc/hostname FILE://evil.example/share/a.js //evil.example/a.js www.evil.example',
      'https:\u001b[31m/\u001b[1m/evil.example/b https:\u001b[0m//evil.example/c vscode://x/y \\\\evil.example\\share\\a.js',
      `at file://${uri.path}:3:1`,
      'config.xml: the preference “x” isn’t supported with this value and is ignored.',
    ]) {
      build.log(line);
    }
    await grown(document, 'is ignored');
    const told = next(vscode.languages.onDidChangeDiagnostics, () => getProblems(config).length > 0);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    const isInFolder = ({ target }: vscode.DocumentLink) => target?.path.startsWith(root.path) === true;
    assert.deepEqual(
      links.filter(isInFolder).map(({ range, target }) => [document.getText(range), target?.toString()]),
      [
        ['www/js/app.js:3:7', uri.with({ fragment: 'L3,7' }).toString()],
        ['<project>/source/www/js/app.js', uri.toString()],
        [`file://${uri.path}:3:1`, uri.with({ fragment: 'L3,1' }).toString()],
        ['config.xml', config.toString()],
      ],
    );
    // VS Code itself adds these links.
    assert.deepEqual(
      links.filter((link) => !isInFolder(link)).map(({ range }) => document.getText(range)),
      [
        'https://evil.example/a.js',
        'file:///etc/hostname',
        'FILE://evil.example/share/a.js',
        'https://evil.example/b',
        'https://evil.example/c',
      ],
    );
    if (getProblems(config).length === 0) {
      await told;
    }
    assert.deepEqual(getProblems(uri), ['2:6 Unexpected word [x]\u200b(command:y) App Build']);
    assert.deepEqual(getProblems(config), [
      '0:0 the preference “x” isn’t supported with this value and is ignored App Build',
    ]);
    assert.deepEqual(getProblems(vscode.Uri.file(path.join(folder, 'project', 'www', 'js', 'missing.js'))), []);
    build.end('error');

    build.start();
    build.log('Begins again');
    const gone = next(vscode.languages.onDidChangeDiagnostics, () => getProblems(uri).length === 0);
    await vscode.commands.executeCommand('appBuild.buildApp', { app: build.url, platforms: ['android'] });
    await gone;
    await grown(document, 'Begins again');
    assert.ok(!document.getText().includes('Unexpected word'), 'the log starts over');
    assert.deepEqual(getProblems(config), []);
    await apps.folders.set(root, connection, undefined);
  });

  it('keeps its last lines if it’s too long, and shows that it’s shortened', async () => {
    const log = `${'x'.repeat(99)}\n`.repeat(5_000);
    const parts = Math.ceil(MAX_LOG_LENGTH / log.length) + 1;
    const build = building('x');
    for (let part = 1; part <= parts; part += 1) {
      const answer = { log: part < parts ? log : 'the end\n', next_offset: part, completed: part === parts };
      service.answer('GET', /logs/, { status: 200, body: JSON.stringify(answer) }, 1);
    }
    const { document } = await build.open();
    await grown(document, 'the end\n');
    assert.ok(document.getText().length <= MAX_LOG_LENGTH);
    assert.match(document.lineAt(0).text, /^[\d,.]+ earlier lines aren’t shown/);
    assert.match(document.lineAt(1).text, /^x+$/);
  });

  it('contains no control sequences or tokens, and isn’t opened if no log exists', async () => {
    const { token } = service;
    const [head, tail] = [token.slice(0, 6), token.slice(6)];
    const build = building(
      '\u001b[31mred\u001b[0m \u001b]8;;command:x\u0007link\u001b]8;;\u0007',
      `a ${token} b`,
      `${head}\u001b[1m${tail}`,
    );
    const { document } = await build.open();
    assert.equal(document.getText(), 'red link\na *** b\n***\n');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    service.answer('GET', /logs/, { status: 404, body: '{"error":"gone"}' });
    await vscode.commands.executeCommand('appBuild.showBuildLog', { appUrl: build.url, platform: 'android' });
    assert.match(user.notifications.join(), /The service has no log for the build of “Tested App” for Android\./);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('explains in its last line why it stopped, such as a sign-out, and continues after Refresh', async () => {
    const build = building('one');
    const { document } = await build.open();
    service.answer('GET', /logs/, { status: 403, body: '{"error":"no"}' });
    await grown(document, 'The log can’t be read. The service returned an error (403): no.');
    assert.match(document.getText(), /one\nThe log can’t be read/);
    service.answerNormally();
    build.log('two');
    await vscode.commands.executeCommand('appBuild.refresh');
    await grown(document, 'one\ntwo\n');
    assert.ok(!document.getText().includes('can’t be read'));
    await signOutEverywhere(access);
    await grown(document, 'The log can’t be read. You aren’t connected to a service yet.');
  });

  function getProblems(uri: vscode.Uri): readonly string[] {
    return vscode.languages
      .getDiagnostics(uri)
      .map(({ range: { start }, message, source }) => `${start.line}:${start.character} ${message} ${source ?? ''}`);
  }
});
