import assert from 'node:assert/strict';

import { Browser, signIn } from '../../support/consent.ts';
import { useServiceForEachTest } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { fetchAccessToken, call, member } from '../../support/serviceRequests.ts';

/** Returns the text after `label` in the page that looks like a token. */
function tokenAfter(page: string, label: string): string {
  const found = /<code>([\w-]{20})<\/code>/.exec(page.slice(page.indexOf(label)))?.[1];
  assert.ok(found !== undefined && page.includes(label), `${label} has no token`);
  return found;
}

describe('local service: website', () => {
  const service = useServiceForEachTest(openInProcess);

  const status = async (query: string): Promise<number> => (await call(service, `/api/v1/me?${query}`)).status;

  it('reports a wrong password, and keeps the user name', async () => {
    const browser = new Browser(service.baseUrl, service.fetch);
    const page = await (await browser.open('/sign-in')).text();
    const answer = await browser.submit(page, '/sign-in', { username: 'de"mo<', password: 'wrong' });
    assert.equal(answer.status, 401);
    const text = await answer.text();
    assert.match(text, /role="alert">Incorrect user name or password\./);
    assert.match(text, /value="de&quot;mo&lt;"/);
    assert.equal((await browser.open('/account')).status, 303);
  });

  it('redirects only to its own pages after signing in', async () => {
    const browser = new Browser(service.baseUrl, service.fetch);
    const { username, password } = service;
    const page = await (await browser.open('/sign-in?return_to=%2F%09%2Fevil.example%2F')).text();
    const answer = await browser.submit(page, '/sign-in', { username, password, return_to: '/\t/evil.example/' });
    assert.equal(answer.headers.get('location'), '/account');
  });

  it('signs out', async () => {
    const { browser, page } = await signIn(service);
    const answer = await browser.submit(await page.text(), '/sign-out');
    assert.equal(answer.headers.get('location'), '/sign-in');
    assert.equal((await browser.open('/account')).status, 303);
  });

  it('changes the cookie when a user signs in again, and ends the earlier session', async () => {
    const { browser } = await signIn(service);
    const { store } = service.service;
    const before = [...browser.cookies];
    const page = await (await browser.open('/sign-in')).text();
    await browser.submit(page, '/sign-in', { username: service.username, password: service.password });
    assert.notDeepEqual([...browser.cookies], before);
    assert.equal((await browser.open('/account')).status, 200);
    assert.equal(store.get("SELECT count(*) AS count FROM tokens WHERE kind = 'session'")?.count, 1);
  });

  it('signs a browser out after twelve hours', async () => {
    const { browser } = await signIn(service);
    service.advance(11 * 3_600_000);
    assert.equal((await browser.open('/account')).status, 200);
    service.advance(2 * 3_600_000);
    assert.equal((await browser.open('/account')).status, 303);
  });

  it('creates, shows, resets, and deletes authentication tokens', async () => {
    const { browser, page } = await signIn(service);
    const open = async (): Promise<string> => (await browser.open('/account')).text();
    await browser.submit(await page.text(), '/account/tokens', { name: 'For <me>' });
    const created = await open();
    const first = tokenAfter(created, 'For &lt;me&gt;');
    assert.equal(await status(`auth_token=${first}`), 200);
    const [given, kept] = [await fetchAccessToken({ ...service, authToken: first }), await fetchAccessToken(service)];
    assert.equal(await status(`access_token=${given}`), 200);

    const id = /tokens\/([0-9a-f]+)\/reset/.exec(created.slice(created.indexOf('For &lt;me&gt;')))?.[1] ?? '';
    await browser.submit(created, `/account/tokens/${id}/reset`);
    assert.equal(await status(`access_token=${given}`), 401, 'the access token ends with its authentication token');
    const second = tokenAfter(await open(), 'For &lt;me&gt;');
    const givenAgain = await fetchAccessToken({ ...service, authToken: second });
    assert.equal(await status(`auth_token=${first}`), 401);
    assert.equal(await status(`auth_token=${second}`), 200);

    await browser.submit(await open(), `/account/tokens/${id}/delete`);
    assert.equal(await status(`auth_token=${second}`), 401);
    assert.equal(await status(`access_token=${givenAgain}`), 401);
    assert.equal(await status(`access_token=${kept}`), 200);
    assert.ok(!(await open()).includes('For &lt;me&gt;'));
    assert.equal((await browser.submit(await open(), '/account/tokens', { name: ' ' })).status, 400);
  });

  it('gives a user without a password a token on the account page', async () => {
    const { browser, page } = await signIn(service, '/account', 'octo-demo');
    const text = await page.text();
    assert.match(text, /don’t have a password/);
    await browser.submit(text, '/account/tokens', { name: 'CLI' });
    const token = tokenAfter(await (await browser.open('/account')).text(), 'CLI');
    const me = await call(service, `/api/v1/me?auth_token=${token}`);
    assert.equal(member(me.json, 'username'), 'octo-demo');
  });

  it('doesn’t change other users’ tokens', async () => {
    const demoPage = await (await signIn(service)).page.text();
    const id = /tokens\/([0-9a-f]+)\/delete/.exec(demoPage)?.[1] ?? '';
    const { browser, page } = await signIn(service, '/account', 'octo-demo');
    // The form comes from the user's own page, but is sent to another address.
    const text = (await page.text()).replace('/account/tokens"', `/account/tokens/${id}/delete"`);
    assert.equal((await browser.submit(text, `/account/tokens/${id}/delete`)).status, 303);
    assert.equal(await status(`auth_token=${service.authToken}`), 200);
  });

  it('revokes an application’s access to the user’s account', async () => {
    const token = await fetchAccessToken(service);
    assert.equal(await status(`access_token=${token}`), 200);
    const { browser, page } = await signIn(service);
    await browser.submit(await page.text(), `/account/applications/${service.clientId}/revoke`);
    assert.equal(await status(`access_token=${token}`), 401);
    assert.match(await (await browser.open('/account')).text(), /No authorized applications/);
  });

  const registration = { name: 'My <App>', main_url: 'https://app.example/', callback_url: 'my-app://back' };

  it('registers, edits, and deletes a client application', async () => {
    const { browser } = await signIn(service);
    const form = await (await browser.open('/account/clients/new')).text();
    const registered = await (await browser.submit(form, '/account/clients', registration)).text();
    const [id = '', secret = ''] = [...registered.matchAll(/<code>([0-9a-f]+)<\/code>/g)].map(([, value]) => value);
    assert.match(id, /^[0-9a-f]{20}$/);
    assert.match(secret, /^[0-9a-f]{40}$/);
    assert.match(registered, /<h1>My &lt;App&gt;<\/h1>/);
    const other = { ...service, clientId: id, clientSecret: secret };
    const token = await fetchAccessToken(other);

    const edit = await (await browser.open(`/account/clients/${id}`)).text();
    assert.ok(!edit.includes(secret));
    await browser.submit(edit, `/account/clients/${id}`, {
      ...registration,
      name: 'Renamed',
      callback_url: 'https://app.example/cb',
    });
    const consent = await (await browser.open(`/authorize?client_id=${id}`)).text();
    assert.match(consent, /<h1 class="centered">Renamed wants to access your account<\/h1>/);
    assert.match(consent, /https:\/\/app\.example\/cb/);

    const renewed = await (await browser.submit(edit, `/account/clients/${id}/secret`)).text();
    await assert.rejects(fetchAccessToken(other));
    const clientSecret = /<code>([0-9a-f]{40})<\/code>/.exec(renewed)?.[1] ?? '';
    assert.equal(await status(`access_token=${await fetchAccessToken({ ...other, clientSecret })}`), 200);

    await browser.submit(edit, `/account/clients/${id}/delete`);
    assert.equal(await status(`access_token=${token}`), 401);
    assert.equal((await browser.open(`/account/clients/${id}`)).status, 404);
    assert.equal((await browser.open(`/authorize?client_id=${id}`)).status, 400);
  });

  it('rejects a registration with an invalid value, and keeps the input', async () => {
    const { browser } = await signIn(service);
    const form = await (await browser.open('/account/clients/new')).text();
    for (const [name, change] of Object.entries({
      'no name': { name: ' ' },
      'a Main Application Url with script': { main_url: 'javascript:alert(1)' },
      'no Main Application Url': { main_url: '' },
      'no Callback Url': { callback_url: '' },
      'a relative Callback Url': { callback_url: '/back' },
      'a Callback Url with script': { callback_url: 'JavaScript:alert(1)' },
      'a name with a character that turns it': { name: 'My <App>\u202e' },
      'a name with a character that is not seen': { name: 'My <App>\u3164' },
      'a name with another space': { name: 'My <App>\u00a0x' },
      'a Main Application Url with a character that is not seen': { main_url: 'https://app.example/\u200b' },
      'a Main Application Url with a user name': { main_url: 'https://code.visualstudio.com@evil.example/' },
      'a Callback Url that shows its source': { callback_url: 'view-source:https://a.example/' },
      'a Callback Url of a file system': { callback_url: 'filesystem:https://a.example/x' },
      'a Callback Url with a user name': { callback_url: 'http://a@b.example/' },
      'a data Callback Url': { callback_url: 'data:text/html,x' },
      'a file Callback Url': { callback_url: 'file:///etc/passwd' },
      'a Callback Url with a line break': { callback_url: 'https://a.example/\r\nX: y' },
      'a Callback Url with a fragment': { callback_url: 'https://a.example/#x' },
      'a long Callback Url': { callback_url: `https://a.example/${'x'.repeat(10_000)}` },
      'a long Main Application Url': { main_url: `https://a.example/${'x'.repeat(10_000)}` },
    })) {
      const answer = await browser.submit(form, '/account/clients', { ...registration, ...change });
      assert.equal(answer.status, 400, name);
      const text = await answer.text();
      assert.match(text, /role="alert"/, name);
      assert.ok(text.includes(name === 'no name' ? 'https://app.example/' : 'My &lt;App&gt;'), name);
    }
  });

  it('changes the email address, and rejects an invalid address or one that is in use', async () => {
    const { browser, page } = await signIn(service);
    const text = await page.text();
    await browser.submit(text, '/account/profile', { email: 'new@example.com' });
    const me = await call(service, `/api/v1/me?auth_token=${service.authToken}`);
    assert.equal(member(me.json, 'email'), 'new@example.com');
    // The email address in an invitation may be in uppercase or lowercase.
    const [fillers, direction] = ['new\u3164@example.com', 'new@\u202eexample.com'];
    for (const email of ['', 'none', 'octo-demo@example.com', 'Octo-Demo@EXAMPLE.com', fillers, direction]) {
      assert.equal((await browser.submit(text, '/account/profile', { email })).status, 400, email);
    }
  });

  it('shows invisible characters in names from before they were rejected', async () => {
    const { store } = service.service;
    store.update(
      'clients',
      { name: 'Me\u202e\u3164', mainUrl: 'https://a.example/\u200b' },
      'id = ?',
      service.clientId,
    );
    store.update('users', { email: 'demo\u200b@example.com' }, 'id = ?', 1);
    const { browser, page } = await signIn(service, `/authorize?client_id=${service.clientId}`);
    const consent = await page.text();
    for (const expected of [
      'Me\\u{202e}\\u{3164} wants to access your account',
      '>https://a.example/\\u{200b}<',
      'demo\\u{200b}@example.com',
    ]) {
      assert.ok(consent.includes(expected), expected);
    }
    await fetchAccessToken(service);
    const account = await (await browser.open('/account')).text();
    assert.match(
      account.slice(account.indexOf('Authorized applications')),
      /<strong>Me\\u\{202e\}\\u\{3164\}<\/strong>/,
    );
  });

  it('shows the logo on each page, and adds a script only if there’s text to copy', async () => {
    const { browser } = await signIn(service);
    const form = await (await browser.open('/account/clients/new')).text();
    const registered = await browser.submit(form, '/account/clients', registration);
    const page = await registered.text();
    assert.equal(page.split('<script').length, 2, 'one script');
    assert.match(page, /won’t be able to see it again/);
    assert.deepEqual(
      [...page.matchAll(/<code>\w+<\/code><button type="button" data-copy hidden aria-label="([^"]*)">/g)].map(
        ([, name]) => name,
      ),
      ['Copy client ID', 'Copy client secret'],
    );
    const consent = await browser.open(`/authorize?client_id=${service.clientId}`);
    const consentText = await consent.text();
    assert.doesNotMatch(consentText, /<script/);
    for (const text of [page, consentText, await (await browser.open('/nowhere')).text()]) {
      assert.match(text, /<header><p><svg class="picture"/);
      assert.match(text, /<link rel="icon" href="data:image\/svg\+xml,%3Csvg/);
    }
  });

  it('suggests the next step on an error page', async () => {
    const { browser, page } = await signIn(service);
    const lost = await (await browser.open('/nowhere')).text();
    assert.match(
      lost,
      /<h1>Page not found<\/h1>[^]*Check the address, or start over\.[^]*href="\/">Go to the start page/,
    );
    const unknown = await (await browser.open('/authorize?client_id=unknown')).text();
    assert.match(unknown, /<h1>That request didn’t work<\/h1>[^]*Check the client ID in the application’s settings\./);
    const stale = (await page.text()).replaceAll(/name="csrf" value="[^"]*"/g, 'name="csrf" value="x"');
    const refused = await (await browser.submit(stale, '/account/tokens', { name: 'x' })).text();
    assert.match(refused, /<h1>Try that again<\/h1>[^]*Go back, reload the page, and try again\./);
  });
});
