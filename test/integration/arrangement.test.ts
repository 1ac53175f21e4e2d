import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Arrangements } from '../../src/resources/tree/arrangements.ts';
import type { TreeNode } from '../../src/resources/tree/treeNode.ts';
import { extensionOfTests, next } from './support/extension.ts';
import { originalServiceOfTests } from './support/originalServiceOfTests.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';

describe('the filter and the order of the Resources view', () => {
  const access = extensionOfTests();
  let view: TreeRows;
  const person = userOfEachTest();
  const service = originalServiceOfTests();
  let arrangements: Arrangements;
  let root: TreeNode;

  before(async () => {
    view = new TreeRows(access.tree);
    arrangements = await access.tree.arrangements();
  });

  beforeEach(async () => {
    for (const [title, lastBuild, platform, state] of [
      ['Shop', '2026-01-02T00:00:00Z', 'android', 'complete'],
      ['Café Müller', '2026-01-03T00:00:00Z', 'ios', 'error'],
      ['Field Notes', '2026-01-01T00:00:00Z', 'android', 'error'],
      ['Almanac', null, 'android', 'pending'],
    ] as const) {
      const id = service.addApp({ title });
      service.change(id, { last_build: lastBuild, status: { [platform]: state } });
    }
    await signInAtService(access, service);
    await access.tree.refresh();
    const [user] = await access.tree.getChildren();
    assert.ok(user);
    root = user;
  });

  /** Of the app that is being built. */
  const endBuild = () => {
    const [id = 0] = [...service.apps.keys()].slice(-1);
    service.change(id, { last_build: '2026-01-04T00:00:00Z', status: { android: 'complete' } });
  };
  const labels = async (node: TreeNode) => (await view.rows(node)).map((row) => row.split(' | ')[0] ?? '');
  const apps = async () => labels(await view.child(root, 'Apps'));
  const filter = async (text: string) => {
    person.answers = { typed: [text] };
    await vscode.commands.executeCommand('appBuild.filterResources');
  };
  const sort = async (label: string) => {
    person.answers = { typed: [], lists: [[label]] };
    await vscode.commands.executeCommand('appBuild.sortResources');
  };

  it('find apps by words of their rows, with all below them, and ask the service for nothing', async () => {
    assert.deepEqual(await apps(), ['Shop', 'Café Müller', 'Field Notes', 'Almanac']);
    const shop = await view.child(await view.child(root, 'Apps'), 'Shop');
    const below = await labels(shop);
    const ids = (await access.tree.getChildren(await view.child(root, 'Apps'))).map(({ id }) => id);
    service.requests.length = 0;

    for (const [text, found] of [
      ['shop', ['Shop', 'Almanac']],
      ['MULLER cafe', ['Café Müller', 'Almanac']],
      ['android failed', ['Field Notes', 'Almanac']],
      ['shop android', ['Shop', 'Almanac']],
    ] as const) {
      arrangements.show({ filter: text });
      assert.deepEqual(await apps(), found, `${text}; what is being built stays`);
    }
    assert.deepEqual(await labels(shop), below, 'all of what fits');
    // One platform of an app that does not fit by itself: the app stays, with what fits.
    arrangements.show({ filter: 'winphone' });
    const [first] = await apps();
    assert.equal(first, below.includes('winphone') ? 'Shop' : 'Almanac');
    arrangements.show({ filter: '' });
    assert.deepEqual(
      (await access.tree.getChildren(await view.child(root, 'Apps'))).map(({ id }) => id),
      ids,
      'the same rows, for their selection',
    );
    assert.deepEqual(service.requests, []);
  });

  it('say what is hidden, offer to show it, and leave failures and the user in sight', async () => {
    await apps();
    endBuild();
    await access.tree.refresh();
    arrangements.show({ filter: 'nowhere' });
    assert.deepEqual(await view.rows(await view.child(root, 'Apps')), ['No match | Select to clear the filter']);
    const [note] = await access.tree.getChildren(await view.child(root, 'Apps'));
    assert.ok(note);
    assert.equal(access.tree.getTreeItem(note).command?.command, 'appBuild.clearFilter');
    assert.deepEqual(await access.tree.getChildren(), [root]);
    service.answer('GET', /\/apps$/, { status: 503, body: '{"error":"Down for maintenance"}' });
    await access.tree.refresh();
    assert.match((await apps()).join(), /Down for maintenance/);
    service.answerNormally();
    await access.tree.refresh();
    await vscode.commands.executeCommand('appBuild.clearFilter');
    assert.equal((await apps()).length, 4);
  });

  it('are kept for the workspace; Escape brings back what was shown before', async () => {
    const stored = () => access.context.workspaceState.get('arrangement');
    await filter('shop');
    await sort('By Title');
    assert.deepEqual(stored(), { filter: 'shop', order: 'title' });
    const again = new Arrangements(access.context.workspaceState);
    assert.deepEqual(again.current, { filter: 'shop', order: 'title' });
    again.dispose();
    person.answers = { typed: [] };
    arrangements.show({ filter: 'shop x' });
    await vscode.commands.executeCommand('appBuild.filterResources');
    assert.equal(arrangements.current.filter, 'shop x');
    await filter('');
    await sort('As the Service Lists Them');
    assert.equal(stored(), undefined, 'nothing is kept of what everybody starts with');
    assert.deepEqual(person.notifications, []);
  });

  it('open the list in which something is found', async () => {
    service.requests.length = 0;
    const drawn = next(access.tree.onDidChangeTreeData);
    await filter('notes');
    await drawn;
    assert.ok(service.requests.includes('GET /api/v1/apps'), service.requests.join());
    assert.deepEqual(await apps(), ['Field Notes', 'Almanac']);
  });

  it('never keep a token that is in what a person pastes', async () => {
    await filter(`${service.url}/api/v1/apps?auth_token=${service.token}`);
    assert.doesNotMatch(JSON.stringify(access.context.workspaceState.get('arrangement')), new RegExp(service.token));
  });

  it('sort apps by title, last build and state, without a request; the current order is marked', async () => {
    await apps();
    service.requests.length = 0;
    for (const [label, sorted] of [
      ['By Title', ['Almanac', 'Café Müller', 'Field Notes', 'Shop']],
      ['By Last Build or Change', ['Café Müller', 'Shop', 'Field Notes', 'Almanac']],
      ['By State', ['Almanac', 'Café Müller', 'Field Notes', 'Shop']],
      ['As the Service Lists Them', ['Shop', 'Café Müller', 'Field Notes', 'Almanac']],
    ] as const) {
      await sort(label);
      assert.deepEqual(await apps(), sorted, label);
    }
    assert.deepEqual(service.requests, []);
    assert.equal(person.questions.filter((text) => text.includes('current')).length, 4);
  });

  it('follow a row that changes: a build that has ended moves to where it belongs', async () => {
    await sort('By State');
    assert.deepEqual((await apps())[0], 'Almanac');
    endBuild();
    const drawn = next(access.tree.onDidChangeTreeData);
    await access.tree.refresh();
    assert.equal(await drawn, undefined, 'the list is drawn again, not only the row');
    assert.deepEqual(await apps(), ['Café Müller', 'Field Notes', 'Shop', 'Almanac']);
  });
});
