import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../src/api/errors/cancelledError.ts';
import { planPackage } from '../../src/projects/packing/folderPlan.ts';
import type { PackagePlan, SuspectFile } from '../../src/projects/packing/packageContents.ts';
import { SecretConsents } from '../../src/projects/packing/secretConsents.ts';
import type { WebProject } from '../../src/projects/projectSearch.ts';
import { Input } from '../../src/workbench/input.ts';
import { KNOWN_APP } from '../support/packing.ts';
import { accessTokens } from '../support/secrets.ts';
import { activated } from './support/extension.ts';
import { userOfEachTest } from './support/recordingUser.ts';

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
  const planned = () => planPackage(project, { known: KNOWN_APP });
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

  it('is not given by closing the list; without a yes there may be nothing to send', async () => {
    await write('index.html', token);
    person.dispose();
    const closed = assert.rejects(consents.confirm(await planned(), new Input()), CancelledError);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await closed;
    person.start();
    tick();
    await assert.rejects(confirmed(), /There is nothing to send/);
    await consents.allow(project, await suspectOf('index.html'));
    assert.deepEqual(await confirmed(), ['index.html']);
  });

  async function suspectOf(name: string): Promise<SuspectFile> {
    const found = (await planned()).suspects.find(({ file }) => file.path === name);
    assert.ok(found);
    return found;
  }
});
