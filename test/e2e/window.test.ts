import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

describe('the window with the extension installed', () => {
  let workbench: WorkbenchPage;

  before(async () => {
    workbench = await openWindow();
  });

  after(() => workbench.close());

  for (const theme of ['light', 'dark'] as const) {
    it(`opens in a ${theme} theme`, async () => {
      await workbench.useTheme(theme);
      const picture = await workbench.screenshot(`window-${theme}`);
      assert.ok((await stat(picture)).size > 10_000, 'the picture is empty');
    });
  }
});
