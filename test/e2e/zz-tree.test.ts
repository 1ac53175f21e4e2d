import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inUserData, openWindowWithLocalService } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

describe('zz tree', function () {
  let workbench: WorkbenchPage;
  before(async () => {
    const folder = inUserData('..', '..', 'workspace');
    await mkdir(path.join(folder, 'www'), { recursive: true });
    await writeFile(path.join(folder, 'config.xml'), '<widget id="com.example.hello" version="1.2.0" xmlns="http://www.w3.org/ns/widgets"><name>Hello</name><content src="index.html"/></widget>');
    await writeFile(path.join(folder, 'www', 'index.html'), '<h1>Hello</h1>');
    workbench = await openWindowWithLocalService();
    const page = await workbench.newTab(() => workbench.clickWelcome('Sign In'));
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
  });
  after(() => workbench.close());
  it('tree', async () => {
    await workbench.expandTreeRow('apps');
    await workbench.expandTreeRow('Field Notes');
    await workbench.expandTreeRow('Signing Keys');
    await workbench.expandTreeRow('Collaborators');
    await workbench.treeRow(/^Builds with/).waitFor();
    await workbench.treeRow(/^Builds with/).scrollIntoViewIfNeeded();
    await workbench.expandTreeRow(/^Builds with/);
    await workbench.screenshots('zz-tree');
    await workbench.treeRow(/^ios/).hover();
    await workbench.page.waitForTimeout(1500);
    await workbench.screenshot('zz-hover');
    console.log(await workbench.treeRows());
  });
  it('more', async () => {
    await workbench.treeRow('Collaborators').locator('.monaco-tl-twistie').click();
    await workbench.treeRow('Signing Keys').locator('.monaco-tl-twistie').click();
    await workbench.expandTreeRow('More');
    await workbench.page.waitForTimeout(500);
    await workbench.screenshots('zz-more');
    await workbench.treeRow('More').locator('.monaco-tl-twistie').click();
  });
  it('folder', async () => {
    await workbench.runCommand('App Build: Build This Folder');
    await workbench.page.waitForTimeout(2500);
    await workbench.screenshot('zz-folder1');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.waitForTimeout(300);
    await workbench.screenshot('zz-folder2');
    for (let i = 0; i < 8; i++) {
      await workbench.page.waitForTimeout(400);
      console.log(JSON.stringify((await workbench.treeRows()).slice(0, 8)));
    }
    await workbench.screenshots('zz-folder3');
  });
});
