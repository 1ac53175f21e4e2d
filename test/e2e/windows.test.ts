/** Different windows: untrusted, with several folders, reloaded, two at a time, without a folder. */
import assert from 'node:assert/strict';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { OriginalService } from '../support/originalService.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { inSteps, openWindowSignedInAt } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** Equal to the task that is provided for the other folder, so VS Code treats the two as one. */
const TASK = { type: 'app-build', label: 'newspaper', group: { kind: 'build', isDefault: true } };

describe('building in windows', function () {
  inSteps(this);

  let service: OriginalService;
  let workbench: WorkbenchPage;
  let second: WorkbenchPage;
  let shop: number;
  let news: number;

  before(async () => {
    service = await OriginalService.start();
    shop = service.addApp({ title: 'Shop' });
    news = service.addApp({ title: 'News' });
    service.addKey('ios');
    const getFiles = (folder: string) =>
      Object.fromEntries(Object.entries(WEB_PROJECT).map(([name, text]) => [`${folder}/${name}`, text]));
    const files = {
      ...getFiles('shop'),
      ...getFiles('news'),
      'news/.vscode/tasks.json': JSON.stringify({ version: '2.0.0', tasks: [TASK] }),
      'both.code-workspace': '{ "folders": [{ "path": "shop" }, { "path": "news" }] }',
    };
    const { username, password } = service;
    workbench = await openWindowSignedInAt(
      service,
      { username, password, email: 'demo@example.com' },
      {
        files,
        workspace: 'both.code-workspace',
        settings: { 'appBuild.notify': 'always', 'security.workspace.trust.startupPrompt': 'never' },
      },
      { workspaceTrust: true },
    );
  });

  after(() => service.close());

  it('shows each folder’s app first, and builds it in an untrusted workspace', async () => {
    for (const [folder, app] of [
      ['shop', 'Shop'],
      ['news', 'News'],
    ] as const) {
      await workbench.runCommand('App Build: Link Folder to App…');
      await workbench.question('Which folder?').waitFor();
      await workbench.pick(folder);
      await workbench.question(`Which app does ${folder} build?`).waitFor();
      await workbench.pick(app);
      await workbench.notification(`${folder} is now linked to “${app}”.`).waitFor();
    }
    await workbench.clearNotifications();
    await workbench.treeRow(/^News 1\.0\.0/).waitFor();
    const roots = await workbench.page.locator('.sidebar [role=treeitem][aria-level="1"]').allInnerTexts();
    assert.deepEqual(
      roots.map((text) => text.replaceAll('\u00a0', ' ').trim()),
      ['Shop 1.0.0not built yet · shop', 'News 1.0.0not built yet · news', 'demodemo@example.com'],
    );
    // An app appears only once: under its folder.
    await workbench.treeRow('No other apps').waitFor();
    await workbench.clickTreeRowAction(/^Shop 1/, 'Build App');
    await workbench.buildStatus.getByText('Shop: Android').waitFor();
    assert.deepEqual(
      service.uploads.map((upload) => upload.path),
      [`/api/v1/apps/${shop}`],
    );
    await workbench.runCommand('App Build: Show Log');
    await workbench.pick('Shop');
    await workbench.pick('Android');
    await workbench.tab('Shop – Android.log').waitFor();
  });

  it('doesn’t offer a task before the folders are trusted', async () => {
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill('>App Build: Configure Default Build');
    await workbench.quickPickRow('Tasks: Configure Default Build Task').waitFor();
    assert.ok((await workbench.quickPickLabels()).every((label) => !label.startsWith('App Build: Configure')));
    await workbench.page.keyboard.press('Escape');
    // VS Code asks for trust before it asks the extension for tasks.
    await workbench.page.keyboard.press('ControlOrMeta+Shift+b');
    await workbench.answerDialog('Cancel');
    await workbench.page.keyboard.press('ControlOrMeta+Shift+b');
    await workbench.answerDialog('Trust');
    await workbench.terminal.getByText('Building “News” for').waitFor();
    assert.equal(service.uploads.at(-1)?.path, `/api/v1/apps/${news}`);
    service.finishAll();
    await workbench.terminal.getByText('Press any key to close').waitFor();
  });

  it('builds the task’s folder, even if another folder has an identical task', async () => {
    const before = service.uploads.length;
    await workbench.runCommand('Tasks: Run Task');
    await workbench.pick('app-build');
    await workbench.pick('App Build: build Shop');
    const first = await waitUntil(() => service.uploads[before]);
    assert.equal(first.path, `/api/v1/apps/${shop}`);
    // While one of them is running, VS Code can't tell them apart and asks the user.
    await workbench.runCommand('Tasks: Run Task');
    await workbench.pick('newspaper');
    await workbench.answerInput('Which folder?', 'news');
    await workbench.buildStatus.getByText('1 more').waitFor();
    assert.equal(service.uploads.at(-1)?.path, `/api/v1/apps/${news}`);
    await workbench.clearNotifications();
  });

  it('continues watching after a reload that ends the task', async () => {
    await workbench.untilStored('watchedBuild/', 2);
    await workbench.reload();
    await workbench.buildStatus.getByText('1 more').waitFor();
  });

  it('notifies only in the window that started the builds', async () => {
    second = await workbench.openSecond();
    await second.goTo('/?ew=true');
    service.finishAll();
    await workbench.buildStatus.getByText(': built').waitFor();
    const windows = [workbench, second];
    await Promise.all(windows.map((window) => window.runCommand('Notifications: Show Notifications')));
    const told = await waitUntil(async () => {
      const texts = await workbench.keptNotifications();
      return texts.length > 1 ? texts : undefined;
    });
    assert.deepEqual(await second.keptNotifications(), []);
    assert.deepEqual(told.map((text) => /^(\S+) .*is ready/.exec(text)?.[1]).sort(), ['News', 'Shop']);
  });

  it('builds an app without a folder', async () => {
    await second.openViewContainer('App Build');
    await second.expandTreeRow(/^Apps/);
    await second.page.keyboard.press('F1');
    await second.quickInput.fill('>App Build: ');
    await second.quickPickRow('App Build: Create App…').waitFor();
    assert.ok(!(await second.quickPickLabels()).includes('App Build: Build App'));
    await second.page.keyboard.press('Escape');
    await second.clickTreeRowAction(/^News/, 'Build with Options…');
    await second.question('Platforms to build for').waitFor();
    await second.quickInput.press('Enter');
    await second.buildStatus.getByText('News: Android').waitFor();
    service.finishAll();
  });
});
