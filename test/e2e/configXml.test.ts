import { mkdir, rm, writeFile } from 'node:fs/promises';
import { inWorkspace, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const CONFIG = `<widget id="com.example.shop" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
    <name>Shop</name>
    <access allow="*" />
</widget>
`;

describe('a config.xml with a mistake', () => {
  let workbench: WorkbenchPage;

  before(async () => {
    await mkdir(inWorkspace('www'), { recursive: true });
    await writeFile(inWorkspace('www', 'index.html'), '<p>Shop</p>');
    await writeFile(inWorkspace('config.xml'), CONFIG);
    workbench = await openWindow();
  });

  after(async () => {
    await workbench.close();
    await rm(inWorkspace('www'), { recursive: true });
    await rm(inWorkspace('config.xml'));
  });

  it('is marked where the mistake is, and mended by the light bulb', async () => {
    const { page } = workbench;
    await workbench.treeRow('config.xml').dblclick();
    await page.locator('.squiggly-warning').waitFor();
    await page.locator('.view-line', { hasText: 'access' }).getByText('allow', { exact: true }).click();
    await page.locator('.lightBulbWidget:visible').click();
    await page.locator('.action-widget').getByText('Change to “origin”').click();
    await page.locator('.view-line', { hasText: 'origin="*"' }).waitFor();
    await page.locator('.squiggly-warning').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+S');
  });
});
