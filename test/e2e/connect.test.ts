import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { cleanUp, serve } from '../support/servers.ts';
import { inSteps, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** To the extension this service is a stranger: it did not start it, and has to be told of it. */
describe('a service of one’s own', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  let directory: string;
  let service: LocalService;

  before(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'app-build-service-'));
    service = await startLocalService({ dataFolder: path.join(directory, 'data') });
    workbench = await openWindow();
    await workbench.openViewContainer('App Build');
    await workbench.welcome.getByText('Build This Folder').waitFor();
  });

  after(async () => {
    await service.stop();
    await cleanUp();
    await rm(directory, { recursive: true, force: true });
  });

  it('offers both services to somebody who signs in before there is one', async () => {
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.runCommand('App Build: Sign In');
    await workbench.question('Which application build service').waitFor();
    await workbench.screenshots('choice-of-service');
    await workbench.pick('Connect to a Service…');
    await workbench.question('Address of the application build service').waitFor();
  });

  it('answers a wrong address in the box', async () => {
    await workbench.answerInput('Connect to a Service (1/3)', 'build example');
    await workbench.question('spaces').waitFor();
    await workbench.screenshots('connect-address');
    await workbench.answerInput('Connect to a Service (1/3)', 'http://build.example.com');
    await workbench.question('https').waitFor();
  });

  it('says what is at the address in place of a build service, and comes back to it', async () => {
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

  it('shows the Callback Url to register, with a button that copies it', async () => {
    await workbench.question('Connect to a Service (2/3)').waitFor();
    await workbench.writeClipboard('');
    await workbench.clickQuestionAction('Copy Callback Url');
    assert.equal(await workbench.clipboard(), 'code-oss://app-build.app-build-service/auth/callback');
    await workbench.screenshots('connect-callback');
    await workbench.quickInput.press('Enter');
  });

  it('goes back and forth without losing an answer', async () => {
    await workbench.question('Connect to a Service (3/3)').waitFor();
    await workbench.clickQuestionAction('Back');
    await workbench.question('Connect to a Service (2/3)').waitFor();
    await workbench.clickQuestionAction('Back');
    await workbench.question('Connect to a Service (1/3)').waitFor();
    assert.equal(await workbench.quickInput.inputValue(), service.baseUrl);
    await workbench.quickInput.press('Enter');
    await workbench.question('Connect to a Service (2/3)').waitFor();
    await workbench.quickInput.press('Enter');
  });

  it('takes the client ID, and the client secret masked', async () => {
    await workbench.answerInput('Connect to a Service (3/3)', service.clientId);
    await workbench.question('Connect to a Service (4/4)').waitFor();
    assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
    await workbench.quickInput.fill(service.clientSecret);
    await workbench.screenshots('masked-secret');
    await workbench.quickInput.press('Enter');
    await workbench.notification(`Connected to ${new URL(service.baseUrl).host}.`).waitFor();
  });

  it('goes on with the ways to sign in that work in a browser', async () => {
    await workbench.question('How do you want to sign in?').waitFor();
    await workbench.quickPickRow('Authentication Token').waitFor();
    await workbench.screenshots('flows');
    assert.deepEqual(await workbench.quickPickLabels(), [
      'Authentication Token',
      'User Name and Password',
      'Browser, Pasting the Result',
    ]);
  });

  it('tells that a token is wrong, and signs in with the right one', async () => {
    await workbench.pick('Authentication Token');
    await workbench.answerInput('Create one on your account page', 'two words');
    await workbench.question('A token is a single word').waitFor();
    assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
    await workbench.answerInput('A token is a single word', 'wrongTokenWrongToken');
    const failure = workbench.notification('Check the token, the client ID and the client secret.');
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

  it('tells that a password is wrong, and signs in with the right one', async () => {
    for (const password of ['wrong password', service.password]) {
      await workbench.runCommand('App Build: Sign In');
      await workbench.pick('User Name and Password');
      await workbench.answerInput('Your user name at the service.', service.username);
      await workbench.question('Used once to get a token').waitFor();
      assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
      await workbench.answerInput('Used once to get a token', password);
      if (password !== service.password) {
        const failure = workbench.notification(/did not accept/);
        await failure.waitFor();
        assert.ok(!(await failure.innerText()).includes(password));
        await workbench.clearNotifications();
      }
    }
    await workbench.treeRow(service.username).waitFor();
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('does not take a service that is down for being signed out', async () => {
    await service.stop();
    await workbench.clickViewAction('Refresh');
    const failure = workbench.treeRow('Select to try again');
    await failure.waitFor();
    await workbench.screenshots('service-down');
    assert.equal(await workbench.welcome.count(), 0);
    assert.ok((await workbench.accountsItems()).some((item) => item.startsWith(`${service.username} (`)));
    service = await startLocalService({ dataFolder: path.join(directory, 'data') });
    await failure.click();
    await workbench.treeRow(service.username).waitFor();
    await workbench.treeRow('Apps').waitFor();
  });

  async function signOut(): Promise<void> {
    await workbench.runCommand('App Build: Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    await workbench.clearNotifications();
  }
});
