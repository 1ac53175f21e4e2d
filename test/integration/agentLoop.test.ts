import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ToolName } from '../../src/extension/agents/agentTools.ts';
import type { FolderApp } from '../../src/extension/apps/folderApps.ts';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import { demoBuilder } from '../support/demoBuilder.ts';
import { untilAborted, unzip } from '../support/builds.ts';
import { config } from '../support/failingFolders.ts';
import { accessTokens } from '../support/secrets.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { getTestApps, getTestExtension } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';

interface Answer {
  readonly app: string;
  readonly is_over?: boolean;
  readonly next?: string;
  readonly findings?: readonly { readonly code: string; readonly line?: number }[];
  /** Findings about the folder after a failed build. */
  readonly findings_about_it?: readonly { readonly code: string; readonly file: string; readonly line: number }[];
  readonly check_now?: string;
  readonly said_by_service: {
    readonly builds?: readonly { readonly platform: string; readonly state: string; readonly error?: string }[];
    readonly log?: string;
    readonly file?: string;
    readonly error?: string;
  };
}

/**
 * An agent that has only the tools. A tool that needs confirmation shows a dialog. VS Code accepts it automatically in tests, so the text
 * is read from the tool itself.
 */
describe('an agent', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  let service: InProcessService;
  let connection: SignedInConnection;
  const person = useRecordingUser();
  let linked: FolderApp | undefined;

  before(async () => {
    service = await startInProcess({
      builder: {
        ...demoBuilder,
        build: (job, ...rest) =>
          job.app.title === 'Tide Table' ? untilAborted(job, ...rest) : demoBuilder.build(job, ...rest),
      },
    });
    await writeFiles({
      'config.xml': config({ body: '  <description>Words\n' }),
      'www/index.html': '<!doctype html><title>Shop</title>',
    });
  });

  beforeEach(async () => {
    connection = await signInAtService(access, service);
    // The tests build on one another: they use the first test's build.
    await apps.folders.set(openFolder().uri, connection, linked);
  });

  afterEach(() => {
    linked = apps.folders.get(openFolder().uri, connection);
  });

  after(async () => {
    await deleteFiles('config.xml', 'www', 'builds', 'packages', 'out');
    await service.stop();
  });

  const say = async (name: ToolName, input: object = {}): Promise<string> => {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  };
  const call = async <T = Answer>(name: ToolName, input: object = {}) => JSON.parse(await say(name, input)) as T;
  const confirmed = async (name: ToolName, input: object) => {
    const prepared = await (await access.loadTools())[name].prepareInvocation({ input });
    const { title, message } = prepared.confirmationMessages ?? {};
    assert.ok(typeof title === 'string' && message instanceof vscode.MarkdownString);
    return `${title}\n${message.value.replaceAll(/\\(.)/g, '$1').trim()}`;
  };
  const ended = async (): Promise<Answer> => {
    for (;;) {
      const answer = await call('appBuild_read_build');
      if (answer.is_over === true) {
        return answer;
      }
      assert.match(answer.next ?? '', /Call appBuild_read_build again/);
    }
  };

  it('builds a broken project, explains why it fails, fixes it, builds again, and saves the package', async function () {
    this.timeout(60_000);
    const { host } = new URL(service.baseUrl);

    const { apps: listed } = await call<{ apps: { app: string }[] }>('appBuild_list_apps');
    assert.ok(listed.every(({ app }) => app.startsWith('/api/v1/apps/')));
    const { findings = [] } = await call('appBuild_check_folder');
    assert.deepEqual([findings[0]?.code, findings[0]?.line], ['notClosed', 4]);

    const first = { source: 'folder', create: true, platforms: ['android'] };
    assert.match(await say('appBuild_build_app', { source: 'folder' }), /isn't linked to an app yet.*"create": true/);
    assert.match(
      await say('appBuild_build_app', first),
      /^Nothing was sent: the build would fail\. "config\.xml", line 4: /,
    );
    const anyway = { ...first, ignore_check: true };
    const asked = await confirmed('appBuild_build_app', anyway);
    for (const words of [
      `“${path.posix.basename(openFolder().uri.path)}”`,
      host,
      'as a new app',
      '2 files',
      'Platforms: “Android”',
      'even if the folder check',
    ]) {
      assert.ok(asked.includes(words), `${words} in ${asked}`);
    }
    const { app } = await call('appBuild_build_app', anyway);
    assert.ok(!listed.some((each) => each.app === app), 'an app of its own');

    const failed = await ended();
    assert.equal(failed.app, app);
    assert.equal(failed.said_by_service.builds?.[0]?.state, 'failed');
    assert.match(failed.next ?? '', /Fix the problems in findings_about_it/);
    const [reason] = failed.findings_about_it ?? [];
    assert.ok(reason);
    assert.deepEqual([reason.code, reason.file, reason.line], ['notClosed', 'config.xml', 4]);
    assert.equal(failed.check_now, 'would_fail');
    assert.match(failed.said_by_service.error ?? '', /^Malformed config\.xml/);

    const uri = vscode.Uri.joinPath(openFolder().uri, reason.file);
    const edit = new vscode.WorkspaceEdit();
    const end = (await vscode.workspace.openTextDocument(uri)).lineAt(reason.line - 1).range.end;
    edit.insert(uri, end, '</description>');
    assert.ok(await vscode.workspace.applyEdit(edit));

    // Because of the user's setting, the build saves the change first.
    const again = { source: 'folder', platforms: ['android'] };
    assert.match(await confirmed('appBuild_build_app', again), /for the app “Shop \(\/api\/v1\/apps\/\d+\)”/);
    assert.equal((await call('appBuild_build_app', again)).app, app);
    assert.deepEqual((await ended()).said_by_service.builds, [{ platform: 'android', state: 'complete' }]);
    const log = await call('appBuild_read_build', { platform: 'android', log: true });
    assert.match(log.said_by_service.log ?? '', /config\.xml is well-formed\./);

    const wanted = { app, platform: 'android' };
    assert.match(
      await confirmed('appBuild_download_build', wanted),
      /“workspace\/builds”\.\n\nNo files are replaced\./,
    );
    const { file = '' } = (await call('appBuild_download_build', wanted)).said_by_service;
    assert.equal(file, 'builds/Shop-1.0.0.apk');
    const bytes = await readFile(path.join(openFolder().uri.fsPath, file));
    assert.match((await unzip(bytes))['config.xml'] ?? '', /<description>Words<\/description>/);
    await writeFile(path.join(openFolder().uri.fsPath, file), 'mine');
    assert.equal((await call('appBuild_download_build', wanted)).said_by_service.file, 'builds/Shop-1.0.0 (2).apk');
    assert.equal(await readFile(path.join(openFolder().uri.fsPath, file), 'utf8'), 'mine', 'nothing is replaced');
    assert.deepEqual(person.questions, [], 'nobody is asked anything else');
  });

  it('saves nothing outside the folder or where tools look for programs', async () => {
    const inFolder = (name: string) => path.join(openFolder().uri.fsPath, name);
    await symlink('/tmp', inFolder('out'));
    await mkdir(inFolder('.tool/hooks'), { recursive: true });
    await symlink('.tool/hooks', inFolder('hooks'));
    for (const wanted of [
      ...['../x', '/tmp', 'C:\\x', '.git/hooks', 'a/../../x', 'www/.vscode', 'node_modules/x', 'a:b'],
      ...['hooks', 'hooks/x', 'Node_Modules', 'CON', 'builds\u202e', 'com1.x/y', 'builds.'],
    ]) {
      const answer = await say('appBuild_download_build', { platform: 'android', path: wanted });
      assert.match(answer, /^"path" must be a folder in/, wanted);
    }
    assert.match(
      await say('appBuild_download_build', { platform: 'android', path: 'out/x' }),
      /contains a link that leads out of/,
    );
    const { said_by_service: said } = await call('appBuild_download_build', {
      platform: 'android',
      path: './packages/android/',
    });
    assert.equal(said.file, 'packages/android/Shop-1.0.0.apk');
    await deleteFiles('hooks', '.tool');
  });

  it('builds the service’s files again, and gets the state of a build that doesn’t end', async () => {
    assert.match(
      await confirmed('appBuild_build_app', { source: 'service' }),
      /The app “Shop \(\/api\/v1\/apps\/\d+\)” is built again at 127\.0\.0\.1/,
    );
    await call('appBuild_build_app', { source: 'service', platforms: ['android'] });
    assert.deepEqual((await ended()).said_by_service.builds, [{ platform: 'android', state: 'complete' }]);
    const { store, builds } = service.service;
    store.transaction(() => builds.request(1002, ['android']));
    const slow = await call('appBuild_read_build', { app: 'Tide Table', seconds: 1 });
    assert.equal(slow.is_over, false);
    assert.equal(slow.said_by_service.builds?.find(({ platform }) => platform === 'android')?.state, 'building');
  });

  it('receives the reason when a build is refused, and sends nothing', async () => {
    const refused = (input: object) => say('appBuild_build_app', { source: 'folder', ...input });
    assert.match(await refused({ create: true }), /^This folder is already linked to an app: "\/api\/v1\/apps\/\d+"\./);
    assert.match(
      await refused({ platforms: ['<platform>'] }),
      /^The app has no platform "<platform>"\. Its platforms are: "android"/,
    );
    assert.match(await refused({ project: 'no/such' }), /^This path has no web project\. The folder has: "\."/);
    await writeFiles({
      'www/keys.js': `"${accessTokens()[0] ?? ''}"`,
      '.appbuildignore': '!.aws/',
      '.aws/sso/cache/x.json': '{}',
    });
    assert.match(
      await refused({}),
      /only the user can decide to send them: "\.aws\/sso\/cache\/x\.json", "www\/keys\.js"\. .*App Build: Build App/,
    );
    await deleteFiles('www/keys.js', '.appbuildignore', '.aws');
    await writeFile(path.join(openFolder().uri.fsPath, 'www', 'big.bin'), Buffer.alloc(51_000_000));
    assert.match(await refused({}), /the folder has 51\.0 MB, .*"www\/big\.bin" \(51\.0 MB\)/);
    await deleteFiles('www/big.bin');
    await apps.folders.set(openFolder().uri, connection, undefined);
    assert.match(
      await refused({ create: true }),
      /An app with the same name or package already exists\. The apps are: .*"Shop"/,
    );
    assert.match(
      await refused({ app: 'your-app' }),
      /^This account has no app named "your-app"\. The apps are: "\/api/,
    );
    assert.equal(apps.folders.get(openFolder().uri, connection), undefined);
    assert.deepEqual(person.questions, []);
  });
});
