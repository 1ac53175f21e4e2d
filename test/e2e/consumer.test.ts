import assert from 'node:assert/strict';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inSteps, openWindowWithLocalService } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** Another publisher's extension gets sessions through VS Code, and only with the person's consent. */
describe('an extension of somebody else', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  const account = /^Consumer got: octo-demo \(http:\/\/127\.0\.0\.1:\d+\)$/;

  before(async () => {
    workbench = await openWindowWithLocalService();
  });

  /** What the other extension reports of the session that it asked for. */
  const outcome = async (): Promise<string> => {
    await workbench.notification('Consumer got:').waitFor();
    const message = (await workbench.notifications()).find((text) => text.startsWith('Consumer got:')) ?? '';
    await workbench.clearNotifications();
    return message;
  };

  it('gets nothing silently while nobody is signed in', async () => {
    await workbench.runCommand('Consumer: Ask Silently');
    assert.equal(await outcome(), 'Consumer got: none');
  });

  it('gets nothing without consent, and no page opens', async () => {
    const pages = workbench.page.context().pages();
    await workbench.runCommand('Consumer: Ask for a Session');
    await workbench.answerDialog('Cancel');
    assert.match(await outcome(), /^Consumer got: refused: /);
    assert.deepEqual(workbench.page.context().pages(), pages);
  });

  it('gets a session with consent, after the person has signed in', async () => {
    await workbench.runCommand('Consumer: Ask for a Session');
    const page = await workbench.newTab(() => workbench.answerDialog('Allow'));
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    assert.match(await outcome(), account);
    await workbench.treeRow('octo-demo').waitFor();
  });

  it('gets the same session silently from then on', async () => {
    await workbench.runCommand('Consumer: Ask Silently');
    assert.match(await outcome(), account);
  });

  it('gets another session when it asks for one, with consent again', async () => {
    await workbench.runCommand('Consumer: Ask for Another Session');
    const page = await workbench.newTab(() => workbench.answerDialog('Allow'));
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    assert.match(await outcome(), account);
  });

  it('builds an app with the tool for agents only when the person agrees to what it is told', async () => {
    const build = () => workbench.runCommand('Consumer: Build as an Agent');
    await build();
    await workbench.dialog.getByText('Build an App?').waitFor();
    await workbench.dialog
      .getByText(/The app “Commit Companion \(\/api\/v1\/apps\/\d+\)” is built again at 127\.0\.0\.1:\d+/)
      .waitFor();
    await workbench.screenshots('agent-confirms');
    await workbench.answerDialog('Cancel');
    await workbench.notification('Agent got: refused: Canceled').waitFor();
    await build();
    await workbench.answerDialog('Yes');
    await workbench.notification(/Agent got: .*"platforms":\["android"\].*Call appBuild_wait_for_build/).waitFor();
  });
});
