import assert from 'node:assert/strict';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import { getContent, verifyApk, type VerifiedApk } from '../support/apk/verifyApk.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { processEnd } from '../support/processes.ts';
import { builtFiles, PROJECTS } from '../support/webProjects.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { getTestApps, getTestExtension, next, until } from './support/extension.ts';
import { AS_PROPOSED, useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

/** From a folder to a downloaded package, with the local service and its built-in builder. */
describe('a web project', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const person = useRecordingUser();
  let service: InProcessService;
  let connection: SignedInConnection;
  let written: readonly string[] = [];

  before(async () => {
    service = await startInProcess({ builder: createBuiltinBuilder(undefined) });
  });

  beforeEach(async () => {
    connection = await signInAtService(access, service);
    person.answers = { typed: [AS_PROPOSED] };
  });

  afterEach(async () => {
    await deleteFiles(...new Set(written.map((name) => name.split('/')[0] ?? name)), 'dist', 'www', '.vscode');
    const { uri } = openFolder();
    const app = link();
    if (app !== undefined) {
      const calls = apps.createCalls(connection);
      await calls.delete(await calls.get(app.url));
    }
    await apps.folders.set(uri, connection, undefined);
    await apps.answers.remember({ uri, app: undefined }, { id: undefined, buildsPages: undefined });
    await apps.answers.setPagesFolder(uri, undefined);
    await apps.answers.forgetChoice(uri);
    await apps.preflight.close();
  });

  after(() => service.stop());

  const write = async (files: Readonly<Record<string, string | Buffer>>): Promise<void> => {
    written = [...written, ...Object.keys(files)];
    await writeFiles(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, content.toString()])));
  };
  const build = () => vscode.commands.executeCommand('appBuild.buildFolder');
  const asked = () => person.questions.join('\n');
  const said = () => person.notifications.join('\n');
  const link = () => apps.folders.get(openFolder().uri, connection);
  const inFolder = (...names: readonly string[]) => path.join(openFolder().uri.fsPath, ...names);

  /** Returns the Android package of the folder's app when it's built. */
  async function built(): Promise<VerifiedApk> {
    const app = link();
    assert.ok(app, `nothing was built: ${said()}`);
    const calls = apps.createCalls(connection);
    // The window polls once a second.
    const { builds } = await waitUntil(async () => {
      const status = await calls.status(await calls.get(app.url));
      return status.completed && status;
    });
    assert.equal(builds.find(({ platform }) => platform === 'android')?.error, undefined);
    const response = await fetch(`${app.url}/android?auth_token=${service.authToken}`);
    assert.equal(response.status, 200);
    return verifyApk(Buffer.from(await response.arrayBuffer()));
  }

  // test/unit/web-project/projectBuilds.test.ts tests the content of packages of each kind.
  it('becomes a signed package that shows its pages', async () => {
    const project = PROJECTS.find(({ kind }) => kind === 'vite') ?? assert.fail();
    await write(builtFiles(project));
    await build();
    const apk = await built();
    for (const [name, content] of Object.entries(project.built)) {
      assert.equal(getContent(apk, `assets/www/${name}`).toString(), content);
    }
    assert.equal(link()?.title, project.name);
    assert.match(asked(), /App ID/);
    const { id } = apps.answers.get({ uri: openFolder().uri, app: undefined });
    assert.equal(apk.manifest.package, id);
    person.questions.length = 0;
    await build();
    assert.equal(asked(), '', 'nothing is asked for again');
    await built();
  });

  it('is rejected without a question if its page loads source code', async () => {
    await write({
      'index.html': '<!doctype html><script type="module" src="/src/main.ts"></script>',
      'src/main.ts': '',
    });
    await build();
    assert.match(said(), /index\.html loads source code/);
    assert.equal(asked(), '');
  });

  describe('with pages that must be built first', () => {
    /** A script that replaces a build tool. It builds the pages from the sources. */
    const TOOL =
      "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/index.html', readFileSync('src/page.html'));\n";
    const project = (script = 'node tool.mjs') => ({
      'package.json': JSON.stringify({ name: 'made', scripts: { build: script } }),
      'vite.config.js': 'export default {};',
      'tool.mjs': TOOL,
      'src/page.html': '<!doctype html><title>Made</title><p>First</p>',
      '.gitignore': 'dist',
    });
    const RUN = 'Run “npm run build” First';
    const page = async () => getContent(await built(), 'assets/www/index.html').toString();
    /** Chooses this entry in the question about the pages. */
    const choose = (label: string) => {
      person.answers.pick = (item) => item.label === label || item.label === 'Create an App';
    };
    /** Changes a source one minute after the pages were built. */
    const edit = async (text: string) => {
      await writeFile(inFolder('src/page.html'), `<!doctype html><title>Made</title><p>${text}</p>`);
      const later = Date.now() / 1000 + 60;
      await utimes(inFolder('src/page.html'), later, later);
    };

    it('is found, and its script runs if the user agrees', async () => {
      await write(project());
      choose(RUN);
      await build();
      assert.match(asked(), /App ID[^]*The pages haven’t been built yet: dist has no index\.html\./);
      assert.match(await page(), /First/);
      assert.equal(link()?.title, 'Made', 'from the built page');
      await edit('Second');
      person.questions.length = 0;
      choose('Send the Existing Pages');
      await build();
      assert.match(asked(), /The pages in dist are older than src\/page\.html\./);
      assert.match(await page(), /First/);
      choose('Always Run “npm run build” Before a Build');
      await build();
      assert.match(await page(), /Second/);
      person.questions.length = 0;
      await edit('Third');
      await build();
      assert.equal(asked(), '', 'always is always');
      assert.match(await page(), /Third/);
    });

    it('are found where the build wrote them, after one question', async () => {
      await write({ ...project(), '.gitignore': 'made' });
      await write({ 'tool.mjs': TOOL.replaceAll("'dist", "'made/web") });
      person.answers.pick = (item) => [RUN, 'made/web', 'Create an App'].includes(item.label);
      await build();
      assert.match(asked(), /made\/web\n[^]*The build wrote no index\.html to dist\. Choose the folder with the app\./);
      assert.match(await page(), /First/);
      person.questions.length = 0;
      await build();
      assert.equal(asked(), '', 'the answer is remembered');
    });

    it('are named for an agent if they’re in another folder', async () => {
      await write(project());
      await write({ 'made/web/index.html': '<!doctype html><p>Here</p>' });
      const later = Date.now() / 1000 + 60;
      await utimes(inFolder('made/web/index.html'), later, later);
      const input = { source: 'folder', create: true };
      const { content } = await vscode.lm.invokeTool('appBuild_build_app', { input, toolInvocationToken: undefined });
      const text = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
      assert.match(text, /Run "npm run build" .* another folder: "made\/web"\. Ask the user/);
    });

    it('isn’t sent if its script fails or the user dismisses the question', async () => {
      await write(project('node -e "process.exit(3)"'));
      choose(RUN);
      await build();
      assert.match(said(), /“npm run build” exited with code 3, so nothing was sent\./);
      assert.equal(link(), undefined);
      person.notifications.length = 0;
      person.answers.lists = [[]];
      await build();
      assert.equal(said(), '', 'a cancelled action is silent');
      assert.equal(link(), undefined);
    });

    it('isn’t sent if the user cancels while its script runs', async () => {
      await write(project('node -e "setInterval(() => {}, 1000)"'));
      choose(RUN);
      const started = next(
        vscode.tasks.onDidStartTaskProcess,
        ({ execution }) => execution.task.name === 'npm run build',
      );
      const building = build();
      await person.untilProgress('Running “npm run build”');
      const { processId } = await started;
      person.cancelProgress();
      await building;
      // An orphaned process would build the next test's folder.
      await processEnd(processId);
      assert.equal(said(), '');
      assert.equal(link(), undefined);
    });

    /** Runs a function in an untrusted folder. @returns the started tasks */
    async function untrusted(work: () => Promise<void>): Promise<readonly string[]> {
      const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
      Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, value: false });
      const started: string[] = [];
      const listener = vscode.tasks.onDidStartTask(({ execution }) => started.push(execution.task.name));
      try {
        await work();
        return started;
      } finally {
        listener.dispose();
        Object.defineProperty(vscode.workspace, 'isTrusted', trust ?? {});
      }
    }

    it('isn’t built in an untrusted folder, but the command to run is shown', async () => {
      await write(project());
      choose(RUN);
      assert.deepEqual(await untrusted(async () => void (await build())), []);
      assert.equal(asked(), '');
      assert.match(said(), /dist has no index\.html\. Run “npm run build” first\./);
      assert.equal(link(), undefined);
    });

    it('isn’t built on an agent’s request, which returns the command to run', async () => {
      await write(project());
      const say = async (input: object) => {
        const { content } = await vscode.lm.invokeTool('appBuild_build_app', { input, toolInvocationToken: undefined });
        return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
      };
      const input = { source: 'folder', create: true };
      assert.match(await say(input), /the pages aren't built yet\. Run "npm run build" in the project's folder/);
      await write({ 'dist/index.html': '<!doctype html><title>Made</title><p>By hand</p>' });
      const sources = Date.now() / 1000 - 60;
      for (const name of ['src/page.html', 'tool.mjs', 'vite.config.js', 'package.json']) {
        await utimes(inFolder(name), sources, sources);
      }
      await say(input);
      assert.match(await page(), /By hand/);
      // The ID is the suggested one, without a question.
      assert.equal(asked(), '');
      assert.equal(apps.answers.get({ uri: openFolder().uri, app: undefined }).id, 'com.made.app');
      await edit('Second');
      assert.match(await say({ source: 'folder' }), /are older than "src\/page\.html"\. .*"ignore_check": true/);
    });

    it('can be built from the check, which then shows the new files', async () => {
      await write({
        ...project(),
        'config.xml': '<widget id="org.example.made" version="1.0.0"><name>Made</name></widget>',
      });
      await write({ 'tool.mjs': TOOL.replaceAll("'dist", "'www"), '.gitignore': 'www' });
      await deleteFiles('vite.config.js');
      const check = () => vscode.commands.executeCommand('appBuild.checkFolder');
      const offered: string[][] = [];
      person.answers.press = (text, buttons) => {
        offered.push([text, ...buttons]);
        return buttons[0];
      };
      const offer = ['The pages haven’t been built yet: www has no index.html.', 'Run “npm run build”'];
      assert.deepEqual(await untrusted(async () => void (await check())), []);
      assert.deepEqual(offered, [], 'a folder that nobody trusts runs nothing');
      const ended = next(vscode.tasks.onDidEndTaskProcess, ({ execution }) => execution.task.name === 'npm run build');
      await check();
      assert.deepEqual(offered, [offer]);
      assert.equal((await ended).exitCode, 0);
      await until(apps.preflight.rows.onDidChangeTreeData, () => apps.preflight.check?.plan !== undefined);
      assert.deepEqual(
        apps.preflight.check?.findings.flatMap(({ code, verdict }) => (verdict === 'fails' ? [code] : [])),
        [],
      );
      assert.ok(person.progress.includes('Running “npm run build”'));
      await check();
      assert.deepEqual(offered, [offer], 'pages that are there are not offered');
    });

    it('is built by a task that the build task depends on', async () => {
      await write(project());
      await write({
        '.vscode/tasks.json': JSON.stringify({
          version: '2.0.0',
          tasks: [
            { label: 'pages', type: 'shell', command: 'npm run build', problemMatcher: [] },
            { label: 'app', type: 'app-build', dependsOn: ['pages'], problemMatcher: [] },
          ],
        }),
      });
      const tasks = () => vscode.workspace.getConfiguration('tasks', openFolder()).get<unknown[]>('tasks') ?? [];
      await until(vscode.workspace.onDidChangeConfiguration, () => tasks().length > 0);
      const ended = next(vscode.tasks.onDidEndTaskProcess, ({ execution }) => execution.task.name === 'app');
      await vscode.commands.executeCommand('workbench.action.tasks.runTask', 'app');
      assert.equal((await ended).exitCode, 0);
      assert.doesNotMatch(asked(), /n(?:o|’)t built yet/);
      assert.match(await page(), /First/);
    });
  });

  it('asks once for the pages folder if the configuration computes it', async () => {
    await write({
      'package.json': '{"scripts":{"start":"vite"},"devDependencies":{"vite":"8"}}',
      'vite.config.js': 'export default { build: { outDir: process.env.OUT } };',
      'web/index.html': '<!doctype html><title>Web</title><p>Here</p>',
    });
    person.answers.typed = [AS_PROPOSED, '../elsewhere'];
    await build();
    assert.equal(link(), undefined, 'no folder outside of the project');
    person.answers.typed = ['none'];
    await build();
    assert.match(
      said(),
      /The pages haven’t been built yet: none has no index\.html\./,
      'a new answer is not asked for again',
    );
    assert.doesNotMatch(said(), /Choose the pages folder/);
    person.answers.typed = ['web'];
    await build();
    assert.match(asked(), /vite\.config\.js sets it with an expression, which isn’t run/);
    assert.match(getContent(await built(), 'assets/www/index.html').toString(), /Here/);
    person.questions.length = 0;
    await build();
    assert.equal(asked(), '');
  });

  it('is chosen once from a list of projects, with built ones first', async () => {
    await write({
      'apps/a/package.json': '{"name":"unbuilt","scripts":{"build":"vite build"},"devDependencies":{"vite":"8"}}',
      'apps/a/index.html': '<script type="module" src="/src/main.ts"></script>',
      'apps/b/capacitor.config.json': '{"appId":"org.example.b","appName":"Bee","webDir":"www"}',
      'apps/b/www/index.html': '<!doctype html><title>B</title><p>Bee</p>',
    });
    await vscode.commands.executeCommand('appBuild.checkFolder');
    for (const text of ['apps/a', 'unbuilt · Vite', 'Its pages haven’t been built yet.', 'apps/b', 'Bee · Capacitor']) {
      assert.ok(asked().includes(text), text);
    }
    person.questions.length = 0;
    await build();
    assert.doesNotMatch(asked(), /several web projects/);
    assert.match(getContent(await built(), 'assets/www/index.html').toString(), /Bee/);
  });

  it('gets a config.xml that can be viewed and kept', async () => {
    await write({ 'index.html': '<!doctype html><title>Tide</title><p>High</p>' });
    await vscode.commands.executeCommand('appBuild.showPackage');
    const uri = vscode.Uri.joinPath(openFolder().uri, 'config.xml').with({ scheme: 'app-build-config' });
    const shown = await vscode.workspace.openTextDocument(uri);
    const text = shown.getText();
    assert.match(text, /<name>Tide<\/name>/);
    await assert.rejects(readFile(inFolder('config.xml')), /ENOENT/, 'it is in no folder');
    await vscode.commands.executeCommand('appBuild.saveConfig');
    written = [...written, 'config.xml', 'icon.png'];
    assert.equal(await readFile(inFolder('config.xml'), 'utf8'), text);
    const { check } = apps.preflight;
    assert.ok(check?.plan !== undefined && check.plan.config === undefined);
    assert.deepEqual(
      check.plan.files.map(({ path: each }) => each),
      ['config.xml', 'icon.png', 'index.html'],
    );
    assert.ok(check.findings.every(({ verdict }) => verdict !== 'fails'));
  });
});
