/** What people install the extension for: from an open folder to an installable file, by the key for the build task. */
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { certificateOf, contentOf, verifyApk } from '../support/apk/verifyApk.ts';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { OriginalService } from '../support/originalService.ts';
import { windowPicture } from './pictures.ts';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { openWindow, openWindowSignedInAt, startDemo } from './suite.ts';

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

/** As *Configure Default Build…* writes it. */
const TASKS = JSON.stringify({
  version: '2.0.0',
  tasks: [{ type: 'app-build', label: 'App Build: workspace', group: { kind: 'build', isDefault: true } }],
});

describe('building a folder, with pictures of it', () => {
  it('is started by the key for the build task, watched in the tree and the log, told, and downloaded', async () => {
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
      const workbench = await openWindowSignedInAt(
        { url },
        { username, password, email: 'demo@example.com' },
        { settings: { 'appBuild.notify': 'always' }, files: { ...WEB_PROJECT, '.vscode/tasks.json': TASKS } },
      );
      await workbench.page.keyboard.press('ControlOrMeta+Shift+b');
      await workbench.question('Which app is workspace built as?').waitFor();
      await workbench.pick('Create an App');
      await workbench.terminal.getByText('is being built for').waitFor();
      const shop = [...service.apps.keys()].at(-1) ?? 0;
      service.setLog(shop, 'android', LOG);
      await workbench.runCommand('View: Toggle Panel Visibility');
      await workbench.clearNotifications();
      await workbench.expandTreeRow(/^Apps/);
      await workbench.expandTreeRow(/^Field Notes/);
      await workbench.treeRow(/^winphone\s*skipped$/).waitFor();
      await workbench.chooseTreeRowItem(/^Field Notes/, 'Open Resource');
      await workbench.tab(`${shop - 2}.json`).waitFor();
      await windowPicture('tree', workbench);
      await workbench.chooseTreeRowItem(/^android/, 'Show Build Log');
      await workbench.page.locator('.editor-group-container').getByText('assembleRelease').first().waitFor();
      service.setLog(shop, 'android', `${LOG}${LOG_END}`);
      service.finishAll();
      await workbench.notification(/Shop.* for Android, iOS, Windows Phone is ready/).waitFor();
      await workbench.treeRow(/^workspace.*android ✓/).waitFor();
      await workbench.clickNotification(/Shop.* is ready/, 'Download');
      await workbench.pick('android');
      await workbench.question('Download').waitFor();
      const file = await workbench.suggestedFile(/Shop.*\.\w+$/);
      await workbench.quickInput.press('Enter');
      await workbench.notification('is downloaded.').waitFor();
      assert.ok((await readFile(file)).equals(service.artifact));
      await rm(file);
      assert.equal(service.uploads.length, 1);
    } finally {
      await service.close();
    }
  });

  it('ends, at the local service, with a signed Android app', async () => {
    const workbench = await openWindow({ settings: { 'appBuild.notify': 'always' }, files: WEB_PROJECT });
    await workbench.openViewContainer('App Build');
    await startDemo(workbench);
    const page = await workbench.newTab(() => workbench.clickWelcome('Sign In'));
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
    await workbench.runCommand('App Build: Build This Folder');
    await workbench.question('Which app is workspace built as?').waitFor();
    await workbench.pick('Create an App');
    await workbench.treeRow(/^android\s*complete.*test key/).waitFor();
    await workbench.clearNotifications();
    await workbench.chooseTreeRowItem(/^android/, 'Show Build Log');
    await workbench.page.locator('.editor-group-container').getByText('Built Shop').first().waitFor();
    // Told again, beside its log.
    await workbench.runCommand('App Build: Build This Folder');
    await workbench.notification(/Shop.* for Android is ready/).waitFor();
    await windowPicture('build', workbench);
    await workbench.clickNotification(/Shop.* is ready/, 'Download');
    await workbench.question('Download').waitFor();
    const file = await workbench.suggestedFile(/Shop-1\.2\.0-test\.apk$/);
    await workbench.quickInput.press('Enter');
    await workbench.notification('is downloaded.').waitFor();
    const apk = await verifyApk(await readFile(file));
    assert.equal(contentOf(apk, 'assets/www/index.html').toString(), WEB_PROJECT['www/index.html']);
    assert.equal(certificateOf(apk).subject, 'CN=Test key');
    await rm(file);
  });
});
