/** Windows other than one with a trusted folder: untrusted, empty, reloaded, with several folders, and two at a time. */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { OriginalService } from '../support/originalService.ts';
import { inWorkspace, inUserData, openUntrustedWindow, openWindow, signInAt } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

describe('windows', () => {
  let service: OriginalService;
  let workbench: WorkbenchPage;

  before(async () => {
    service = await OriginalService.start();
    for (const folder of ['', 'shop', 'news']) {
      for (const [name, text] of Object.entries(WEB_PROJECT)) {
        await mkdir(path.dirname(inWorkspace(folder, name)), { recursive: true });
        await writeFile(inWorkspace(folder, name), text.replaceAll('Shop', folder === 'news' ? 'News' : 'Shop'));
      }
    }
  });

  afterEach(() => workbench.close());

  after(async () => {
    await service.close();
    await rm(inWorkspace(), { recursive: true, force: true });
    await mkdir(inWorkspace());
  });

  const signIn = async () => {
    const { username, password } = service;
    await signInAt(workbench, service, { username, password, email: 'demo@example.com' });
  };

  it('builds a folder that is not trusted, without tasks', async () => {
    workbench = await openUntrustedWindow();
    await signIn();
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill('>App Build: Build This Folder');
    await workbench.quickPickRow('App Build: Build This Folder').waitFor();
    await workbench.quickInput.fill('>App Build: Configure Default Build');
    await workbench.quickPickRow('App Build: Build This Folder').waitFor({ state: 'hidden' });
    await workbench.quickPickRow('App Build: Build App…').waitFor();
    assert.ok(!(await workbench.quickPickLabels()).some((label) => label.includes('Configure Default Build…')));
    await workbench.page.keyboard.press('Escape');
    // VS Code itself asks for trust, before it asks for tasks.
    await workbench.page.keyboard.press('ControlOrMeta+Shift+b');
    await workbench.answerDialog('Cancel');
    await workbench.clickViewAction('Build This Folder');
    await workbench.pick('Create an App');
    await workbench.notification('workspace is built as').waitFor();
    service.finishAll();
    await workbench.notification(/Shop is built for/).waitFor();
    assert.equal(service.uploads.length, 1);
  });

  it('goes on with several folders after a reload, and in two windows', async () => {
    const shop = service.addApp({ title: 'Shop' });
    const news = service.addApp({ title: 'News' });
    service.addKey('ios');
    const workspace = inWorkspace('both.code-workspace');
    await writeFile(workspace, '{ "folders": [{ "path": "shop" }, { "path": "news" }] }');
    await mkdir(inWorkspace('shop', '.vscode'));
    await writeFile(
      inWorkspace('shop', '.vscode', 'tasks.json'),
      '{ "version": "2.0.0", "tasks": [{ "type": "app-build", "label": "phone", "group": { "kind": "build", "isDefault": true } }] }',
    );
    let t = Date.now();
    const lap = (what: string) => { console.log(what, Date.now() - t); t = Date.now(); };
    workbench = await openWindow(workspace);
    await signIn();
    lap('signed in');
    await writeFile(
      inUserData('settings.json'),
      JSON.stringify({ 'appBuild.serviceUrl': service.url, 'appBuild.notify': 'always' }),
    );
    for (const [folder, app] of [['shop', 'Shop'], ['news', 'News']] as const) {
      await workbench.runCommand('App Build: Link Folder to App…');
      await workbench.question('Which folder?').waitFor();
      await workbench.pick(folder);
      await workbench.question(`Which app is ${folder} built as?`).waitFor();
      await workbench.pick(app);
      await workbench.notification(`${folder} is built as “${app}” from now on.`).waitFor();
    }
    lap('linked');
    await workbench.clearNotifications();
    await workbench.screenshot('zz-linked');
    const roots = workbench.page.locator('.sidebar .monaco-list-row[role=treeitem][aria-level="1"]');
    console.log(await roots.allInnerTexts());
    await workbench.page.keyboard.press('ControlOrMeta+Shift+b');
    await workbench.page.waitForTimeout(1500);
    await workbench.screenshot('zz-task');
    await workbench.terminal.getByText('is being built for').waitFor();
    lap('task');
    await workbench.clickTreeRowAction(/^news/, 'Build This Folder');
    await workbench.buildStatus.getByText('1 more').waitFor();
    lap('both built');
    console.log(service.uploads.map(({ path }) => path), shop, news);
    await workbench.screenshots('zz-building');
    t = Date.now();
    await workbench.runCommand('App Build: Show Build Log');
    await workbench.page.waitForTimeout(700);
    await workbench.screenshot('zz-log-ask');
    await workbench.pick('News').catch(() => undefined);
    await workbench.page.waitForTimeout(700);
    await workbench.screenshot('zz-log-ask2');
    await workbench.pick('android').catch(() => undefined);
    await workbench.tab('News – android.log').waitFor();
    lap('log');
    await workbench.screenshot('zz-log');
    workbench.page.on('dialog', (dialog) => { console.log('DIALOG', dialog.type()); void dialog.accept(); });
    const before = service.requests.length;
    await workbench.reload();
    lap('reloaded');
    await workbench.buildStatus.getByText('1 more').waitFor();
    lap('status');
    await workbench.tab('News – android.log').waitFor();
    service.setLog(news, 'android', 'Building for android\nA line of after the reload\n');
    await workbench.page.getByText('A line of after the reload').waitFor();
    lap('log again');
    console.log(service.requests.slice(before));
    await workbench.screenshot('zz-reloaded');
    const second = await workbench.openSecond();
    await second.buildStatus.getByText('1 more').waitFor();
    lap('second');
    const from = service.requests.length;
    await second.page.waitForTimeout(10_000);
    console.log(service.requests.slice(from).map((r, i) => `${(service.requestTimes[from + i] ?? 0) - t} ${r}`));
    service.finishAll();
    t = Date.now();
    await second.page.waitForTimeout(10_000);
    console.log('first', await workbench.notifications(), await workbench.buildStatus.innerText());
    console.log('second', await second.notifications(), await second.buildStatus.innerText());
    await workbench.screenshots('zz-ended');
    await second.screenshots('zz-ended2');
    await second.page.close();
  });
});
