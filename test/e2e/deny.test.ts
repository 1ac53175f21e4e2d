import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitUntil } from '../support/waitUntil.ts';
import { countAccessTokens, untilLocalServices } from './localService.ts';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inSteps, openWindowWithLocalService } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

describe('a sign-in that does not go straight', function () {
  inSteps(this);

  let workbench: WorkbenchPage;

  before(async () => {
    workbench = await openWindowWithLocalService();
  });

  it('tells calmly that access was denied, and stores nothing', async () => {
    const tokens = countAccessTokens();
    await workbench.accountsBadge.waitFor();
    const page = await workbench.newTab(() => workbench.chooseAccountsItem('Sign in with Application Build Service'));
    await signInWithCodeHosting(page);
    await decide(page, 'Deny');
    await workbench.comeBackFrom(page);
    await workbench.notification('You denied access').waitFor();
    await workbench.screenshots('denied');
    assert.deepEqual(await workbench.notifications(), [
      'You denied access on the service’s page, so you are not signed in. Sign in again whenever you like.',
    ]);
    await workbench.notification('You denied access').locator('.codicon-info').waitFor();
    await assertSignedOut();
    assert.equal(countAccessTokens(), tokens);
  });

  it('signs in again from the message', async () => {
    const page = await workbench.newTab(() => workbench.clickNotification('You denied access', 'Sign In Again'));
    await decide(page, 'Allow');
    await signedIn(page);
    await signOut();
  });

  it('ends in silence when it is cancelled, and leaves nothing in the way of the next one', async () => {
    const page = await startSignIn();
    await workbench.comeBackFrom(page);
    await workbench.notification('Waiting for the browser…').waitFor();
    await workbench.screenshots('waiting');
    await workbench.clickNotification('Waiting for the browser…', 'Cancel');
    await workbench.notification('Waiting for the browser…').waitFor({ state: 'hidden' });
    assert.deepEqual(await workbench.notifications(), []);
    await assertSignedOut();
    const second = await startSignIn();
    await decide(second, 'Allow');
    await signedIn(second);
    await signOut();
  });

  it('ignores the answer to a sign-in that was cancelled', async () => {
    const page = await startSignIn();
    await workbench.page.bringToFront();
    await workbench.clickNotification('Waiting for the browser…', 'Cancel');
    await workbench.notification('Waiting for the browser…').waitFor({ state: 'hidden' });
    await page.bringToFront();
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.runCommand('App Build: Show Log');
    await workbench.page
      .locator('.part.panel')
      .getByText('Ignored a sign-in callback: no sign-in is waiting for one.')
      .waitFor();
    await workbench.runCommand('View: Hide Panel');
    await assertSignedOut();
  });

  it('ends with a reload of the window, asks nothing afterwards, and leaves nothing in the way of the next one', async () => {
    const page = await startSignIn();
    await workbench.page.bringToFront();
    await workbench.notification('Waiting for the browser…').waitFor();
    const tokens = countAccessTokens();
    await workbench.reload();
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
    await untilLocalServices(1);
    // It may take a moment until it listens again.
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

  it('copies the link of the service’s page', async () => {
    const page = await startSignIn();
    await workbench.comeBackFrom(page);
    await workbench.writeClipboard('');
    await workbench.notification('Waiting for the browser…').getByText('Copy Link').click();
    const link = new URL(await workbench.clipboard());
    assert.equal(link.pathname, '/sign-in/ticket');
    const path = Buffer.from(link.searchParams.get('path') ?? '', 'base64url').toString();
    assert.match(path, /^\/authorize\?client_id=\w+&state=[\w-]+$/);
  });

  it('takes the address that the browser ended at', async () => {
    const link = await workbench.clipboard();
    const page = await workbench.newTab(() => workbench.page.evaluate(`window.open(${JSON.stringify(link)})`));
    const callback = await callbackAfterAllow(page);
    await workbench.comeBackFrom(page);
    await workbench.notification('Waiting for the browser…').getByText('Enter Code Instead…').click();
    await workbench.answerInput('Paste the whole address', 'https://example.com/?nothing=here');
    await workbench.question('This address does not fit: it has neither a code nor an error.').waitFor();
    assert.equal(await workbench.quickInput.getAttribute('type'), 'password');
    await workbench.screenshots('masked');
    await workbench.answerInput('This address does not fit', callback);
    await workbench.treeRow('octo-demo').waitFor();
    assert.deepEqual(await workbench.notifications(), []);
    await signOut();
  });

  it('closes the box when the browser was faster', async () => {
    const page = await startSignIn();
    await workbench.page.bringToFront();
    await workbench.notification('Waiting for the browser…').getByText('Enter Code Instead…').click();
    await workbench.question('Paste the whole address').waitFor();
    await page.bringToFront();
    await decide(page, 'Allow');
    await signedIn(page);
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await signOut();
  });

  it('takes the bare code after the person has confirmed the account', async () => {
    const page = await startSignIn();
    const code = new URL(await callbackAfterAllow(page)).searchParams.get('code') ?? '';
    await workbench.comeBackFrom(page);
    await workbench.notification('Waiting for the browser…').getByText('Enter Code Instead…').click();
    await workbench.answerInput('Paste the whole address', code);
    await workbench.dialog.getByText(/Signed in as octo-demo \(.*\) at 127\.0\.0\.1:\d+\?/).waitFor();
    await workbench.screenshots('confirm');
    await assertSignedOut();
    await workbench.answerDialog('Yes, That Is Me');
    await workbench.treeRow('octo-demo').waitFor();
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

/** Allows access in a browser that does not find the way back to VS Code. */
async function callbackAfterAllow(page: Page): Promise<string> {
  // Playwright's own routes do not see redirects.
  const session = await page.context().newCDPSession(page);
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*vscode-reqid=*' }] });
  const stopped = new Promise<string>((resolve) => {
    session.once('Fetch.requestPaused', ({ request }) => resolve(request.url));
  });
  await page.getByRole('button', { name: 'Allow', exact: true }).dispatchEvent('click');
  return stopped;
}
