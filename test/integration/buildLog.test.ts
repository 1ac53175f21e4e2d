import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { FolderApps } from '../../src/apps/folderApps.ts';
import { MAX_LOG_LENGTH } from '../../src/builds/limits.ts';
import { LOG_SCHEME } from '../../src/builds/names.ts';
import type { Builder } from '../../src/localService/builds/builder.ts';
import { BuildError } from '../../src/localService/builds/builder.ts';
import { PAGE, upload } from '../support/builds.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { extensionOfTests, logged, next, until, signOutEverywhere } from './support/extension.ts';
import { startInterceptingProxy, type InterceptingProxy } from './support/interceptingProxy.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { deleteFiles } from './support/webProject.ts';

/** A build that logs and ends when the test says so. */
interface ToldBuild {
  readonly appId: number;
  readonly log: (line: string) => void;
  /** @param error of a build that fails. */
  readonly end: (error?: string) => void;
}

/** Builds two apps at once, as the service lets it. */
class ToldBuilder implements Builder {
  readonly name = 'test';
  readonly #started = new vscode.EventEmitter<ToldBuild>();
  readonly #running = new Set<ToldBuild>();

  platforms() {
    const why = 'Not built here.';
    return Promise.resolve({ android: undefined, ios: why, winphone: why, browser: why });
  }

  /** The build of an app, as soon as it has started. */
  async of(id: number): Promise<ToldBuild> {
    const running = [...this.#running].find(({ appId }) => appId === id);
    return running ?? next(this.#started.event, ({ appId }) => appId === id);
  }

  endAll(): void {
    this.#running.forEach(({ end }) => end());
  }

  async build({ app, workFolder }: Parameters<Builder['build']>[0], log: (line: string) => void, signal: AbortSignal) {
    await new Promise<void>((resolve, reject) => {
      const build: ToldBuild = {
        appId: app.id,
        log,
        end: (error) => {
          this.#running.delete(build);
          if (error === undefined) {
            resolve();
          } else {
            reject(new BuildError(error));
          }
        },
      };
      this.#running.add(build);
      signal.addEventListener('abort', () => build.end('Cancelled.'));
      this.#started.fire(build);
    });
    const file = path.join(workFolder, 'app.apk');
    await writeFile(file, 'apk');
    return { path: file, fileName: 'app.apk' };
  }
}

describe('the log of a build', () => {
  const access = extensionOfTests();
  let service: InProcessService;
  let front: InterceptingProxy;
  let builder: ToldBuilder;
  const user = userOfEachTest();
  let folder: string;

  before(async () => {
    builder = new ToldBuilder();
    service = await startInProcess({ builder });
    front = await startInterceptingProxy(service.baseUrl);
    folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    await mkdir(path.join(folder, 'project', 'www', 'js'), { recursive: true });
    await writeFile(path.join(folder, 'project', 'www', 'js', 'app.js'), 'one\ntwo\nthree four\n');
    await writeFile(path.join(folder, 'project', 'config.xml'), '<widget/>\n');
    await mkdir(path.join(folder, 'outside'));
    await writeFile(path.join(folder, 'outside', 'a.js'), 'x');
    await symlink(path.join(folder, 'outside'), path.join(folder, 'project', 'www', 'linked'), 'junction');
  });

  beforeEach(() => signInAtService(access, service, front.url));

  afterEach(() => {
    builder.endAll();
    front.instead = undefined;
  });

  after(async () => {
    await front.close();
    await service.stop();
    await deleteFiles('project', 'outside');
  });

  /** Uploads an app, which is built at once, and opens its log. */
  async function building(...lines: readonly string[]) {
    const id = await upload(service, PAGE);
    const build = await builder.of(id);
    lines.forEach((line) => build.log(line));
    return { ...build, id, editor: await opened(id) };
  }

  async function opened(app: number): Promise<vscode.TextEditor> {
    await vscode.commands.executeCommand('appBuild.showBuildLog', { appUrl: urlOf(app), platform: 'android' });
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.scheme, LOG_SCHEME, await logged(access));
    return editor;
  }

  function urlOf(app: number): string {
    return `${front.url}/api/v1/apps/${app}`;
  }

  /** Resolves when the document has this text in it. */
  async function grown(document: vscode.TextDocument, text: string): Promise<void> {
    await until(vscode.workspace.onDidChangeTextDocument, () => document.getText().includes(text));
  }

  /** Resolves when an editor shows this. */
  async function shows(fits: () => boolean): Promise<void> {
    await until(vscode.window.onDidChangeTextEditorVisibleRanges, fits);
  }

  /** Requests for the log of an app so far. */
  function requestsFor(app: number): number {
    return front.requests.filter((line) => line.includes(`/apps/${app}/logs/`)).length;
  }

  it('grows while the build runs; it scrolls only while its end is in view, and keeps selections', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const { log, end, editor } = await building('── Preparing', ...lines, '── Compiling', ...lines);
    const { document } = editor;
    assert.match(document.uri.path, /\/Tested App – android\.log$/);
    await shows(() => (editor.visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2);
    log('error: of the compiler');
    log('the end');
    await grown(document, 'the end\n');
    await shows(() => (editor.visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2);

    editor.revealRange(new vscode.Range(0, 0, 0, 0), vscode.TextEditorRevealType.AtTop);
    await shows(() => editor.visibleRanges[0]?.start.line === 0);
    editor.selection = new vscode.Selection(1, 2, 1, 5);
    const before = [editor.visibleRanges, editor.selection];
    log('later');
    await grown(document, 'later\n');
    assert.deepEqual([editor.visibleRanges, editor.selection], before);
    end();
    await grown(document, 'Built app.apk');
  });

  it('is asked for no more when its tab is closed, and when it is complete', async () => {
    const first = await building('one');
    const second = await building('two');
    // It waits for the others: its requests are the clock.
    const third = await upload(service, PAGE);
    const waiting = await opened(third);
    assert.match(waiting.document.getText(), /^The log of “Tested App” is empty so far\./);
    const { query } = first.editor.document.uri;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const tab = tabs.find(({ input }) => input instanceof vscode.TabInputText && input.uri.query === query);
    assert.ok(tab);
    second.end();
    await grown(second.editor.document, 'Built app.apk');
    await vscode.window.tabGroups.close(tab);
    const counts = () => [requestsFor(first.id), requestsFor(second.id)];
    const [before, ticks] = [counts(), requestsFor(third)];
    await waitUntil(() => requestsFor(third) >= ticks + 2);
    assert.deepEqual(counts(), before);
    const again = await opened(first.id);
    first.end();
    await grown(again.document, 'one\nBuilt app.apk');
  });

  it('links to files of the folder, and tells what is wrong in them, until the next build starts', async () => {
    const uri = vscode.Uri.file(path.join(folder, 'project', 'www', 'js', 'app.js'));
    const config = vscode.Uri.file(path.join(folder, 'project', 'config.xml'));
    const { id, log, end } = await building('Begins');
    const service = { url: parseServiceUrl(front.url), local: false };
    const project = { url: urlOf(id), title: 'Tested App', project: 'project' };
    const root = vscode.Uri.file(folder);
    await new FolderApps(access.context.globalState).set(root, { service }, project);
    // The folders are those of when the log was opened.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { document } = await opened(id);
    for (const line of [
      'www/js/app.js:3:7: error: Unexpected word [x](command:y)',
      'a warning at <project>/source/www/js/app.js',
      'www/js/missing.js:1:1: error: There is no such file',
      '../outside/a.js:1:1: error: Outside',
      'www/linked/a.js:1:1: error: Outside, too',
      'https://evil.example/a.js file:///etc/hostname FILE://evil.example/share/a.js //evil.example/a.js www.evil.example',
      'https:\u001b[31m/\u001b[1m/evil.example/b https:\u001b[0m//evil.example/c vscode://x/y \\\\evil.example\\share\\a.js',
      `at file://${uri.path}:3:1`,
      'config.xml: the preference “x” is not supported with this value, and left out.',
    ]) {
      log(line);
    }
    await grown(document, 'left out');
    const told = next(vscode.languages.onDidChangeDiagnostics, () => problemsOf(config).length > 0);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    const isOfFolder = ({ target }: vscode.DocumentLink) => target?.path.startsWith(root.path) === true;
    assert.deepEqual(
      links.filter(isOfFolder).map(({ range, target }) => [document.getText(range), target?.toString()]),
      [
        ['www/js/app.js:3:7', uri.with({ fragment: 'L3,7' }).toString()],
        ['<project>/source/www/js/app.js', uri.toString()],
        [`file://${uri.path}:3:1`, uri.with({ fragment: 'L3,1' }).toString()],
        ['config.xml', config.toString()],
      ],
    );
    // VS Code's own.
    assert.deepEqual(
      links.filter((link) => !isOfFolder(link)).map(({ range }) => document.getText(range)),
      [
        'https://evil.example/a.js',
        'file:///etc/hostname',
        'FILE://evil.example/share/a.js',
        'https://evil.example/b',
        'https://evil.example/c',
      ],
    );
    if (problemsOf(config).length === 0) {
      await told;
    }
    assert.deepEqual(problemsOf(uri), ['2:6 Unexpected word [x]\u200b(command:y) App Build']);
    assert.deepEqual(problemsOf(config), [
      '0:0 the preference “x” is not supported with this value, and left out App Build',
    ]);
    assert.deepEqual(problemsOf(vscode.Uri.file(path.join(folder, 'project', 'www', 'js', 'missing.js'))), []);
    end('It failed.');
    await grown(document, 'It failed.');

    const gone = next(vscode.languages.onDidChangeDiagnostics, () => problemsOf(uri).length === 0);
    await vscode.commands.executeCommand('appBuild.buildApp', { app: urlOf(id), platform: 'android' });
    const again = await builder.of(id);
    again.log('Begins again');
    await gone;
    await grown(document, 'Begins again');
    assert.ok(!document.getText().includes('Unexpected word'), 'the log starts over');
    assert.deepEqual(problemsOf(config), []);
    again.end();
    await grown(document, 'Built app.apk');
  });

  it('keeps its last lines when it is too long, and says so', async () => {
    const log = `${'x'.repeat(99)}\n`.repeat(5_000);
    const parts = Math.ceil(MAX_LOG_LENGTH / log.length) + 1;
    let part = 0;
    const id = await upload(service, PAGE);
    front.instead = (requested) => {
      if (!requested.includes('/logs/')) {
        return undefined;
      }
      part += 1;
      const answer = { log: part < parts ? log : 'the end\n', next_offset: part, completed: part === parts };
      return { status: 200, body: JSON.stringify(answer) };
    };
    const { document } = await opened(id);
    await grown(document, 'the end\n');
    assert.ok(document.getText().length <= MAX_LOG_LENGTH);
    assert.match(document.lineAt(0).text, /^[\d,.]+ earlier lines are not shown/);
    assert.match(document.lineAt(1).text, /^x+$/);
  });

  it('shows no control sequence and no token, and is not shown at all when there is none', async () => {
    const { authToken } = service;
    const [head, tail] = [authToken.slice(0, 6), authToken.slice(6)];
    const log = `\u001b[31mred\u001b[0m \u001b]8;;command:x\u0007link\u001b]8;;\u0007\na ${authToken} b\n${head}\u001b[1m${tail}\nend`;
    const id = await upload(service, PAGE);
    front.instead = (requested) =>
      requested.includes('/logs/')
        ? { status: 200, body: JSON.stringify({ log, next_offset: 9, completed: true }) }
        : undefined;
    const { document } = await opened(id);
    assert.equal(document.getText(), 'red link\na *** b\n***\nend\n');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    front.instead = (requested) =>
      requested.includes('/logs/') ? { status: 404, body: '{"error":"gone"}' } : undefined;
    await vscode.commands.executeCommand('appBuild.showBuildLog', { appUrl: urlOf(id), platform: 'android' });
    assert.match(user.notifications.join(), /The service has no log of the build of “Tested App” for android\./);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('says in its last line why it does not go on, such as having signed out, and goes on after Refresh', async () => {
    const { log, editor } = await building('one');
    const { document } = editor;
    front.instead = (requested) => (requested.includes('/logs/') ? { status: 403, body: '{"error":"no"}' } : undefined);
    await grown(document, 'The log cannot be read. The service answered with status 403: no.');
    assert.match(document.getText(), /one\nThe log cannot be read/);
    front.instead = undefined;
    log('two');
    await vscode.commands.executeCommand('appBuild.refresh');
    await grown(document, 'one\ntwo\n');
    assert.ok(!document.getText().includes('cannot be read'));
    await signOutEverywhere(access);
    await grown(document, 'The log cannot be read. No application build service is connected yet.');
  });

  function problemsOf(uri: vscode.Uri): readonly string[] {
    return vscode.languages
      .getDiagnostics(uri)
      .map(({ range: { start }, message, source }) => `${start.line}:${start.character} ${message} ${source ?? ''}`);
  }
});
