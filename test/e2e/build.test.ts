/** What people install the extension for: from an open folder to an installable file, by the key for the build task. */
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { OriginalService } from '../support/originalService.ts';
import { readStoredSecrets } from './localService.ts';
import { windowPicture } from './pictures.ts';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inWorkspace, openWindowSignedInAt, openWindowWithLocalService } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** What the user has built before. */
const OTHER_APPS = [
  ['Field Notes', '2.4.1', { android: 'complete', ios: 'complete', winphone: 'skip' }],
  ['Tide Tables', '1.0.3', { android: 'complete', ios: 'error', winphone: 'skip' }],
] as const;

const LOG = `Reading config.xml: Shop 1.0.0
Adding the platform android
> Task :app:compileReleaseJavaWithJavac
> Task :app:mergeReleaseAssets
> Task :app:assembleRelease
`;
const LOG_END = `BUILD SUCCESSFUL in 41s
Signed with “Distribution”
Built Shop-1.0.0.apk, 2,914,310 bytes
`;

describe('building a folder, with pictures of it', () => {
  let workbench: WorkbenchPage;

  /** Answers the question which app the folder is built as. */
  const createApp = async () => {
    await workbench.question('Which app is workspace built as?').waitFor();
    await workbench.pick('Create an App');
  };

  /** Saves what the notification offers into the folder. @returns its content. */
  const downloadFrom = async (text: RegExp, platform?: string) => {
    await workbench.clickNotification(text, 'Download');
    if (platform !== undefined) {
      await workbench.pick(platform);
    }
    await workbench.question('Download').waitFor();
    // The dialog looks into the folders first: its box is filled step by step.
    await workbench.quickPickRow('..').waitFor();
    await workbench.page.waitForFunction(
      `/Shop.*\\.\\w+$/.test(document.querySelector('.quick-input-widget input.input').value)`,
    );
    const file = await workbench.quickInput.inputValue();
    await workbench.quickInput.press('Enter');
    await workbench.notification('is downloaded.').waitFor();
    const content = await readFile(file);
    await rm(file);
    return content;
  };

  it('at the local service: configured, signed in, created, uploaded, built, watched, notified, downloaded', async () => {
    // The demo user has no key for the other platforms.
    const task = '{ "type": "app-build", "label": "phone", "platforms": ["winphone"] }';
    workbench = await openWindowWithLocalService({
      settings: { 'appBuild.notify': 'always' },
      files: { ...WEB_PROJECT, '.vscode/tasks.json': `{ "version": "2.0.0", "tasks": [${task} /* ours */] }` },
    });
    await workbench.runCommand('App Build: Configure Default Build…');
    await workbench.tab('tasks.json').waitFor();
    assert.match(await readFile(inWorkspace('.vscode', 'tasks.json'), 'utf8'), /"isDefault": true[^]*\/\* ours \*\//);
    const page = await workbench.newTab(() => workbench.page.keyboard.press('ControlOrMeta+Shift+b'));
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await createApp();
    await workbench.notification(/demo build of Shop/).waitFor();
    await workbench.screenshots('build-ended');
    const terminal = (await workbench.terminal.innerText()).replaceAll('\u00a0', ' ');
    assert.match(terminal, /winphone: a demo build is complete/);
    assert.ok(readStoredSecrets().every((secret) => !terminal.includes(secret)));
    const artifact = await downloadFrom(/demo build of Shop/);
    assert.ok(artifact.includes('www/index.html'), 'the demo builder packs the files');
  });

  it('at a service that answers as the original did', async () => {
    const service = await OriginalService.start();
    try {
      const { url, username, password } = service;
      service.addKey('ios', { title: 'Distribution', default: true, locked: false });
      for (const [title, version, states] of OTHER_APPS) {
        const packageId = `com.example.${title.replace(' ', '').toLowerCase()}`;
        const id = service.addApp({ title, version, package: packageId });
        for (const [platform, status] of Object.entries(states)) {
          service.finish(id, platform, status, status === 'error' ? 'The build ran out of memory.' : undefined);
        }
      }
      workbench = await openWindowSignedInAt(
        { url },
        { username, password, email: 'demo@example.com' },
        { settings: { 'appBuild.notify': 'always' }, files: WEB_PROJECT },
      );
      await workbench.runCommand('App Build: Configure Default Build…');
      await workbench.tab('tasks.json').waitFor();
      await workbench.page.keyboard.press('ControlOrMeta+Shift+b');
      await createApp();
      await workbench.terminal.getByText('is being built for').waitFor();
      const shop = [...service.apps.keys()].at(-1) ?? 0;
      service.setLog(shop, 'android', LOG);
      await workbench.runCommand('View: Toggle Panel Visibility');
      await workbench.clearNotifications();
      await workbench.expandTreeRow(/^apps/);
      await workbench.expandTreeRow(/^Field Notes/);
      await workbench.treeRow(/^winphone\s*skipped$/).waitFor();
      await workbench.chooseTreeRowItem(/^Field Notes/, 'Open Resource');
      await workbench.tab(`${shop - 2}.json`).waitFor();
      await windowPicture('tree', workbench);
      await workbench.chooseTreeRowItem(/^android/, 'Show Build Log');
      await workbench.page.locator('.editor-group-container').getByText('assembleRelease').first().waitFor();
      service.setLog(shop, 'android', `${LOG}${LOG_END}`);
      service.finishAll();
      await workbench.notification(/Shop is built for android, ios, winphone/).waitFor();
      await workbench.treeRow(/^workspace.*android ✓/).waitFor();
      await windowPicture('build', workbench);
      assert.ok((await downloadFrom(/Shop is built for/, 'android')).equals(service.artifact));
      assert.equal(service.uploads.length, 1);
    } finally {
      await service.close();
    }
  });
});
