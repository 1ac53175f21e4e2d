import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { createBuiltinBuilder } from '../../src/localService/builds/builtin/builtinBuilder.ts';
import { barriersIn } from '../support/axe.ts';
import { ask, endOfBuilds, PAGE, upload } from '../support/builds.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { member } from '../support/serviceRequests.ts';
import { Keyboard } from './keyboard.ts';
import { openTab } from './suite.ts';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 640 };

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
    await page.getByRole('button', { name: button }).first().click();
    await page.waitForLoadState();
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
    await open('/apps/1001/install?qr_key=ended');
    await assertNoBarriers('install link that has ended');
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

  it('has no barrier where a link installs a build', async () => {
    const app = await upload(service, PAGE, { title: 'Tested' });
    await endOfBuilds(service, app);
    const body = new URLSearchParams({ platform: 'android' });
    const shared = await ask(service, `/apps/${app}/share`, { method: 'POST', body });
    await page.context().clearCookies();
    await open(member(shared, 'install_url'));
    await assertNoBarriers('install page');
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

  it('says what is wrong with a field where the field is, and leads there', async () => {
    const keys = new Keyboard(page);
    await open('/account');
    await sendUnchecked('Create token');
    await keys.untilFocused(/^Name of the token$/);
    assert.match(await descriptionOfFocused(), /^Give the token a name of at most 100 characters/);
    await page.context().clearCookies();
    await open('/sign-in');
    await sendUnchecked('Sign in');
    await keys.untilFocused(/^Password$/);
    assert.equal(await descriptionOfFocused(), 'The user name or the password is not right.');
  });
});
