import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import { startHostileService, type HostileService } from '../support/hostileService.ts';
import { activated, configure } from './support/extension.ts';
import { RecordingUser } from './support/recordingUser.ts';

describe('secrets that are words and numbers', () => {
  let access: TestAccess;
  let service: HostileService;
  let witness: RecordingUser;

  before(async () => {
    access = await activated();
    service = await startHostileService();
    witness = new RecordingUser();
    witness.show({ uiKind: vscode.UIKind.Desktop, remoteName: undefined });
    await configure({ serviceUrl: service.url });
  });

  afterEach(async () => {
    for (const { id } of await access.sessions.all()) {
      await access.sessions.remove(id);
    }
  });

  after(async () => {
    witness.dispose();
    await service.close();
  });

  for (const word of ['username', 'ann', 'email', 'true', '1234', 'link']) {
    it(`“${word}” as password and token signs in as the user, and changes nothing of what is shown`, async () => {
      service.issued.authToken = word;
      witness.answers = { typed: ['ann', word], pick: ({ label }) => label === 'User Name and Password' };
      await vscode.commands.executeCommand('appBuild.signInWith');
      const sessions = await access.sessions.all();
      assert.deepEqual(
        sessions.map(({ account }) => account.label),
        [`ann (${service.url})`],
      );
      await vscode.commands.executeCommand('appBuild.getResource', '/api/v1/me');
      assert.deepEqual(JSON.parse(vscode.window.activeTextEditor?.document.getText() ?? ''), {
        username: 'ann',
        email: 'ann@example.com',
        apps: { link: '/api/v1/apps' },
      });
      const [user] = await access.tree.getChildren();
      assert.ok(user !== undefined);
      assert.equal(access.tree.getTreeItem(user).label, 'ann');
      const rows = (await access.tree.getChildren(user)).map((node) => access.tree.getTreeItem(node).label);
      assert.deepEqual(rows, ['username', 'email', 'apps']);
    });
  }
});
