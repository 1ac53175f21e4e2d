import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { readStoredSecrets, untilLocalServices } from './localService.ts';
import { SignInPicture } from './pictures.ts';
import { changeEmail, decide, revokeApplication, signInWithCodeHosting } from './servicePages.ts';
import { inSteps, openWindow, startDemo } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const signInEntry = 'Sign in with Application Build Service';

describe('the main job, with pictures of it', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  let service: string;
  let page: Page;
  /** Codes and states that the browser carried to the service and back. */
  const browserSecrets = new Set<string>();

  before(async () => {
    workbench = await openWindow();
    workbench.page.context().on('request', (request) => {
      const parameters = new URL(request.url()).searchParams;
      for (const name of ['code', 'state']) {
        const value = parameters.get(name);
        if (value !== null) {
          browserSecrets.add(value);
        }
      }
    });
  });

  it('offers two ways to begin', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.welcome.getByText('Build This Folder').waitFor();
    await workbench.welcome.getByText('Connect to a Service…').waitFor();
    await workbench.screenshots('unconfigured');
  });

  it('starts the local service with demo data and says where it runs', async () => {
    await startDemo(workbench);
    const started = workbench.notification('The local service is running at');
    await started.waitFor();
    service = /http:\/\/127\.0\.0\.1:\d+/.exec(await started.innerText())?.[0] ?? '';
    await untilLocalServices(1);
    await workbench.clearNotifications();
    await workbench.screenshots('signed-out');
  });

  it('signs in from the Accounts menu through the service’s pages', async () => {
    await workbench.accountsBadge.waitFor();
    const picture = new SignInPicture();
    await picture.addAccountsMenu(workbench);
    page = await workbench.newTab(() => workbench.chooseAccountsItem(signInEntry));
    assert.equal(new URL(page.url()).origin, service);
    await workbench.screenshots('service-sign-in', page);
    await signInWithCodeHosting(page);
    const consent = await page.locator('main').innerText();
    assert.match(consent, /VS Code: Application Build Service wants to act for you/);
    assert.match(consent, /octo-demo \(octo-demo@example\.com\)/);
    await workbench.screenshots('consent', page);
    await picture.addPage(
      page,
      consent.split('\n').filter((line) => line.trim() !== ''),
    );
    await picture.keepInStep(workbench);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    const user = workbench.treeRow('octo-demo');
    await user.waitFor();
    assert.match(await user.innerText(), /octo-demo@example\.com/);
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.accountsBadge.waitFor({ state: 'hidden' });
    await workbench.page.locator('.sidebar').getByText('The local service, on this machine').waitFor();
  });

  it('shows what the service links to as the tree is opened', async () => {
    await workbench.expandTreeRow('Apps');
    await workbench.expandTreeRow('Field Notes');
    await workbench.treeRow(/^android\s*complete/).waitFor();
    await workbench.treeRow(/^ios\s*complete/).waitFor();
    await workbench.screenshots('tree');
    await workbench.expandTreeRow('More');
    await workbench.treeRow('com.example.fieldnotes').waitFor();
  });

  it('opens an app as JSON from its context menu', async () => {
    await workbench.chooseTreeRowItem('Field Notes', 'Open Resource');
    await workbench.tab('1001.json').waitFor();
    await workbench.screenshots('json');
    const app = JSON.parse(await workbench.copyAll('editor')) as Record<string, unknown>;
    assert.equal(app.title, 'Field Notes');
    assert.equal(app.link, '/api/v1/apps/1001');
  });

  it('opens a resource as JSON from the context menu', async () => {
    await workbench.chooseTreeRowItem(/^Apps$/, 'Open Resource');
    await workbench.tab('apps.json').waitFor();
    const apps = JSON.parse(await workbench.copyAll('editor')) as { apps: readonly { title: string }[] };
    assert.deepEqual(apps.apps.map(({ title }) => title).slice(0, 2), ['Field Notes', 'Commit Companion']);
    await workbench.page.keyboard.type('x');
    await workbench.page
      .locator('.monaco-editor-overlaymessage')
      .getByText('Cannot edit in read-only editor')
      .waitFor();
  });

  it('puts a link on the clipboard', async () => {
    await workbench.writeClipboard('');
    await workbench.chooseTreeRowItem('Field Notes', 'Copy Link');
    assert.equal(await workbench.clipboard(), `${service}/api/v1/apps/1001`);
  });

  it('shows what changed at the service after a refresh, with the same rows open', async () => {
    const account = await workbench.newTab(() => workbench.page.evaluate(`window.open('about:blank')`));
    await changeEmail(account, service, 'changed@example.com');
    await workbench.comeBackFrom(account);
    await workbench.clickViewAction('Refresh');
    await workbench.treeRow(/octo-demo.*changed@example\.com/s).waitFor();
    await workbench.treeRow('com.example.fieldnotes').waitFor();
  });

  it('says who is signed in', async () => {
    await workbench.runCommand('App Build: Show Current User');
    await workbench.clickNotification('Signed in as octo-demo (changed@example.com) at 127.0.0.1', 'Open Resource');
    await workbench.tab('v1.json').waitFor();
    assert.match(await workbench.copyAll('editor'), /"email": "changed@example\.com"/);
  });

  it('gets a resource by path and by link', async () => {
    await workbench.runCommand('App Build: Get Resource by Path or Link…');
    await workbench.answerInput('Path or link', '/api/v1/keys');
    await workbench.tab('keys.json').waitFor();
    await workbench.runCommand('App Build: Get Resource by Path or Link…');
    await workbench.answerInput('Path or link', `${service}/api/v1/me?trace=secret-value`);
    await workbench.tab('me.json').waitFor();
    assert.match(await workbench.copyAll('editor'), /"username": "octo-demo"/);
  });

  it('logs one line per request, without values of the query and without secrets', async () => {
    await workbench.runCommand('App Build: Show Log');
    // The latest line: the earlier ones are above it by then.
    await workbench.page.locator('.part.panel').getByText('/api/v1/me?trace').first().waitFor();
    const log = await workbench.copyAll('output');
    const requests = log.split('\n').filter((line) => line.includes(' → '));
    for (const line of requests) {
      assert.match(line, /\[(info|warning)\] (GET|POST) \/\S+ → \d{3} \(\d+ ms\)$/);
    }
    assert.equal(requests.filter((line) => line.includes('GET /api/v1/keys ')).length, 1, log);
    assert.equal(requests.filter((line) => line.includes('POST /authorize/token')).length, 1, log);
    assert.equal(requests.filter((line) => line.includes('/api/v1/me?trace')).length, 1, log);
    const secrets = [...browserSecrets, ...readStoredSecrets(), 'secret-value'];
    assert.ok(browserSecrets.size >= 2, 'the browser carried a code and a state');
    for (const secret of secrets) {
      assert.ok(!log.includes(secret), `the log has a secret: ${log}`);
    }
  });

  it('is still signed in after a reload, and starts the local service again', async () => {
    const before = await untilLocalServices(1);
    await workbench.reload();
    await workbench.treeRow('octo-demo').waitFor();
    await workbench.treeRow('Apps').waitFor();
    assert.notDeepEqual(await untilLocalServices(1), before);
    assert.ok((await workbench.accountsItems()).some((item) => item.startsWith('octo-demo (http://127.0.0.1')));
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.accountsBadge.waitFor({ state: 'hidden' });
  });

  it('signs out from the Accounts menu', async () => {
    await workbench.chooseAccountsItem(/octo-demo/, 'Sign Out');
    await workbench.answerDialog('Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    assert.ok(!(await workbench.accountsItems()).some((item) => item.includes('octo-demo')));
  });

  it('signs in again by command', async () => {
    page = await workbench.newTab(() => workbench.runCommand('App Build: Sign In'));
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
  });

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
    await workbench.clickViewAction('Refresh');
    await untilLocalServices(1);
    await workbench.treeRow('Field Notes').waitFor();
    assert.equal(await workbench.welcome.count(), 0);
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('signs out by command', async () => {
    await workbench.runCommand('App Build: Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
  });

  it('stops the local service', async () => {
    await workbench.runCommand('App Build: Stop Local Service');
    await workbench.notification('The local service is stopped.').waitFor();
    await workbench.welcome.getByText('Start Local Service').waitFor();
    await untilLocalServices(0);
  });
});
