/** Pages in a browser: those for phones on the network, and those of the local service. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { createInstallSite } from '../../src/extension/devices/network/networkSites.ts';
import type { NetworkListener } from '../../src/extension/devices/network/networkListener.ts';
import { frameDocument, installDocument } from '../../src/extension/devices/network/phonePages.ts';
import { PreviewSite } from '../../src/extension/devices/network/networkSites.ts';
import { unpackWebFiles, type WebFiles } from '../../src/extension/devices/network/webFiles.ts';
import { CORDOVA_SCRIPT, listenForTest, packageFileIn, createPackage } from '../support/networkSites.ts';
import { openTab, openWindow } from './suite.ts';
import { screenshotDirectory } from './workbenchPage.ts';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { barriersIn } from '../support/axe.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { Keyboard } from './keyboard.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

const PHONE = { width: 360, height: 740 };
/** A loopback address that represents the network. */
const NETWORK = '127.0.0.2';

describe('a page for phones', () => {
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

  it('shows a package’s page in light and dark themes, and downloads the package unchanged', async () => {
    const bytes = createPackage({ 'index.html': 'x'.repeat(100_000) });
    const heading = 'Shoppinglistenverwaltungsprogrammerweiterung 1.2.0';
    const document = installDocument({ heading, icon: undefined, size: bytes.length, isTestSigned: true });
    const file = await packageFileIn(folder, bytes, 'Läden-1.2.0.apk');
    listener = await listenForTest({ site: createInstallSite(document, file), address: NETWORK });
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(listener.url);
    const button = page.getByRole('link', { name: 'Download' });
    const colors: unknown[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      colors.push(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.width);
      assert.ok(await button.isVisible());
      assert.deepEqual(await barriersIn(page), []);
    }
    assert.deepEqual(colors, ['rgb(246, 247, 249)', 'rgb(20, 23, 27)']);
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

  it('shows a built app, loads each new build automatically, and shows when the preview has ended', async () => {
    const getFiles = async (text: string): Promise<WebFiles> => {
      const file = path.join(folder, 'app.apk');
      const script = `addEventListener('load', () => { document.querySelector('h1').textContent = '${text}'; });
        document.addEventListener('deviceready', () => { document.querySelector('p').textContent = location.pathname + ' is ready'; });`;
      const html = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'unsafe-inline'">
        <style>body { font: 16px system-ui; padding: 1rem; background: #eef6ff; }</style>
        <script src="/cordova.js"></script><script src="/js/app.js"></script><h1>…</h1><p></p>`;
      await writeFile(file, createPackage({ 'index.html': html, 'js/app.js': script }));
      return unpackWebFiles(file, new AbortController().signal);
    };
    const site = new PreviewSite(frameDocument('Shop', undefined), await getFiles('First build'), {
      cordovaScript: CORDOVA_SCRIPT,
    });
    listener = await listenForTest({ site, address: NETWORK });
    await page.goto(listener.url);
    const app = page.frameLocator('iframe');
    await app.getByRole('heading', { name: 'First build' }).waitFor();
    await app.getByText('/index.html is ready').waitFor();
    await screenshots('phone-preview');
    await site.show(await getFiles('Second build'));
    await app.getByRole('heading', { name: 'Second build' }).waitFor();
    const closed = listener.close();
    await page.getByText('The preview has ended.').waitFor();
    await screenshots('phone-preview-ended');
    await closed;
    await site.dispose();
  });
});

describe('the page with the QR code', () => {
  it('updates live when a phone uses the link, including after the page was hidden', async () => {
    const workbench = await openWindow({ files: WEB_PROJECT });
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('Build App');
    await workbench.clickNotification(/Shop 1.2.0 for Android is ready/, 'Install');
    await workbench.answerDialog('Share');
    const code = workbench.page.frameLocator('iframe.webview').frameLocator('iframe');
    await code.getByText('Waiting for a phone…').waitFor();
    await workbench.clearNotifications();
    await workbench.screenshots('install-code');
    const url = await code.locator('code').innerText();
    assert.equal(new URL(url).hostname, NETWORK);
    const status = code.getByRole('status');
    await fetch(url);
    await status.getByText('A phone opened the page at').waitFor();
    await (await fetch(`${url}app.apk`)).arrayBuffer();
    await status.getByText('A phone downloaded the package at').waitFor();
    await code.getByText('Trouble installing?').click();
    const element = await workbench.page.frameLocator('iframe.webview').locator('iframe').elementHandle();
    const frame = (await element.contentFrame()) ?? assert.fail('the page is not there');
    assert.deepEqual(await barriersIn(frame, ['color-contrast', 'image-alt', 'svg-img-alt', 'link-name']), []);
    await workbench.screenshots('install-code-downloaded');
    await workbench.runCommand('Help: Welcome');
    await code.getByText('A phone').waitFor({ state: 'hidden' });
    await workbench.page.locator('.tabs-container .tab', { hasText: 'Install Shop' }).click();
    await status.getByText('A phone downloaded the package at').waitFor();
  });
});

const DESKTOP = { width: 1280, height: 800 };

describe('a page of the local service', () => {
  let service: InProcessService;
  let page: Page;

  before(async () => {
    service = await startInProcess({ builder: createBuiltinBuilder(undefined) });
    page = await openTab();
  });

  after(() => service.stop());

  const open = (path: string) => page.goto(new URL(path, service.baseUrl).href);
  const press = async (button: string): Promise<void> => {
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: button }).first().click();
    await loaded;
  };
  /** Submits a form with values that the browser itself would reject. */
  const sendUnchecked = async (button: string): Promise<void> => {
    await page.evaluate('for (const form of document.forms) { form.noValidate = true; }');
    await press(button);
  };
  /** Checks all rules in the default state, then those that depend on dark colors or a narrow screen. */
  const assertNoBarriers = async (state: string): Promise<void> => {
    const found = [...(await barriersIn(page)), ...(await ambiguousNames())];
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(PHONE);
    found.push(...(await barriersIn(page, ['color-contrast', 'target-size', 'scrollable-region-focusable'])));
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
    assert.deepEqual(found, [], state);
    assert.equal(width, PHONE.width, `${state}: wider than a phone`);
    await takeScreenshots(state);
  };
  /**
   * Returns the names that several buttons and disclosures share. Screen reader users couldn't tell such elements apart in a list.
   */
  const ambiguousNames = async (): Promise<readonly string[]> => {
    const names = await page.evaluate<string[]>(
      "[...document.querySelectorAll('button, summary')].map((each) => each.ariaLabel ?? each.textContent)",
    );
    // The confirm button has the same name as the disclosure that contains it.
    return names.filter((name, index) => names.indexOf(name) !== index && !name.startsWith('Delete'));
  };

  const readFocusedDescription = (): Promise<string> =>
    page.evaluate(`(document.activeElement.getAttribute('aria-describedby') ?? '').split(' ')
      .map((id) => document.getElementById(id)?.textContent).join(' ')`);

  /** Uses the keyboard and checks the screen reader's output. */
  const assertCopies = async (name: string, value: RegExp): Promise<void> => {
    await page.evaluate(`navigator.clipboard.writeText('')`);
    const button = page.getByRole('button', { name: `Copy ${name}` });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Copied', { exact: true }).waitFor();
    assert.match(await page.evaluate('navigator.clipboard.readText()'), value);
    await takeScreenshots('copied');
  };

  /** Takes screenshots on request: wide and narrow, in light and dark themes. */
  const takeScreenshots = async (state: string): Promise<void> => {
    if (process.env.APP_BUILD_SCREENSHOTS === undefined) {
      return;
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const size of [PHONE, DESKTOP]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        const name = `page-${state.replaceAll(/\W+/g, '-')}-${size.width}-${colorScheme}.png`;
        await page.screenshot({ path: path.join(screenshotDirectory, name), fullPage: true });
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };

  it('is accessible before signing in', async () => {
    await open('/sign-in');
    await assertNoBarriers('sign-in');
    await page.getByLabel('User name').fill('demo');
    await page.getByLabel('Password').fill('wrong');
    await press('Sign in');
    await assertNoBarriers('sign-in refused');
    await open('/nowhere');
    await assertNoBarriers('nothing there');
    await open('/authorize?client_id=unknown');
    await assertNoBarriers('unknown application');
  });

  it('is accessible where a client asks for access', async () => {
    await open(`/authorize?client_id=${service.clientId}`);
    await press('Continue as demo');
    await assertNoBarriers('consent');
  });

  it('is accessible on the account page', async () => {
    await open('/account');
    await assertNoBarriers('account');
    await page.getByLabel('Email').fill('nobody');
    await sendUnchecked('Save');
    await assertNoBarriers('account, wrong email address');
    await open('/account/clients/new');
    await sendUnchecked('Register');
    await assertNoBarriers('application without name');
    await page.getByLabel('Name').fill('Other');
    await page.getByLabel('Main').fill('https://example.com/');
    await page.getByLabel('Callback').fill('https://example.com/callback');
    await press('Register');
    await assertNoBarriers('client secret');
    await assertCopies('client secret', /^[0-9a-f]{40}$/);
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByLabel('Token name').fill('Backup');
    await press('Create token');
    await page.getByLabel('Show token Backup').click();
    await assertNoBarriers('account with tokens and applications');
    await assertCopies('token Backup', /^[\w-]{20}$/);
    await page.getByRole('link', { name: 'Edit Other' }).click();
    await page.getByText('Delete…').click();
    await assertNoBarriers('edit application');
  });

  it('shows the focus and moves it through a page from top to bottom', async () => {
    const keys = new Keyboard(page);
    await open('/sign-in');
    await keys.untilFocused(/^User name or email$/);
    await press('Continue as demo');
    const stops: string[] = [];
    for (;;) {
      await keys.press('Tab');
      const { name, isVisible } = await keys.focused();
      if (name === '') {
        break;
      }
      assert.ok(isVisible, name);
      stops.push(name);
    }
    assert.deepEqual(stops.slice(0, 3), ['Sign out', 'Email', 'Save']);
    assert.equal(stops.at(-1), 'Register an application');
  });

  it('shows an error next to the invalid field, and focuses the field', async () => {
    const keys = new Keyboard(page);
    await open('/account');
    await sendUnchecked('Create token');
    await keys.untilFocused(/^Token name$/);
    assert.match(await readFocusedDescription(), /^Enter a name of at most 255 characters/);
    await page.context().clearCookies();
    await open('/sign-in');
    await sendUnchecked('Sign in');
    await keys.untilFocused(/^Password$/);
    assert.equal(await readFocusedDescription(), 'Incorrect user name or password.');
  });
});
