/** How one finds a thing among many: the filter, the order, and several rows at once. */
import assert from 'node:assert/strict';
import { OriginalService } from '../support/originalService.ts';
import { openWindowSignedInAt } from './suite.ts';

describe('finding something in the Resources view', () => {
  let service: OriginalService;

  before(async () => {
    service = await OriginalService.start();
  });

  after(() => service.close());

  it('filters while one types, says what is hidden, sorts, and deletes several', async () => {
    const titles = ['Shop', 'Field Notes', 'Almanac', 'Shop Admin'];
    for (const title of titles) {
      service.finish(service.addApp({ title }), 'android', title === 'Almanac' ? 'error' : 'complete');
    }
    const { username, password } = service;
    const workbench = await openWindowSignedInAt(service, { username, password, email: 'demo@example.com' });
    await workbench.expandTreeRow(/^Apps/);
    await workbench.treeRow('Shop Admin').waitFor();

    await workbench.clickViewAction('Filter…');
    await workbench.question('Filter Resources').waitFor();
    await workbench.quickInput.fill('shop');
    await workbench.treeRow('Almanac').waitFor({ state: 'hidden' });
    const apps = (await workbench.treeRows()).filter((row) => titles.some((title) => row.startsWith(title)));
    assert.deepEqual(
      apps.map((row) => row.slice(0, 4)),
      ['Shop', 'Shop'],
    );
    await workbench.quickInput.press('Enter');
    await workbench.page.getByText('Filter “shop”: 2 of 4 shown.').waitFor();

    await workbench.runCommand('App Build: Filter…');
    await workbench.answerInput('Filter Resources', 'nowhere');
    await workbench.treeRow('No match').waitFor();
    await workbench.treeRow('No match').click();
    await workbench.treeRow('Almanac').waitFor();
    await workbench.page.locator('.sidebar .composite.title .action-label[aria-label="Filter…"]').waitFor();

    await workbench.runCommand('App Build: Sort By…');
    await workbench.question('Sort Resources').waitFor();
    await workbench.pick('By Title');
    await workbench.page.waitForFunction(
      `[...document.querySelectorAll('.sidebar .monaco-list-row[role=treeitem]')].some((row, index, rows) =>
        /^Almanac/.test(row.innerText.trim()) && /^Field Notes/.test(rows[index + 1]?.innerText.trim() ?? ''))`,
    );

    await workbench.treeRow('Almanac').click();
    await workbench.treeRow('Field Notes').click({ modifiers: ['ControlOrMeta'] });
    await workbench.chooseTreeRowItem('Field Notes', 'Delete App…');
    await workbench.dialog.getByText('Delete 2 apps?').waitFor();
    await workbench.answerDialog('Delete Apps');
    await workbench.treeRow('Almanac').waitFor({ state: 'hidden' });
    assert.deepEqual(
      [...service.apps.values()].map(({ fields }) => fields.title),
      ['Shop', 'Shop Admin'],
    );
  });
});
