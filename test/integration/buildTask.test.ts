import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import { OriginalService } from '../support/originalService.ts';
import { getTestApps, getTestExtension, next, until } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { deleteFiles, openFolder, WEB_PROJECT, writeFiles } from './support/webProject.ts';

describe('the build task', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  let service: OriginalService;
  const person = useRecordingUser();
  let connection: SignedInConnection;
  let id: number;

  before(async () => {
    service = await OriginalService.start();
    await writeFiles(WEB_PROJECT);
    id = service.addApp({ title: 'Shop' });
  });

  after(async () => {
    await apps.folders.set(openFolder().uri, connection, undefined);
    await deleteFiles('config.xml', 'www', '.vscode');
    await service.close();
  });

  beforeEach(async () => {
    connection = await signInAtService(access, service);
    await apps.folders.set(openFolder().uri, connection, { url: service.appUrl(id), title: 'Shop', project: '' });
    service.answerNormally();
  });

  afterEach(() => {
    apps.watcher.all.forEach(({ appUrl }) => apps.watcher.stop(appUrl));
  });

  /** Ends the builds as soon as they are watched. */
  const finishWhenWatched = (status = 'complete', error?: string) =>
    next(apps.watcher.onDidChange, ({ appUrl }) => appUrl.startsWith(service.url)).then(() =>
      service.finishAll(status, error),
    );

  /** Runs the terminal of a task to its end. */
  const run = async (definition: object, folder: vscode.WorkspaceFolder | undefined = openFolder()) => {
    const terminal = apps.tasks.terminal({ type: 'app-build', ...definition }, folder);
    let output = '';
    terminal.onDidWrite((text) => (output += text));
    assert.ok(terminal.onDidClose);
    const closed = next(terminal.onDidClose);
    terminal.open(undefined);
    const code = await closed;
    assert.doesNotMatch(output.replaceAll('\r\n', ''), /\n/, 'a bare line feed makes stairs');
    return { code, output };
  };

  const ended = () =>
    next(vscode.tasks.onDidEndTaskProcess, ({ execution }) => execution.task.definition.type === 'app-build');

  it('is provided for a linked folder without waiting for the service', async () => {
    // A synchronous result can't depend on a request.
    assert.deepEqual(
      apps.tasks.provideTasks().map(({ name }) => name),
      ['build Shop'],
    );
    const [task, ...others] = await vscode.tasks.fetchTasks({ type: 'app-build' });
    assert.ok(task && others.length === 0);
    assert.deepEqual(
      [task.name, task.group?.id, task.definition, (task.scope as vscode.WorkspaceFolder).name],
      ['build Shop', 'build', { type: 'app-build' }, 'workspace'],
    );
  });

  it('prints the steps, then each platform’s log, and exits with 0', async () => {
    service.setLog(
      id,
      'android',
      'see https://evil.example/a\ncompiling\n\u001b[31mred\u001b[0m \u001b]52;c;x\u0007end\n',
    );
    service.setLog(id, 'winphone', `the token is ${service.token}\nlast`);
    const finished = finishWhenWatched();
    const { code, output } = await run({ platforms: ['android', 'winphone'] });
    await finished;
    assert.equal(code, 0, output);
    const parts = [
      'Uploading ',
      'to “Shop”',
      'Building “Shop” for Android, Windows Phone.',
      '── Android ──',
      'see https://evil.example/a\r\n',
      'compiling\r\nred end\r\n',
      '\u001b[1m── Windows Phone ──\u001b[0m\r\n',
      'last\r\n',
      'Android: the build is complete.',
      'Windows Phone: the build is complete.',
    ];
    parts.reduce((from, part) => {
      const at = output.indexOf(part, from);
      assert.ok(at >= from, `${part} is missing in ${JSON.stringify(output)}`);
      return at;
    }, 0);
    assert.ok(!output.includes(service.token) && !output.includes('\u001b]'), output);
  });

  it('exits with 1 if a build fails, reports problems for files in the log, and starts with the build shortcut', async () => {
    await vscode.commands.executeCommand('appBuild.configureDefaultBuild');
    const file = path.join(openFolder().uri.fsPath, '.vscode', 'tasks.json');
    assert.match(await readFile(file, 'utf8'), /"isDefault": true/);
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /\.vscode\/tasks\.json$/);
    // VS Code reads the file with a delay. Without its task, the shortcut opens a list.
    const tasks = () => vscode.workspace.getConfiguration('tasks', openFolder()).get<unknown[]>('tasks') ?? [];
    await until(vscode.workspace.onDidChangeConfiguration, () => tasks().length > 0);
    service.setLog(id, 'android', 'www/index.html:1:11: error: Unexpected title\n');
    const page = vscode.Uri.joinPath(openFolder().uri, 'www', 'index.html');
    const diagnosed = next(vscode.languages.onDidChangeDiagnostics, ({ uris }) =>
      uris.some(({ path: each }) => each === page.path),
    );
    const end = ended();
    const finished = finishWhenWatched('error', 'Malformed config.xml');
    await vscode.commands.executeCommand('workbench.action.tasks.build');
    await finished;
    assert.equal((await end).exitCode, 1);
    await diagnosed;
    const [problem] = vscode.languages.getDiagnostics(page);
    assert.deepEqual(
      [problem?.message, problem?.range.start.line, problem?.range.start.character, problem?.severity],
      ['Unexpected title', 0, 10, vscode.DiagnosticSeverity.Error],
    );
  });

  it('stops watching when it’s terminated, while the service continues', async () => {
    const [task] = await vscode.tasks.fetchTasks({ type: 'app-build' });
    assert.ok(task);
    const watched = next(apps.watcher.onDidChange);
    const execution = await vscode.tasks.executeTask(task);
    await watched;
    const over = next(apps.watcher.onDidEnd);
    const end = next(vscode.tasks.onDidEndTask);
    execution.terminate();
    assert.deepEqual((await over).end, { kind: 'stopped' });
    await end;
    assert.equal(service.app(id).status.android, 'pending');
    assert.deepEqual(
      vscode.tasks.taskExecutions.map((each) => each.task.name),
      [],
    );
    service.finishAll();
  });

  it('reports mistakes in tasks.json, and exits with 1', async () => {
    for (const [definition, text] of [
      [{ platforms: 'ios' }, /“platforms” has the wrong type for this task in tasks\.json\./],
      [{ app: 'Nobody' }, /Your account has no app “Nobody” at the service\. Use the app’s link/],
      [{ folder: 'elsewhere' }, /workspace\/elsewhere doesn’t contain a web project\. It needs an index\.html, or the/],
    ] as const) {
      const { code, output } = await run(definition);
      assert.match(output, text);
      assert.equal(code, 1);
    }
    assert.deepEqual(person.notifications, []);
  });

  it('builds the app that its definition names by title or link, whatever app the folder is linked to', async () => {
    const other = service.addApp({ title: 'Another' });
    for (const app of ['Another', `/api/v1/apps/${other}`, service.appUrl(other)]) {
      service.uploads.length = 0;
      const finished = finishWhenWatched();
      assert.equal((await run({ app, platforms: ['android'] })).code, 0);
      await finished;
      assert.deepEqual(
        service.uploads.map((upload) => upload.path),
        [`/api/v1/apps/${other}`],
      );
    }
    assert.equal(apps.folders.get(openFolder().uri, connection)?.url, service.appUrl(id));
  });

  it('ends after a dismissed question, without a folder, after a rejected upload, and if the app is deleted', async () => {
    service.answer('PUT', /./, { status: 500, body: '{"error":"Out of order"}' }, 1);
    const refused = await run({});
    assert.match(refused.output, /Out of order/);
    const folders = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders');
    Object.defineProperty(vscode.workspace, 'workspaceFolders', { configurable: true, value: undefined });
    const empty = apps.tasks.terminal({ type: 'app-build' }, undefined);
    assert.ok(empty.onDidClose);
    const closed = next(empty.onDidClose);
    empty.open(undefined);
    const emptyCode = await closed;
    Object.defineProperty(vscode.workspace, 'workspaceFolders', folders ?? {});
    await apps.folders.set(openFolder().uri, connection, undefined);
    person.answers.pick = () => false;
    const cancelled = await run({});
    assert.match(cancelled.output, /Canceled\./);
    await apps.folders.set(openFolder().uri, connection, { url: service.appUrl(id), title: 'Shop', project: '' });
    const watched = next(apps.watcher.onDidChange).then(() => service.apps.delete(id));
    const gone = await run({});
    await watched;
    assert.match(gone.output, /“Shop” no longer exists at the service\./);
    assert.deepEqual([refused.code, emptyCode, cancelled.code, gone.code], [1, 1, 1, 1]);
  });

  it('can’t be configured in an untrusted folder, where tasks don’t run', async () => {
    const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, value: false });
    await vscode.commands.executeCommand('appBuild.configureDefaultBuild');
    Object.defineProperty(vscode.workspace, 'isTrusted', trust ?? {});
    assert.match(person.notifications.join('\n'), /VS Code doesn’t run tasks in a folder that isn’t trusted\. Trust/);
  });

  it('reports that it can’t be configured if tasks.json is read-only', async () => {
    const file = vscode.Uri.joinPath(openFolder().uri, '.vscode', 'tasks.json');
    const text = '{"version": "2.0.0", "tasks": [{"label": "Tides", "type": "shell", "command": "true"}]}';
    await vscode.workspace.fs.writeFile(file, Buffer.from(text));
    const document = await vscode.workspace.openTextDocument(file);
    await until(vscode.workspace.onDidChangeTextDocument, () => document.getText() === text);
    const { applyEdit } = vscode.workspace;
    vscode.workspace.applyEdit = () => Promise.resolve(false);
    try {
      await vscode.commands.executeCommand('appBuild.configureDefaultBuild');
    } finally {
      vscode.workspace.applyEdit = applyEdit;
    }
    assert.match(person.notifications.join('\n'), /tasks\.json couldn’t be changed and saved\. Check whether/);
  });
});
