import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { oddUser, startOddService, type OddAnswer } from '../support/oddService.ts';
import { getTestExtension } from './support/extension.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { ServedRows } from './support/treeRows.ts';

const LARGE = JSON.stringify({ title: 'large', text: 'x'.repeat(5 * 1024 * 1024) });
const WITH_LENGTH = { body: LARGE, headers: { 'content-length': Buffer.byteLength(LARGE) } };
const ANSWERS: Readonly<Record<string, { readonly answer: OddAnswer; readonly size: RegExp; readonly label: string }>> =
  {
    'with their length': { answer: WITH_LENGTH, size: /is 5\.2 MB/, label: '5.2 MB' },
    'without it': {
      answer: { body: LARGE, headers: { 'transfer-encoding': 'chunked' } },
      size: /larger than 1 MB/,
      label: 'More than 1.0 MB',
    },
  };

describe('a response of more than 1 MiB', () => {
  const access = getTestExtension();
  let explorer: ServedRows;
  const witness = useRecordingUser();

  // Each test has its own service, because VS Code keeps documents for a while after they're closed, and those would send requests to a
  // shared one.
  beforeEach(async () => {
    explorer = new ServedRows(access.tree, await startOddService());
    await signInAtService(access, oddUser(explorer.service));
  });

  afterEach(async () => {
    await Promise.all(witness.savedTo.map((file) => rm(file, { force: true })));
    await explorer.service.close();
  });

  /** Presses *Download…* whenever it's offered. @returns the complete file */
  function downloaded(): Promise<string> {
    return new Promise((resolve) => {
      witness.answers.press = (shown, buttons) => {
        if (shown.includes('was downloaded')) {
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
      it('has a row that shows its size and downloads it', async () => {
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
        assert.equal(item.description, 'Too large to show');
        for (const shown of [item.tooltip, item.accessibilityInformation?.label]) {
          assert.match(typeof shown === 'string' ? shown : '', size);
        }
        assert.deepEqual(await explorer.rows(await explorer.child(root, 'small')), ['title | small']);

        const file = downloaded();
        assert.equal(item.command, undefined, 'a click selects');
        await vscode.commands.executeCommand('appBuild.download', row);
        assert.equal(await readFile(await file, 'utf8'), LARGE);
      });

      it('doesn’t open in an editor, and offers the download in a notification', async () => {
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

  it('reports that the service responded to a POST, without a download, and reloads the changes', async () => {
    await explorer.serve({});
    large();
    const body = { kind: 'none' };
    await vscode.commands.executeCommand('appBuild.sendRequest', { url: '/api/v1/large', method: 'POST', body });
    const [shown = ''] = failures();
    assert.match(shown, /is 5\.2 MB.*the service responded\. You don’t need to send it again/);
    assert.doesNotMatch(shown, /Download/);
    assert.deepEqual(explorer.service.requests, ['/api/v1/large', '/api/v1']);
  });
});
