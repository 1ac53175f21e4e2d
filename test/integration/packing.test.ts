import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { CancelledError } from '../../src/api/errors/cancelledError.ts';
import { packFiles } from '../../src/apps/packing/packageFile.ts';
import { planPackage, type PackagePlan, type SuspectFile } from '../../src/apps/packing/packagePlan.ts';
import { PackingError } from '../../src/apps/packing/packingError.ts';
import { describePlan } from '../../src/apps/packing/planText.ts';
import { SecretConsents } from '../../src/apps/packing/secretConsents.ts';
import { findWebProjects, type WebProject } from '../../src/apps/packing/webProject.ts';
import { Input } from '../../src/workbench/input.ts';
import { readArchive } from '../support/readArchive.ts';
import { accessTokens } from '../support/secrets.ts';
import { activated } from './support/extension.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { VirtualFolder } from './support/virtualFolder.ts';

const CONFIG = '<widget id="a.b"><name>Größe</name></widget>';

describe('packing in VS Code', () => {
  const disposables: vscode.Disposable[] = [];
  let temporary: string;
  const { TMPDIR } = process.env;

  before(async () => {
    temporary = await mkdtemp(path.join(tmpdir(), 'packing-'));
    process.env.TMPDIR = temporary;
  });

  afterEach(() => disposables.splice(0).forEach((disposable) => void disposable.dispose()));

  after(async () => {
    if (TMPDIR === undefined) {
      delete process.env.TMPDIR;
    } else {
      process.env.TMPDIR = TMPDIR;
    }
    await rm(temporary, { recursive: true });
  });

  function folderOf(...files: ConstructorParameters<typeof VirtualFolder>): vscode.Uri {
    const provider = new VirtualFolder(...files);
    disposables.push(vscode.workspace.registerFileSystemProvider('packing', provider, { isReadonly: true }));
    return vscode.Uri.parse('packing://host/repo');
  }

  /** The files of a package, read back; nothing of it remains. */
  async function packed(plan: PackagePlan): Promise<ReadonlyMap<string, string>> {
    const made = await packFiles(plan);
    const copy = path.join(temporary, 'copy.zip');
    await writeFile(copy, await buffer(made.file.bytes()));
    await made.dispose();
    const files = await readArchive(copy);
    await rm(copy);
    assert.deepEqual(await readdir(temporary), []);
    return files;
  }

  it('finds, plans and packs a project of a virtual folder, by the same rules', async () => {
    const folder = folderOf({
      '/repo/.gitignore': '*.map\n',
      '/repo/docs/readme.md': '',
      '/repo/mobile/config.xml': CONFIG,
      '/repo/mobile/.env': 'A=1',
      '/repo/mobile/www/index.html': '<!doctype html>',
      '/repo/mobile/www/a b#?%41ü.js': 'odd',
      '/repo/mobile/www/app.map': '',
      '/repo/mobile/www/large.js': 'x'.repeat(400_000),
      '/repo/mobile/www/link.js': vscode.FileType.File | vscode.FileType.SymbolicLink,
      '/repo/mobile/node_modules/a/index.html': '',
    });
    const projects = await findWebProjects(folder);
    assert.deepEqual(
      projects.map(({ uri, path: below, name }) => [uri.toString(), below, name]),
      [['packing://host/repo/mobile', 'mobile', 'Größe']],
    );
    const [project] = projects;
    assert.ok(project);
    const plan = await planPackage(project);
    const files = await packed(plan);
    assert.deepEqual([...files.keys()], ['config.xml', 'www/a b#?%41ü.js', 'www/index.html', 'www/large.js']);
    assert.equal(files.get('www/a b#?%41ü.js'), 'odd');
    assert.equal(files.get('www/large.js')?.length, 400_000);
    assert.deepEqual(describePlan(plan), {
      summary: '4 files, 400.1 kB',
      biggestFiles: [
        'www/large.js (400.0 kB)',
        'config.xml (46 bytes)',
        'www/index.html (15 bytes)',
        'www/a b#?%41ü.js (3 bytes)',
      ],
      leftOut: [
        'Left out, for they may hold secrets: .env',
        'Left out, links that lead out of the folder, nowhere or in a circle: www/link.js',
        'Left out, for they are not part of an app: node_modules/',
        'Left out by .gitignore or .appbuildignore: www/app.map',
      ],
      warnings: ['Some services and phones take no names with letters such as ü or 日: www/a b#?%41ü.js'],
    });
  });

  it('refuses a virtual folder that is too large, and waits for none that never answers', async () => {
    const large = folderOf({ '/repo/index.html': '', '/repo/film.mp4': new Uint8Array(50_000_001) });
    const [project] = await findWebProjects(large);
    assert.ok(project);
    await assert.rejects(planPackage(project), (error) => {
      assert.ok(error instanceof PackingError);
      assert.equal(error.problem, 'tooLargeForFolder');
      assert.equal(error.message, 'repo is too large for this kind of folder, of which 50 MB can be sent.');
      return true;
    });
    class Silent extends VirtualFolder {
      override readFile(): never {
        return new Promise(() => undefined) as never;
      }
    }
    disposables.push(vscode.workspace.registerFileSystemProvider('silent', new Silent({ '/r/index.html': 'page' })));
    const [silent] = await findWebProjects(vscode.Uri.parse('silent://host/r'));
    assert.ok(silent);
    const stop = new AbortController();
    const planning = planPackage(silent, stop.signal);
    const file = { path: 'index.html', uri: vscode.Uri.joinPath(silent.uri, 'index.html'), sizeBytes: 4 };
    const files = [{ ...file, mode: undefined }];
    const plan = { project: silent, files, totalBytes: 4, leftOut: [], suspects: [], warnings: [] };
    const packing = packFiles(plan, { signal: stop.signal });
    stop.abort();
    await assert.rejects(planning, CancelledError);
    await assert.rejects(packing, CancelledError);
    assert.deepEqual(await readdir(temporary), []);
  });

  it('packs a folder on a disk, also one whose path is odd', async () => {
    const folder = vscode.Uri.file(path.join(await mkdtemp(path.join(temporary, 'disk-')), 'a b#?%41ü'));
    try {
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'sub/index.html'), Buffer.from('page'));
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, '.gitignore'), Buffer.from('*.map'));
      await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, 'sub/x.map'), Buffer.from(''));
      const [project] = await findWebProjects(folder);
      assert.ok(project);
      assert.equal(project.uri.toString(), vscode.Uri.joinPath(folder, 'sub').toString());
      const plan = await planPackage(project);
      assert.deepEqual(plan.leftOut, [
        { path: 'x.map', reason: { kind: 'ignored', file: '../.gitignore', rule: '*.map' } },
      ]);
      const made = await packFiles(plan);
      assert.ok((await buffer(made.file.bytes())).includes('index.html'));
      await made.dispose();
    } finally {
      await rm(path.dirname(folder.fsPath), { recursive: true });
    }
  });
});

describe('a yes to each file that may hold a secret', () => {
  const [token = '', otherToken = ''] = accessTokens();
  let folder: string;
  let project: WebProject;
  let state: vscode.Memento;
  let consents: SecretConsents;
  const person = userOfEachTest();

  beforeEach(async () => {
    state = (await activated()).context.workspaceState;
    folder = await mkdtemp(path.join(tmpdir(), 'secrets-'));
    await write('index.html', '<!doctype html>');
    project = { uri: vscode.Uri.file(folder), path: '', name: undefined };
    consents = new SecretConsents(state);
  });

  afterEach(async () => {
    consents.dispose();
    for (const key of state.keys().filter((name) => name.startsWith('secretAnswers '))) {
      await state.update(key, undefined);
    }
    await rm(folder, { recursive: true });
  });

  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  const planned = () => planPackage(project);
  const confirmed = async () => paths(await consents.confirm(await planned(), new Input()));
  const paths = ({ files }: PackagePlan) => files.map((file) => file.path);
  const tick = (...labels: readonly string[]) => {
    person.questions.length = 0;
    person.answers.pick = ({ label }) => labels.includes(label);
  };

  it('is asked for once, in one list, and kept until the file holds another secret', async () => {
    await write('.appbuildignore', '!release.p12');
    await write('.env', 'A=1');
    await write('main.js', `a();\n"${token}"`);
    await write('other.js', `"${otherToken}"`);
    await write('release.p12', 'x');
    let fired = 0;
    const subscription = consents.onDidChange(() => fired++);
    tick('main.js');
    const sent = ['.appbuildignore', 'index.html', 'main.js'];
    assert.deepEqual(await confirmed(), sent);
    const [question = ''] = person.questions;
    for (const text of [
      'Send Files That May Hold a Secret?',
      'What is not ticked stays behind.',
      'Access token in line 2',
      'Access token in line 1',
      'Its name is that of a secret',
    ]) {
      assert.ok(question.includes(text), `${text} in ${question}`);
    }
    assert.ok(!question.includes('.env'), 'nobody has asked for it');
    assert.equal(fired, 1);

    // Neither a yes nor a no is asked for again: by another window's object, and when other lines have changed.
    await write('main.js', `b();\nc();\n"${token}"`);
    tick();
    const plan = await planned();
    assert.deepEqual(paths(new SecretConsents(state).applied(plan)), sent);
    assert.deepEqual(await confirmed(), sent);
    assert.deepEqual(person.questions, []);

    await write('main.js', `"${token}" "${otherToken}"`);
    tick();
    assert.deepEqual(await confirmed(), ['.appbuildignore', 'index.html']);
    assert.match(person.questions.join(), /main\.js/);
    assert.doesNotMatch(person.questions.join(), /other\.js|release\.p12/);
    subscription.dispose();
    const stored = JSON.stringify(state.keys().map((key) => state.get(key)));
    assert.ok(stored.includes('main.js') && !stored.includes(token.slice(4, 20)), stored);
    assert.ok(!person.questions.join().includes(token.slice(4, 20)));
  });

  it('can be given and taken back file by file, also for what nobody has asked for', async () => {
    await write('.env', 'A=1');
    const plan = await planned();
    const [env] = plan.suspects;
    assert.ok(env);
    assert.equal(consents.isAllowed(project, env), false);
    assert.deepEqual(describePlan(plan).leftOut, ['Left out, for they may hold secrets: .env']);
    await consents.allow(project, env);
    assert.equal(consents.isAllowed(project, env), true);
    assert.deepEqual(paths(consents.applied(plan)), ['.env', 'index.html']);
    assert.deepEqual(describePlan(consents.applied(plan)).leftOut, []);
    const elsewhere = { ...project, uri: vscode.Uri.file(`${folder}-2`) };
    assert.equal(consents.isAllowed(elsewhere, env), false);
    await consents.refuse(project, env);
    assert.deepEqual(await confirmed(), ['index.html']);
    assert.deepEqual(person.questions, []);
  });

  it('is not given by closing the list; without a yes there may be nothing to send', async () => {
    await write('index.html', token);
    person.dispose();
    const closed = assert.rejects(consents.confirm(await planned(), new Input()), CancelledError);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await closed;
    person.start();
    tick();
    await assert.rejects(confirmed(), (error) => error instanceof PackingError && error.problem === 'nothingToSend');
    await consents.allow(project, await suspectOf('index.html'));
    assert.deepEqual(await confirmed(), ['index.html']);
  });

  async function suspectOf(name: string): Promise<SuspectFile> {
    const found = (await planned()).suspects.find(({ file }) => file.path === name);
    assert.ok(found);
    return found;
  }
});
