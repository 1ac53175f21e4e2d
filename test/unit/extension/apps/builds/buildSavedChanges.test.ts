import assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import type { BuildDecisions } from '../../../../../src/extension/apps/builds/buildDecisions.ts';
import { buildSavedChanges } from '../../../../../src/extension/apps/builds/buildSavedChanges.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import { addFiles, fileUri } from '../../../../support/packing.ts';

type Dependencies = Parameters<typeof buildSavedChanges>[0];

describe('building on save', () => {
  const saved = new vscode.EventEmitter<vscode.TextDocument>();
  let folder: string;
  /** Decisions of each requested build. */
  let asked: BuildDecisions[];
  let runs: Promise<unknown>[];
  let changes: vscode.Disposable;
  useFolderForEachTest(async (made) => {
    folder = made;
    await addFiles(folder, { 'app/index.html': '<p>one</p>', 'app/start.js': '', 'notes.md': '' });
  });

  beforeEach(() => {
    asked = [];
    runs = [];
    const opened = { uri: fileUri(folder), name: 'app', index: 0 };
    mock.method(vscode.workspace, 'getWorkspaceFolder', () => opened);
    mock.method(vscode.workspace, 'onDidSaveTextDocument', saved.event);
    changes = buildSavedChanges({
      connections: { current: () => Promise.resolve({ kind: 'signedIn' }) },
      folders: { get: () => ({ url: 'https://build.example/apps/1', title: 'Shop', project: 'app' }) },
      eachBuild: { includes: () => true },
      answers: { pages: () => undefined },
      notifications: { run: (_doing: string, action: () => Promise<unknown>) => runs.push(action()) },
      buildFolder: (_folder: unknown, { decisions }: { readonly decisions: BuildDecisions }) =>
        Promise.resolve(asked.push(decisions)),
    } as unknown as Dependencies);
  });

  afterEach(() => {
    changes.dispose();
    mock.restoreAll();
  });

  async function save(...paths: readonly string[]): Promise<number> {
    paths.forEach((path) => saved.fire({ uri: fileUri(`${folder}/${path}`) } as vscode.TextDocument));
    await Promise.all(runs);
    return asked.length;
  }

  it('starts one build for all files saved in the meantime', async () => {
    assert.equal(await save('notes.md', 'app/index.html', 'app/start.js'), 1);
    assert.equal(await save('app/index.html'), 1);
    await asked[0]?.account();
    assert.equal(await save('app/index.html'), 2);
  });
});
