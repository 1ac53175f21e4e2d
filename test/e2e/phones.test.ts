import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';

import { createInstallSite } from '../../src/devices/network/networkSites.ts';
import type { NetworkListener } from '../../src/devices/network/networkListener.ts';
import { frameDocument, installDocument } from '../../src/devices/network/phonePages.ts';
import { PreviewSite } from '../../src/devices/network/networkSites.ts';
import { unpackWebFiles, type WebFiles } from '../../src/devices/network/webFiles.ts';
import { ENGLISH, listenForTest, packageFileIn, packageOf } from '../support/networkSites.ts';
import { openTab } from './suite.ts';
import { screenshotDirectory } from './workbenchPage.ts';

/** Of a small phone, in CSS pixels. */
const PHONE = { width: 360, height: 740 };
/** Stands for the network. */
const NETWORK = '127.0.0.2';

describe('a phone in the network', () => {
  let folder = '';
  let page: Page;
  let listener: NetworkListener;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-phone-'));
    page = await openTab();
    await page.setViewportSize(PHONE);
  });

  afterEach(async () => {
    await page.close();
    await listener.close();
    await rm(folder, { recursive: true, maxRetries: 3 });
  });

  async function screenshots(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      if (process.env.APP_BUILD_SCREENSHOTS !== undefined) {
        await page.screenshot({ path: path.join(screenshotDirectory, `${name}-${colorScheme}.png`), fullPage: true });
      }
    }
  }

  it('shows the page of a package, light and dark, and downloads it byte by byte', async () => {
    const bytes = packageOf({ 'index.html': 'x'.repeat(100_000) });
    const heading = 'Shoppinglistenverwaltungsprogrammerweiterung 1.2.0';
    const document = installDocument({ heading, size: bytes.length, isTestSigned: true, language: ENGLISH });
    const file = await packageFileIn(folder, bytes, 'Läden-1.2.0.apk');
    listener = await listenForTest({ site: createInstallSite(document, file), address: NETWORK });
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(listener.url);
    const button = page.getByRole('link', { name: 'Download' });
    const colours: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      colours.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.width);
      assert.ok(await button.isVisible());
    }
    assert.deepEqual(colours, ['rgb(255, 255, 255)', 'rgb(13, 17, 23)']);
    await screenshots('phone-install');
    const started = page.waitForEvent('download');
    await button.click();
    const download = await started;
    assert.equal(download.suggestedFilename(), 'Läden-1.2.0.apk');
    assert.ok((await readFile(await download.path())).equals(bytes));
    assert.deepEqual(
      problems.filter((text) => text.includes('Content Security Policy')),
      [],
    );
  });

  it('shows an app as it was built, each new build by itself, and when the preview has ended', async () => {
    const filesOf = async (text: string): Promise<WebFiles> => {
      const file = path.join(folder, 'app.apk');
      const script = `addEventListener('load', () => { document.querySelector('h1').textContent = '${text}'; });
        document.addEventListener('deviceready', () => { document.querySelector('p').textContent = location.pathname + ' is ready'; });`;
      const html = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'unsafe-inline'">
        <style>body { font: 16px system-ui; padding: 1rem; background: #eef6ff; }</style>
        <script src="/cordova.js"></script><script src="/js/app.js"></script><h1>…</h1><p></p>`;
      await writeFile(file, packageOf({ 'index.html': html, 'js/app.js': script }));
      return unpackWebFiles(file, new AbortController().signal);
    };
    const site = new PreviewSite(frameDocument('Shop', ENGLISH), await filesOf('First build'));
    listener = await listenForTest({ site, address: NETWORK });
    await page.goto(listener.url);
    const app = page.frameLocator('iframe');
    await app.getByRole('heading', { name: 'First build' }).waitFor();
    await app.getByText('/index.html is ready').waitFor();
    await screenshots('phone-preview');
    await site.show(await filesOf('Second build'));
    await app.getByRole('heading', { name: 'Second build' }).waitFor();
    const closed = listener.close();
    await page.getByText('The preview has ended.').waitFor();
    await screenshots('phone-preview-ended');
    await closed;
    await site.dispose();
  });
});
