/** The pages that a browser shows: on a phone in the network, and those of the local service. */
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
import { listenForTest, packageFileIn, packageOf } from '../support/networkSites.ts';
import { openTab } from './suite.ts';
import { screenshotDirectory } from './workbenchPage.ts';
import { createBuiltinBuilder } from '../../src/localService/builds/builtin/builtinBuilder.ts';
import { barriersIn } from '../support/axe.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { Keyboard } from './keyboard.ts';

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
    const document = installDocument(heading, bytes.length, true);
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
      assert.deepEqual(await barriersIn(page), []);
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
    const site = new PreviewSite(frameDocument('Shop'), await filesOf('First build'));
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

const DESKTOP = { width: 1280, height: 800 };

describe('the pages of the local service, for everybody', () => {
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
  /** Sends a form with what the browser itself would refuse. */
  const sendUnchecked = async (button: string): Promise<void> => {
    await page.evaluate('for (const form of document.forms) { form.noValidate = true; }');
    await press(button);
  };
  /** All rules as the page is; then those for which darkness and a narrow screen make a difference. */
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
  };
  /** Names that several buttons and disclosures of the page have: who hears them in a list cannot tell them apart. */
  const ambiguousNames = async (): Promise<readonly string[]> => {
    const names = await page.evaluate<string[]>(
      "[...document.querySelectorAll('button, summary')].map((each) => each.ariaLabel ?? each.textContent)",
    );
    // The button that confirms has the name of the disclosure that it is in.
    return names.filter((name, index) => names.indexOf(name) !== index && !name.startsWith('Delete'));
  };

  const descriptionOfFocused = (): Promise<string> =>
    page.evaluate(`(document.activeElement.getAttribute('aria-describedby') ?? '').split(' ')
      .map((id) => document.getElementById(id)?.textContent).join(' ')`);

  it('has no barrier before one is signed in', async () => {
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

  it('has no barrier where a client asks for access', async () => {
    await open(`/authorize?client_id=${service.clientId}`);
    await press('Continue as demo');
    await assertNoBarriers('consent');
  });

  it('has no barrier in the account', async () => {
    await open('/account');
    await assertNoBarriers('account');
    await page.getByLabel('E-mail').fill('nobody');
    await sendUnchecked('Save');
    await assertNoBarriers('account, wrong e-mail address');
    await open('/account/clients/new');
    await sendUnchecked('Register');
    await assertNoBarriers('application without name');
    await page.getByLabel('Name').fill('Other');
    await page.getByLabel('Main').fill('https://example.com/');
    await page.getByLabel('Callback').fill('https://example.com/callback');
    await press('Register');
    await assertNoBarriers('client secret');
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByLabel('Name of the token').fill('Backup');
    await press('Create token');
    await page.getByText('Show token').first().click();
    await assertNoBarriers('account with tokens and applications');
    await page.getByRole('link', { name: 'Edit Other' }).click();
    await page.getByText('Delete…').click();
    await assertNoBarriers('edit application');
  });

  it('shows where the focus is, and leads it through a page from top to bottom', async () => {
    const keys = new Keyboard(page);
    await open('/sign-in');
    await keys.untilFocused(/^User name or e-mail$/);
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
    assert.deepEqual(stops.slice(0, 3), ['Sign out', 'E-mail', 'Save']);
    assert.equal(stops.at(-1), 'Register an application');
  });

  it('shows a mistake in a field beside the field, and focuses it', async () => {
    const keys = new Keyboard(page);
    await open('/account');
    await sendUnchecked('Create token');
    await keys.untilFocused(/^Name of the token$/);
    assert.match(await descriptionOfFocused(), /^Give the token a name of at most 255 characters/);
    await page.context().clearCookies();
    await open('/sign-in');
    await sendUnchecked('Sign in');
    await keys.untilFocused(/^Password$/);
    assert.equal(await descriptionOfFocused(), 'The user name or the password is not right.');
  });
});
