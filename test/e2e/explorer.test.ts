import assert from 'node:assert/strict';
import { startOddService, type OddService } from '../support/oddService.ts';
import { inSteps, openWindowSignedInAt } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mNkYPj/n4EEwDiqYVTDUNYAAOzZD/H9VfKTAAAAAElFTkSuQmCC',
  'base64',
);

const paths = {
  '/api/v1': {
    username: 'odd',
    email: 'odd@example.com',
    apps: { link: '/api/v1/apps' },
    _links: {
      docs: { href: 'https://docs.example.com/start', title: 'Documentation' },
      search: { href: '/api/v1/apps{?name,page}', templated: true, title: 'Search apps' },
      missing: { href: '/api/v1/missing' },
      icon: { href: '/api/v1/icon' },
      logs: { href: '/api/v1/logs' },
      'release notes': { href: '/api/v1/notes' },
      nothing: { href: '/api/v1/nothing' },
      trick: { href: '/api/v1/nothing?2', title: '$(zap) [x](command:workbench.action.quit) \u202egnp' },
    },
    _templates: {
      default: { title: 'Create an app', method: 'POST', properties: [{ name: 'title', required: true }] },
    },
  },
  '/api/v1/apps': {
    apps: Array.from({ length: 25 }, (_one, index) => ({
      title: `App ${index + 1}`,
      link: `/api/v1/apps/${index + 1}`,
    })),
    next: '/api/v1/apps?page=2',
  },
  '/api/v1/apps?page=2': { apps: [{ title: 'App 26', link: '/api/v1/apps/26' }], next: null },
  '/api/v1/apps/1': {
    title: 'App 1',
    link: '/api/v1/apps/1',
    status: { android: 'complete', ios: 'error', winphone: 'pending' },
    download: { android: '/api/v1/apps/1/android' },
    team: { members: [{ person: { name: 'Ann', phones: { work: { number: '123' } } } }] },
    owner: { link: '/api/v1/users/1' },
  },
  '/api/v1/icon': { body: png, headers: { 'content-type': 'image/png' } },
  '/api/v1/logs': { body: 'one\ntwo\n', headers: { 'content-type': 'text/plain' } },
  '/api/v1/notes': { body: '# Notes\n\nText.\n', headers: { 'content-type': 'text/markdown' } },
  '/api/v1/nothing': {},
  '/api/v1/nothing?2': {},
};

describe('the explorer of a service full of links', function () {
  inSteps(this);

  let service: OddService;
  let workbench: WorkbenchPage;

  before(async () => {
    service = await startOddService(paths);
    workbench = await openWindowSignedInAt(service);
  });

  after(() => service.close());

  it('shows a paged list, which goes on in place', async () => {
    await workbench.expandTreeRow(/^Apps/);
    await workbench.treeRow('Load More…').waitFor();
    await workbench.screenshots('explorer-paged');
    await workbench.treeRow('Load More…').click();
    await workbench.treeRow('App 26').waitFor();
    await workbench.treeRow('Load More…').waitFor({ state: 'hidden' });
  });

  it('shows a deep tree', async () => {
    await workbench.expandTreeRow(/^App 1\s*(apps|android)/);
    // What it says of itself has been read with it. Until VS Code has drawn the rows again, it forgets what is opened below them.
    await workbench.treeRow(/^App 1\s*android/).waitFor();
    for (const row of ['More', 'download', 'team', /^Ann\s*members/, /^person/]) {
      await workbench.expandTreeRow(row);
    }
    await workbench.screenshots('explorer-deep');
  });

  it('offers no agent for a failed build where the features of AI are turned off', async () => {
    const items = await workbench.treeRowItems(/^ios\s*failed/);
    assert.ok(items.includes('Show Build Log') && !items.includes('Ask Agent About This Build'), items.join());
  });

  it('shows failures, links elsewhere, templates, requests and texts as what they are', async () => {
    await workbench.treeRow(/^Apps/).click();
    await workbench.treeRow(/^missing/).scrollIntoViewIfNeeded();
    for (const row of [/^missing/, /^nothing/, /^icon/, /^logs/]) {
      await workbench.expandTreeRow(row);
    }
    await workbench.treeRow('There is nothing here').waitFor();
    await workbench.treeRow('Nothing in here').waitFor();
    await workbench.treeRow(/\$\u200b\(zap\) \[x\]\u200b\(command:/).waitFor();
    await workbench.screenshots('explorer-kinds');
    await workbench.treeRow('Documentation').click();
    await workbench.dialog.getByText('https://docs.example.com/start').waitFor();
    await workbench.screenshots('explorer-external');
    await workbench.answerDialog('Cancel');
  });

  it('asks for the variables of a templated link', async () => {
    await workbench.treeRow('Search apps').click();
    await workbench.question('Search apps (1/2)').waitFor();
    await workbench.screenshots('explorer-template');
    await workbench.answerInput('Search apps (1/2)', '');
    await workbench.answerInput('Search apps (2/2)', '2');
    await workbench.tab('apps.json').waitFor();
    assert.equal(service.requests.at(-1), '/api/v1/apps?page=2');
  });

  it('opens links in documents', async () => {
    await workbench.runCommand('App Build: Open API Home');
    await workbench.tab('v1.json').waitFor();
    const link = workbench.page
      .locator('.editor-group-container.active .detected-link', { hasText: /^\/api\/v1\/apps$/ })
      .first();
    await link.waitFor();
    await workbench.screenshots('explorer-document');
    const box = await link.boundingBox();
    assert.ok(box);
    // The editor draws the link anew under the mouse: it is a place that is clicked, not an element.
    await workbench.page.keyboard.down('Control');
    await workbench.page.mouse.move(box.x + 20, box.y + 5);
    await workbench.page.mouse.click(box.x + 30, box.y + 5);
    await workbench.page.keyboard.up('Control');
    await workbench.tab('apps.json').waitFor();
    assert.equal(service.requests.at(-1), '/api/v1/apps');
  });

  it('opens images, and texts as texts', async () => {
    await workbench.treeRow('An image. Select to open it.').click();
    await workbench.tab('icon.png').waitFor();
    const image = workbench.page
      .locator('iframe.webview')
      .last()
      .contentFrame()
      .locator('iframe')
      .contentFrame()
      .locator('img');
    await image.waitFor();
    await workbench.screenshots('explorer-image');
    await workbench.chooseTreeRowItem(/^release notes/, 'Open Resource');
    await workbench.tab('notes.txt').waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Plain Text' }).waitFor();
  });

  it('goes to what was seen', async () => {
    await workbench.runCommand('App Build: Go to Resource…');
    await workbench.question('Go to Resource').waitFor();
    await workbench.quickInput.fill('App 26');
    await workbench.quickPickRow('App 26').waitFor();
    await workbench.screenshots('explorer-go-to');
    await workbench.page.keyboard.press('Escape');
  });
});
