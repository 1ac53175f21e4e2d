import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inWorkspace, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** What a person does in the first minute: from the welcome text to the app, by the buttons of the walkthrough. */
describe('the walkthrough', () => {
  let workbench: WorkbenchPage;
  let walkthrough: Locator;
  let saved: string | undefined;

  before(async () => {
    workbench = await openWindow();
    walkthrough = workbench.page.locator('.gettingStartedContainer');
  });

  after(async () => {
    if (saved !== undefined) {
      await rm(saved, { force: true });
    }
  });

  /** Waits until a step is ticked off. */
  const ticked = (title: string) =>
    walkthrough.locator(`[role=checkbox][aria-checked=true][aria-label*="${title}"]`).waitFor();
  const openSteps = () => walkthrough.locator('.getting-started-step [role=checkbox][aria-checked=false]').count();
  const openStep = (title: string) => walkthrough.locator('.getting-started-step', { hasText: title }).click();
  const press = (name: string) => walkthrough.getByRole('button', { name, exact: true }).click();

  it('leads from the welcome text through service, sign-in, build and download, and each step ticks itself off', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('Get started step by step');
    await walkthrough.getByText('Build Your First Mobile App').first().waitFor();
    assert.equal(await openSteps(), 4);

    await press('Start Local Service');
    await ticked('Choose a service');
    await workbench.clearNotifications();

    await openStep('Sign in');
    const page = await workbench.newTab(() => press('Sign In'));
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await ticked('Sign in');

    await openStep('Build your first app');
    await press('create a sample project');
    await workbench.question('What is the app made of?').waitFor();
    await workbench.pick('Cordova Project');
    await workbench.notification('The sample project is in hello-app').waitFor();
    await workbench.clickNotification('The sample project is in hello-app', 'Build This Folder');
    await workbench.question('Which app is workspace/hello-app built as?').waitFor();
    await workbench.pick('Create an App');
    await workbench.treeRow(/^android\s*complete.*test key/).waitFor();
    // Only what can be built here: nobody is to begin with a failure.
    await workbench.treeRow(/^ios\s*not built yet/).waitFor();
    assert.match(await readFile(inWorkspace('hello-app', 'config.xml'), 'utf8'), /<widget id="com\.example\.hello"/);
    await workbench.page.locator('.tabs-container .tab', { hasText: 'Welcome' }).click();
    await ticked('Build your first app');

    await openStep('Get the app');
    await press('Download Build');
    await workbench.question('Download').waitFor();
    saved = path.resolve(await workbench.suggestedFile(/Hello.*\.\w+$/));
    await workbench.quickInput.press('Enter');
    await ticked('Get the app');
    assert.equal(await openSteps(), 0);
    await workbench.screenshots('walkthrough');
  });
});
