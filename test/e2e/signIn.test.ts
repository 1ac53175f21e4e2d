/** From a click on Sign In to a session on the service's pages, with everything that can go wrong. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { cleanUp, serve } from '../support/servers.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { countAccessTokens, readStoredSecrets, untilLocalServices } from './localService.ts';
import { decide, revokeApplication, signInWithCodeHosting } from './servicePages.ts';
import { inSteps, openWindow, startDemo } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const signInEntry = 'Sign in with Application Build Service to use App Build (1)';

describe('signing in with a browser', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  let service: string;
  /** Codes and states that the browser has exchanged with the service. */
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

  it('starts the local service with demo data, and shows its address', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.welcome.getByText('Connect to a Service…').waitFor();
    await workbench.screenshots('unconfigured');
    await startDemo(workbench);
    const started = workbench.notification('The local service is running at');
    await started.waitFor();
    service = `http://${/127\.0\.0\.1:\d+/.exec(await started.innerText())?.[0] ?? ''}`;
    await untilLocalServices(1);
    await workbench.clearNotifications();
    await workbench.screenshots('signed-out');
  });

  it('signs in from the Accounts menu through the service’s pages', async () => {
    await workbench.accountsBadge.waitFor();
    assert.deepEqual(await workbench.accountsRequests(), [signInEntry]);
    const page = await workbench.newTabFromAccounts(signInEntry);
    assert.equal(new URL(page.url()).origin, service);
    await workbench.screenshots('service-sign-in', page);
    await signInWithCodeHosting(page);
    const consent = await page.locator('main').innerText();
    assert.match(consent, /VS Code: App Build wants to access your account/);
    assert.match(consent, /octo-demo \(octo-demo@example\.com\)/);
    await workbench.screenshots('consent', page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    const user = workbench.treeRow('octo-demo');
    await user.waitFor();
    assert.match(await user.innerText(), /octo-demo@example\.com/);
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.accountsBadge.waitFor({ state: 'hidden' });
    await workbench.page.locator('.sidebar .composite.title').getByText('App Build: Demo Data').waitFor();
  });

  it('shows the service’s resources as rows, and an app as JSON', async () => {
    await workbench.expandTreeRow('Apps');
    await workbench.expandTreeRow('Field Notes');
    await workbench.treeRow(/^Android\s*complete/).waitFor();
    await workbench.screenshots('tree');
    await workbench.chooseTreeRowItem('Field Notes', 'Developer', 'Open as JSON');
    await workbench.tab('1001.json').waitFor();
    await workbench.screenshots('json');
    const app = JSON.parse(await workbench.copyAll('editor')) as Record<string, unknown>;
    assert.equal(app.title, 'Field Notes');
  });

  it('logs a line for each request without secrets', async () => {
    await workbench.runCommand('App Build: Show Extension Log');
    await workbench.page.locator('.part.panel').getByText('/api/v1/apps').first().waitFor();
    const log = await workbench.copyAll('output');
    const requests = log.split('\n').filter((line) => line.includes(' → '));
    for (const line of requests) {
      assert.match(line, /\[(info|warning)\] (GET|POST) \/\S+ → \d{3} \(\d+ ms\)$/);
    }
    assert.equal(requests.filter((line) => line.includes('POST /authorize/token')).length, 1, log);
    const secrets = [...browserSecrets, ...readStoredSecrets()];
    assert.ok(browserSecrets.size >= 2, 'the browser carried a code and a state');
    for (const secret of secrets) {
      assert.ok(!log.includes(secret), `the log has a secret: ${log}`);
    }
  });

  it('stays signed in after a reload, and starts the local service again', async () => {
    const before = await untilLocalServices(1);
    await workbench.reload();
    await workbench.treeRow('octo-demo').waitFor();
    await workbench.treeRow('Apps').waitFor();
    assert.notDeepEqual(await untilLocalServices(1), before);
    assert.ok((await workbench.accountsItems()).some((item) => item.startsWith('octo-demo (http://127.0.0.1')));
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.accountsBadge.waitFor({ state: 'hidden' });
  });

  it('asks once to sign in again after the token was revoked', async () => {
    const account = await workbench.newTab(() => workbench.page.evaluate(`window.open('about:blank')`));
    await revokeApplication(account, service);
    await workbench.comeBackFrom(account);
    await workbench.clickViewAction('Refresh');
    await workbench.notification('The service didn’t accept the sign-in').waitFor();
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    await workbench.screenshots('revoked');
    assert.equal((await workbench.notifications()).length, 1);
    assert.ok(!(await workbench.accountsItems()).some((item) => item.includes('octo-demo')));
    const page = await workbench.newTab(() =>
      workbench.clickNotification('The service didn’t accept the sign-in', 'Sign In Again'),
    );
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
  });

  it('restarts the service after a crash', async () => {
    const [id = 0] = await untilLocalServices(1);
    process.kill(id, 'SIGKILL');
    await untilLocalServices(0);
    await workbench.clickViewAction('Refresh');
    await untilLocalServices(1);
    await workbench.treeRow('Field Notes').waitFor();
    assert.equal(await workbench.welcome.count(), 0);
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('signs out from the Accounts menu', async () => {
    await workbench.answerFromAccounts([/octo-demo/, 'Sign Out'], 'Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    assert.ok(!(await workbench.accountsItems()).some((item) => item.includes('octo-demo')));
  });

  it('shows a neutral message when access is denied, and stores nothing', async () => {
    const tokens = countAccessTokens();
    await workbench.accountsBadge.waitFor();
    const page = await workbench.newTabFromAccounts(signInEntry);
    await decide(page, 'Deny');
    await workbench.comeBackFrom(page);
    await workbench.notification('You denied access').waitFor();
    await workbench.screenshots('denied');
    assert.deepEqual(await workbench.notifications(), [
      'You denied access on the service’s page, so you’re not signed in. You can sign in again at any time.',
    ]);
    await workbench.notification('You denied access').locator('.codicon-info').waitFor();
    await assertSignedOut();
    assert.equal(countAccessTokens(), tokens);
  });

  it('signs in again from the message about the denied access', async () => {
    const page = await workbench.newTab(() => workbench.clickNotification('You denied access', 'Sign In Again'));
    await decide(page, 'Allow');
    await signedIn(page);
    await signOut();
  });

  it('ignores the callback of a canceled sign-in', async () => {
    const page = await startSignIn();
    await workbench.page.bringToFront();
    await workbench.clickNotification('Waiting for the browser…', 'Cancel');
    await workbench.notification('Waiting for the browser…').waitFor({ state: 'hidden' });
    await page.bringToFront();
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.runCommand('App Build: Show Extension Log');
    await workbench.page
      .locator('.part.panel')
      .getByText('Ignored a sign-in callback: no sign-in is waiting for an address.')
      .waitFor();
    await workbench.runCommand('View: Hide Panel');
    await assertSignedOut();
  });

  it('cancels a sign-in when the window reloads, asks nothing afterward, and doesn’t block the next one', async () => {
    const page = await startSignIn();
    await workbench.page.bringToFront();
    await workbench.notification('Waiting for the browser…').waitFor();
    const tokens = countAccessTokens();
    await workbench.reload();
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    await untilLocalServices(1);
    // It may take a moment before the service is listening again.
    await waitUntil(() => fetch(new URL(page.url()).origin).catch(() => undefined));
    await page.bringToFront();
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    assert.deepEqual(await workbench.notifications(), []);
    await assertSignedOut();
    const second = await startSignIn();
    await decide(second, 'Allow');
    await signedIn(second);
    assert.equal(countAccessTokens(), tokens + 1);
    assert.deepEqual(await workbench.notifications(), []);
    await signOut();
  });

  it('accepts the bare code after the user confirms the account', async () => {
    const page = await startSignIn();
    const code = new URL(await callbackAfterAllow(page)).searchParams.get('code') ?? '';
    await workbench.comeBackFrom(page);
    await workbench.notification('Waiting for the browser…').getByText('Enter Code Instead…').click();
    await workbench.answerInput('Paste the full address', code);
    await workbench.dialog.getByText(/Signed in as octo-demo \(.*\) at 127\.0\.0\.1:\d+\?/).waitFor();
    await workbench.screenshots('confirm');
    await assertSignedOut();
    await workbench.answerDialog('Yes, That’s Me');
    await workbench.treeRow('octo-demo').waitFor();
  });

  const account = /^Consumer got: octo-demo \(http:\/\/127\.0\.0\.1:\d+\)$/;

  /** Returns the other extension's report about the session that it requested. */
  const outcome = async (): Promise<string> => {
    await workbench.notification('Consumer got:').waitFor();
    const message = (await workbench.notifications()).find((text) => text.startsWith('Consumer got:')) ?? '';
    await workbench.clearNotifications();
    return message;
  };

  it('doesn’t give another extension a session without the user’s consent', async () => {
    await signOut();
    await workbench.clearNotifications();
    await workbench.runCommand('Consumer: Ask Silently');
    assert.equal(await outcome(), 'Consumer got: none');
    const pages = workbench.page.context().pages();
    await workbench.runCommand('Consumer: Ask for a Session');
    await workbench.answerDialog('Cancel');
    assert.match(await outcome(), /^Consumer got: refused: /);
    assert.deepEqual(workbench.page.context().pages(), pages);
  });

  it('gives another extension a session with the user’s consent, and later returns the same session silently', async () => {
    await workbench.runCommand('Consumer: Ask for a Session');
    const page = await workbench.newTab(() => workbench.answerDialog('Allow'));
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    assert.match(await outcome(), account);
    await workbench.treeRow('octo-demo').waitFor();
    await workbench.runCommand('Consumer: Ask Silently');
    assert.match(await outcome(), account);
  });

  it('builds an app with the agent tool only after the user agrees', async () => {
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
    await workbench.notification(/Agent got: .*"platforms":\["android"\].*Call appBuild_read_build/).waitFor();
  });

  it('stops the local service', async () => {
    await signOut();
    await workbench.runCommand('App Build: Stop Local Service');
    await workbench.notification('The local service was stopped.').waitFor();
    await workbench.welcome.getByText('Start Local Service').waitFor();
    await untilLocalServices(0);
  });

  function startSignIn(): Promise<Page> {
    return workbench.newTab(() => workbench.runCommand('App Build: Sign In'));
  }

  async function signedIn(page: Page): Promise<void> {
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
  }

  async function signOut(): Promise<void> {
    await workbench.runCommand('App Build: Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
  }

  async function assertSignedOut(): Promise<void> {
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    assert.equal(await workbench.treeRow('octo-demo').count(), 0);
  }
});

describe('connecting to a company’s service', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  let directory: string;
  let service: LocalService;

  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-service-'));
    service = await startLocalService({ dataFolder: path.join(directory, 'data') });
    workbench = await openWindow();
    await workbench.openViewContainer('App Build');
    await workbench.welcome.getByText('Build App').waitFor();
  });

  after(async () => {
    await service.stop();
    await cleanUp();
    await rm(directory, { recursive: true, force: true });
  });

  it('offers both services to a user who signs in before choosing one', async () => {
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.runCommand('App Build: Sign In');
    await workbench.question('Which service do you want to use?').waitFor();
    await workbench.screenshots('choice-of-service');
    await workbench.pick('Connect to a Service…');
    await workbench.question('Address of the application build service').waitFor();
  });

  it('explains an invalid address in the input box', async () => {
    await workbench.answerInput('Connect to a Service (1/3)', 'build example');
    await workbench.question('spaces').waitFor();
    await workbench.screenshots('connect-address');
    await workbench.answerInput('Connect to a Service (1/3)', 'http://build.example.com');
    await workbench.question('https').waitFor();
  });

  it('reports a web page at the address, and returns to the question', async () => {
    const page = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Intranet</title>'),
    );
    const silent = await serve(() => undefined);
    await workbench.answerInput('Connect to a Service (1/3)', silent.url);
    await workbench.page.locator('.quick-input-widget .monaco-progress-container.active').waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await workbench.runCommand('App Build: Sign In');
    await workbench.pick('Connect to a Service…');
    await workbench.answerInput('Connect to a Service (1/3)', new URL(page.url).host);
    await workbench.dialog.getByText('not a build service: “Intranet”').waitFor();
    await workbench.screenshots('connect-web-page');
    await workbench.answerDialog('Change');
    await workbench.question('Connect to a Service (1/3)').waitFor();
    assert.equal(await workbench.quickInput.inputValue(), page.url);
    await workbench.answerInput('Connect to a Service (1/3)', new URL(service.baseUrl).host);
  });

  it('shows the callback URL to register, with a button to copy it', async () => {
    await workbench.question('Connect to a Service (2/3)').waitFor();
    await workbench.writeClipboard('');
    await workbench.clickQuestionAction('Copy Callback URL');
    assert.equal(await workbench.clipboard(), 'code-oss://app-build.app-build-service/auth/callback');
    await workbench.screenshots('connect-callback');
    await workbench.quickInput.press('Enter');
  });

  it('accepts the client ID, and masks the client secret', async () => {
    await workbench.answerInput('Connect to a Service (3/3)', service.clientId);
    await workbench.question('Connect to a Service (4/4)').waitFor();
    assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
    await workbench.quickInput.fill(service.clientSecret);
    await workbench.screenshots('masked-secret');
    await workbench.quickInput.press('Enter');
  });

  it('continues with the sign-in methods that work in a browser', async () => {
    await workbench.question('How do you want to sign in?').waitFor();
    await workbench.quickPickRow('Authentication Token').waitFor();
    await workbench.screenshots('flows');
    assert.deepEqual(await workbench.quickPickLabels(), [
      'Authentication Token',
      'User Name and Password',
      'Browser (Paste the Code)',
    ]);
  });

  it('reports a wrong token, and signs in with the right one', async () => {
    await workbench.pick('Authentication Token');
    await workbench.answerInput('Create one on your account page', 'two words');
    await workbench.question('A token is a single word').waitFor();
    assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
    await workbench.answerInput('A token is a single word', 'wrongTokenWrongToken');
    const failure = workbench.notification('Check the token, client ID, and client secret.');
    await failure.getByRole('button', { name: 'Change Registration…' }).waitFor();
    await workbench.screenshots('wrong-token');
    await failure.locator('.codicon-error').waitFor();
    assert.ok(!(await failure.innerText()).includes('wrongToken'));
    await workbench.runCommand('App Build: Sign In');
    await workbench.pick('Authentication Token');
    await workbench.answerInput('Create one on your account page', service.authToken);
    await workbench.treeRow(service.username).waitFor();
    await signOut();
  });

  it('reports a wrong password, and signs in with the right one', async () => {
    for (const password of ['wrong password', service.password]) {
      await workbench.runCommand('App Build: Sign In');
      await workbench.pick('User Name and Password');
      await workbench.answerInput('Your user name at the service.', service.username);
      await workbench.question('Used once to get a token').waitFor();
      assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
      await workbench.answerInput('Used once to get a token', password);
      if (password !== service.password) {
        const failure = workbench.notification(/didn’t accept/);
        await failure.waitFor();
        assert.ok(!(await failure.innerText()).includes(password));
        await workbench.clearNotifications();
      }
    }
    await workbench.treeRow(service.username).waitFor();
    assert.deepEqual(await workbench.notifications(), []);
  });

  async function signOut(): Promise<void> {
    await workbench.runCommand('App Build: Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    await workbench.clearNotifications();
  }
});

/** Allows access in a browser that can't return to VS Code. */
async function callbackAfterAllow(page: Page): Promise<string> {
  // Playwright's own routes don't handle redirects.
  const session = await page.context().newCDPSession(page);
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*vscode-reqid=*' }] });
  const stopped = new Promise<string>((resolve) => {
    session.once('Fetch.requestPaused', ({ request }) => resolve(request.url));
  });
  await page.getByRole('button', { name: 'Allow', exact: true }).dispatchEvent('click');
  return stopped;
}
