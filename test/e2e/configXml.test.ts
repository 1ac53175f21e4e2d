import { openWindow } from './suite.ts';
import { tryAgain } from './workbenchPage.ts';

const CONFIG = `<widget id="com.example.shop" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
    <name>Shop</name>
    <access allow="*" />
</widget>
`;

describe('a config.xml with a mistake', () => {
  it('is marked where the mistake is, and mended by the light bulb', async () => {
    const workbench = await openWindow({ files: { 'config.xml': CONFIG, 'www/index.html': '<p>Shop</p>' } });
    const { page } = workbench;
    await workbench.treeRow('config.xml').dblclick();
    await page.locator('.squiggly-warning').waitFor();
    await page.locator('.view-line', { hasText: 'access' }).getByText('allow', { exact: true }).click();
    await page.locator('.lightBulbWidget:visible').waitFor();
    // By its key: the light bulb moves while the editor finds out what can be mended.
    await tryAgain(page, async (timeout) => {
      await page.keyboard.press('ControlOrMeta+.');
      await page.locator('.action-widget').getByText('Change to “origin”').click({ timeout });
    });
    await page.locator('.view-line', { hasText: 'origin="*"' }).waitFor();
    await page.locator('.squiggly-warning').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+S');
  });
});
