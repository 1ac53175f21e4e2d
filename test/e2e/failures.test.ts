import assert from 'node:assert/strict';
import { untilLocalServices } from './localService.ts';
import { decide, revokeApplication, signInWithCodeHosting } from './servicePages.ts';
import { openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

describe('failures at the local service', function () {
  this.bail(true);

  let workbench: WorkbenchPage;
  let service: string;

  before(async () => {
    workbench = await openWindow();
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('Start Local Service');
    const page = await workbench.newTab(() => workbench.clickNotification('The local service is running', 'Sign In'));
    service = new URL(page.url()).origin;
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
  });

  after(() => workbench.close());

  it('repeats what the service says of a missing resource, with the next step', async () => {
    await workbench.runCommand('App Build: Get Resource by Path or Link…');
    await workbench.answerInput('Path or link', '/api/v1/apps/99');
    const toast = workbench.notification('app #99 not available');
    await toast.waitFor();
    await workbench.notification('Loading').waitFor({ state: 'hidden' });
    await workbench.screenshots('error');
    assert.deepEqual(await workbench.notifications(), [
      'The service answered with status 404: app #99 not available. It may have been deleted. Refresh, then try again.',
    ]);
    await toast.locator('.codicon-error').waitFor();
    await toast.getByRole('button', { name: 'Show Log' }).waitFor();
    await workbench.clickNotification('app #99 not available', 'Refresh');
    await toast.waitFor({ state: 'hidden' });
    await workbench.treeRow('octo-demo').waitFor();
  });

  it('asks before it opens a link that leads away from the service', async () => {
    await workbench.runCommand('App Build: Get Resource by Path or Link…');
    await workbench.answerInput('Path or link', 'https://elsewhere.example/api/v1/me');
    await workbench.dialog.getByText('https://elsewhere.example/api/v1/me').waitFor();
    await workbench.answerDialog('Cancel');
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('asks once to sign in again when the token was revoked', async () => {
    const account = await workbench.newTab(() => workbench.page.evaluate(`window.open('about:blank')`));
    await revokeApplication(account, service);
    await workbench.comeBackFrom(account);
    await workbench.clickViewAction('Refresh');
    await workbench.notification('The service did not accept the sign-in').waitFor();
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    await workbench.screenshots('revoked');
    assert.equal((await workbench.notifications()).length, 1);
    assert.ok(!(await workbench.accountsItems()).some((item) => item.includes('octo-demo')));
    const page = await workbench.newTab(() =>
      workbench.clickNotification('The service did not accept the sign-in', 'Sign In Again'),
    );
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
  });

  it('goes on when the service has died: it is started again', async () => {
    const [id = 0] = await untilLocalServices(1);
    process.kill(id, 'SIGKILL');
    await untilLocalServices(0);
    await workbench.expandTreeRow('apps');
    await workbench.treeRow('Field Notes').waitFor();
    await untilLocalServices(1);
    assert.equal(await workbench.welcome.count(), 0);
    assert.deepEqual(await workbench.notifications(), []);
  });
});
