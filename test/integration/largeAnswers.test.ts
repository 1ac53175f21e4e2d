import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import type { OddAnswer } from '../support/oddService.ts';
import { Explorer } from './support/explorer.ts';
import { configure, signOutEverywhere } from './support/extension.ts';
import { userOfEachTest } from './support/recordingUser.ts';

const LARGE = JSON.stringify({ title: 'large', text: 'x'.repeat(5 * 1024 * 1024) });
const WITH_LENGTH = { body: LARGE, headers: { 'content-length': Buffer.byteLength(LARGE) } };
const ANSWERS: Readonly<Record<string, { readonly answer: OddAnswer; readonly size: RegExp; readonly label: string }>> =
  {
    'with their length': { answer: WITH_LENGTH, size: /is 5\.2 MB/, label: '5.2 MB' },
    'without it': {
      answer: { body: LARGE, headers: { 'transfer-encoding': 'chunked' } },
      size: /larger than 4 MB/,
      label: 'More than 4.2 MB',
    },
    compressed: {
      answer: { body: gzipSync(LARGE), headers: { 'content-encoding': 'gzip' } },
      size: /larger than 4 MB/,
      label: 'More than 4.2 MB',
    },
  };

describe('answers of more than 4 MiB', () => {
  let explorer: Explorer;
  const witness = userOfEachTest();

  // A service for each test: VS Code keeps documents for a while that were open, and they would ask this one.
  beforeEach(async () => {
    explorer = await Explorer.open();
    await explorer.signIn();
  });

  afterEach(async () => {
    await Promise.all(witness.savedTo.map((file) => rm(file, { force: true })));
    await explorer.close();
  });

  /** Presses *Download…* wherever it is offered. @returns the file, once it is complete. */
  function downloaded(): Promise<string> {
    return new Promise((resolve) => {
      witness.answers.press = (shown, buttons) => {
        if (shown.includes('is downloaded')) {
          resolve(witness.savedTo.at(-1) ?? '');
        }
        return buttons.find((button) => button === 'Download…');
      };
    });
  }

  const failures = () => witness.notifications.filter((shown) => /\d MB/.test(shown));
  const large = () => explorer.service.paths.set('/api/v1/large', WITH_LENGTH);

  for (const [how, { answer, size, label }] of Object.entries(ANSWERS)) {
    describe(how, () => {
      it('are a row that says how large they are, and downloads them', async () => {
        const root = await explorer.serve(
          { large: { link: '/api/v1/large' }, small: { link: '/api/v1/small' } },
          { '/api/v1/large': answer, '/api/v1/small': { title: 'small' } },
        );
        const [row, ...others] = await explorer.tree.getChildren(await explorer.child(root, 'large'));
        assert.ok(row);
        assert.deepEqual(others, []);
        const item = explorer.tree.getTreeItem(row);
        assert.equal(item.contextValue, 'download', 'the menus of a download');
        assert.equal(item.label, label);
        assert.equal(item.description, 'Too large to show. Select to download');
        for (const shown of [item.tooltip, item.accessibilityInformation?.label]) {
          assert.match(typeof shown === 'string' ? shown : '', size);
        }
        assert.deepEqual(await explorer.rows(await explorer.child(root, 'small')), ['title | small']);

        const file = downloaded();
        await vscode.commands.executeCommand(item.command?.command ?? '', row);
        assert.equal(await readFile(await file, 'utf8'), LARGE);
      });

      it('open no editor; a notification offers the download', async () => {
        explorer.service.paths.set('/api/v1/large', answer);
        const file = downloaded();
        await vscode.commands.executeCommand('appBuild.getResource', '/api/v1/large');
        assert.equal(await readFile(await file, 'utf8'), LARGE);
        assert.equal(vscode.window.activeTextEditor, undefined);
        assert.equal(failures().length, 1);
        assert.match(failures()[0] ?? '', size);
      });
    });
  }

  it('leave an open document as it is when it is refreshed, and offer the download', async () => {
    explorer.service.paths.set('/api/v1/large', { title: 'still small' });
    await vscode.commands.executeCommand('appBuild.getResource', '/api/v1/large');
    const document = vscode.window.activeTextEditor?.document;
    assert.match(document?.getText() ?? '', /still small/);
    large();
    for (const [command, argument] of [['appBuild.refreshResource', document?.uri], ['appBuild.refresh']] as const) {
      const file = downloaded();
      await vscode.commands.executeCommand(command, argument);
      assert.equal(await readFile(await file, 'utf8'), LARGE);
    }
    assert.match(document?.getText() ?? '', /still small/);
    assert.match(failures()[0] ?? '', /is 5\.2 MB/);
  });

  it('end a list: its row downloads the page', async () => {
    const root = await explorer.serve(
      { list: { link: '/api/v1/list' } },
      {
        '/api/v1/list': { items: [{ title: 'Item 1', link: '/api/v1/items/1' }], next: '/api/v1/large' },
        '/api/v1/large': WITH_LENGTH,
      },
    );
    const list = await explorer.child(root, 'list');
    assert.deepEqual((await explorer.rows(list)).at(-1), 'Load More…');
    for (const again of [() => explorer.tree.loadMore(list), () => explorer.tree.refresh(list)]) {
      await again();
      const rows = await explorer.tree.getChildren(list);
      assert.deepEqual(
        rows.map((row) => explorer.contextOf(row)),
        ['resource', 'download'],
      );
      assert.match(rows.map((row) => explorer.shown(row))[1] ?? '', /^5\.2 MB/);
    }
  });

  it('to a GET of one’s own say that it was answered, and offer the download', async () => {
    large();
    const file = downloaded();
    await vscode.commands.executeCommand('appBuild.sendRequest', { url: '/api/v1/large', method: 'GET' });
    assert.equal(await readFile(await file, 'utf8'), LARGE);
    assert.match(failures()[0] ?? '', /is 5\.2 MB.*the service has answered/);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });

  it('to a POST say that it was answered and offer no download; what it has changed is loaded', async () => {
    await explorer.serve({});
    large();
    const body = { kind: 'none' };
    await vscode.commands.executeCommand('appBuild.sendRequest', { url: '/api/v1/large', method: 'POST', body });
    const [shown = ''] = failures();
    assert.match(shown, /is 5\.2 MB.*the service has answered it: there is no need to send it again/);
    assert.doesNotMatch(shown, /Download/);
    assert.deepEqual(explorer.service.requests, ['/api/v1/large', '/api/v1']);
  });

  it('to a sign-in end it, without a download', async () => {
    await signOutEverywhere(explorer.access);
    await configure({ serviceUrl: explorer.service.url });
    explorer.service.paths.set('/api/v1/me', WITH_LENGTH);
    witness.answers.typed = ['ann', 'password'];
    witness.answers.pick = ({ label }) => /password/i.test(label);
    await vscode.commands.executeCommand('appBuild.signInWith');
    const [shown = ''] = failures();
    assert.match(shown, /is 5\.2 MB/);
    assert.doesNotMatch(shown, /Download…/);
    assert.ok(explorer.service.requests.includes('/api/v1/me'));
    assert.deepEqual(await explorer.access.sessions.all(), []);
  });

  it('for the user leave the root in place, with the row below it', async () => {
    explorer.service.paths.set('/api/v1', WITH_LENGTH);
    await explorer.tree.refresh();
    const [root] = await explorer.tree.getChildren();
    const [row] = await explorer.tree.getChildren(root);
    assert.equal(explorer.contextOf(row), 'download');
  });
});
