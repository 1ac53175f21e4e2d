import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import fc from 'fast-check';

import { isDisplayable } from '../../../src/service-client/index.ts';
import { findApps } from '../../../src/build-service/store/apps.ts';
import { openStore } from '../../../src/build-service/store/dataFolder.ts';
import { getOwnerCredentials, ownerName } from '../../../src/build-service/store/owner.ts';
import { isOwnSocket } from '../../../src/build-service/http/security.ts';
import { ticketUrl } from '../../../src/build-service/routes/signInRoutes.ts';
import { Browser } from '../../support/consent.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { startLocalService } from '../../support/localService.ts';
import { basic, call, member } from '../../support/serviceRequests.ts';

describe('local service: its owner', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = join(made, 'data')));

  it('is the system’s user, without apps, keys, and tokens, but with the extension’s client', async () => {
    const service = await startLocalService({ dataFolder: folder, demo: false });
    const { username, password, authToken, clientId, clientSecret } = service;
    assert.deepEqual([username, authToken], [ownerName(), '']);
    assert.match(clientId, /^[0-9a-f]{20}$/);
    assert.match(clientSecret, /^[0-9a-f]{40}$/);
    const { json } = await call(service.baseUrl, '/api/v1/me', { headers: basic(username, password) });
    assert.deepEqual([member(json, 'username'), member(json, 'email')], [username, `${username}@localhost`]);
    const apps = await call(service.baseUrl, '/api/v1/apps', { headers: basic(username, password) });
    assert.deepEqual((apps.json as { readonly apps: unknown }).apps, []);
    const keys = await call(service.baseUrl, '/api/v1/keys', { headers: basic(username, password) });
    assert.doesNotMatch(keys.text, /"title"/);
    // The service stops before the folder is removed, because Windows can't remove a file in use.
    await service.stop();
  });

  it('is the demo user if the data was created with demo data, and never changes later', async () => {
    for (const [begins, later] of [
      [true, false],
      [false, true],
    ] as const) {
      const data = join(folder, String(begins));
      const ownerWith = async (demo: boolean): Promise<readonly unknown[]> => {
        const store = await openStore(data, (line) => assert.fail(line), { demo });
        const { username, password } = getOwnerCredentials(store);
        const { apps } = findApps(store, 1);
        store.close();
        return [username, password, apps.length];
      };
      const first = await ownerWith(begins);
      assert.deepEqual([first[0], Number(first[2]) > 3], [begins ? 'demo' : ownerName(), begins]);
      assert.deepEqual(await ownerWith(later), first);
    }
  });
});

describe('local service: signing in its owner’s browser', () => {
  let service: InProcessService;
  let browser: Browser;
  // The service looks up the user that the connection belongs to.
  beforeEach(async () => {
    service = await startInProcess({ owner: 'demo' });
    browser = new Browser(service.baseUrl, service.fetch);
  });
  afterEach(() => service.stop());

  const ticketTo = (path: string): string => ticketUrl(service.service.store, service.baseUrl, path);
  /** Returns the address that a browser without a session is redirected to. */
  const ledTo = async (url: string, by = new Browser(service.baseUrl, service.fetch)): Promise<string | null> => {
    const { headers } = await by.open(url);
    return headers.get('location');
  };
  const isSignedIn = async (by: Browser): Promise<boolean> => (await by.open('/account')).status === 200;

  it('accepts a ticket once, and redirects to the page', async () => {
    const path = `/authorize?client_id=${service.clientId}&state=a%2Bb%20c`;
    const url = ticketTo(path);
    assert.equal(await ledTo(url, browser), path);
    // VS Code makes the browser open the decoded URL.
    assert.equal(decodeURIComponent(url), url);
    assert.match(await (await browser.open(path)).text(), /<dd>demo \(demo@localhost\)<\/dd>/);
    const second = new Browser(service.baseUrl, service.fetch);
    assert.equal(await ledTo(url, second), path);
    assert.equal(await isSignedIn(second), false);
  });

  it('rejects a ticket after two minutes', async () => {
    const [early, late] = [ticketTo('/account'), ticketTo('/account')];
    service.advance(119_000);
    await browser.open(early);
    assert.equal(await isSignedIn(browser), true);
    service.advance(1_000);
    const second = new Browser(service.baseUrl, service.fetch);
    await second.open(late);
    assert.equal(await isSignedIn(second), false);
  });

  it('rejects a ticket for another page, which stays valid for its own page', async () => {
    const url = ticketTo('/account');
    const changed = url.replace(/path=.*/, `path=${Buffer.from('/authorize').toString('base64url')}`);
    assert.notEqual(changed, url);
    await browser.open(changed);
    assert.equal(await isSignedIn(browser), false);
    await browser.open(url);
    assert.equal(await isSignedIn(browser), true);
  });

  it('accepts a ticket after a program’s HEAD request for it', async () => {
    const url = ticketTo('/account');
    const looked = await call(service, url.slice(service.baseUrl.length), { method: 'HEAD' });
    assert.deepEqual([looked.status, looked.headers['set-cookie']], [303, undefined]);
    await browser.open(url);
    assert.equal(await isSignedIn(browser), true);
  });

  // Only root can become another user, and the service checks the user only on Linux.
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    it('accepts a ticket after another user of the computer has tried it', async () => {
      const url = ticketTo('/account');
      const program = `fetch(${JSON.stringify(url)}, { redirect: 'manual' }).then(({ headers }) => console.log(JSON.stringify(headers.getSetCookie())))`;
      const asOther = `process.setuid(65534); ${program}`;
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', asOther]);
      assert.equal(stdout, '[]\n');
      // This is the page that such a browser shows.
      const refused = await new Browser(service.baseUrl, service.fetch).follow('/account');
      assert.match(await refused.text(), /choose Sign In in your editor/);
      await browser.open(url);
      assert.equal(await isSignedIn(browser), true);
    });
  }

  it('recognizes the owner by the user of the socket', () => {
    const line = (from: string, to: string, state: string, user: number) =>
      `   7: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000 ${user}        0 511460 2 00000000e0852950 21 0 0 10 -1`;
    const here = line('0100007F:B117', '0100007F:C998', '01', 1000);
    const mapped = '0000000000000000FFFF0000';
    const ports = { remotePort: 0xc998, localPort: 0xb117 };
    for (const [other, expected] of [
      [line('0100007F:C998', '0100007F:B117', '01', 1000), true],
      [line(`${mapped}0100007F:C998`, `${mapped}0100007F:B117`, '01', 1000), true],
      [line('0100007F:C998', '0100007F:B117', '01', 0), true],
      [line('0100007F:C998', '0100007F:B117', '01', 1001), false],
      [line(`${mapped}0100007F:C998`, `${mapped}0100007F:B117`, '01', 1001), false],
      // The socket is closed.
      [line('0100007F:C998', '0100007F:B117', '04', 0), false],
      [line('0100007F:C998', '0100007F:B118', '01', 1000), false],
      [line('0200007F:C998', '0100007F:B117', '01', 1000), false],
      ['', false],
    ] as const) {
      assert.equal(isOwnSocket(`  sl  local_address rem_address\n${here}\n${other}\n`, ports, 1000), expected, other);
    }
    assert.equal(isOwnSocket('\n', ports, 1000), true, 'an account that can’t read the table');
  });

  it('redirects only to pages of the service', async () => {
    for (const path of [
      'https://example.com/',
      '//example.com/',
      '/\\example.com',
      '/\t/example.com/',
      'javascript:alert(1)',
      '/.//example.com',
      '/x/..//example.com',
      'account',
      '',
    ]) {
      assert.equal(await ledTo(ticketTo(path)), '/account', path);
      const made = `/sign-in/ticket?path=${Buffer.from(path).toString('base64url')}`;
      assert.equal(await ledTo(made), '/account', path);
    }
  });

  it('keeps the current user signed in', async () => {
    const demo = await startInProcess();
    const person = new Browser(demo.baseUrl, demo.fetch);
    const page = await (await person.open('/sign-in')).text();
    await person.submit(page, '/sign-in/code-hosting');
    await person.open(ticketUrl(demo.service.store, demo.baseUrl, '/account'));
    assert.match(await (await person.open('/account')).text(), /octo-demo@example\.com/);
    await demo.stop();
  });

  it('doesn’t offer the demo user, even if the owner has that name', async () => {
    const page = await (await browser.open('/sign-in')).text();
    assert.doesNotMatch(page, /demo/i);
    const hidden = page.replaceAll('action="/sign-in"', 'action="/sign-in/demo"');
    assert.equal((await browser.submit(hidden, '/sign-in/demo')).status, 404);
    assert.equal(await isSignedIn(browser), false);
  });
});

describe('local service: the name of its owner', () => {
  const names: Readonly<Record<string, string>> = {
    ann: 'ann',
    'Jörg Müller': 'Jörg-Müller',
    'O’Neil, Ann (work)': 'O-Neil-Ann-work',
    珈琲: '珈琲',
    अनु: 'अनु',
    'CORP\\ann': 'CORP-ann',
    'ann@example.com': 'ann-example.com',
    'a:b': 'a-b',
    'an\u200bn\u202e': 'ann',
    '\u3164': 'owner',
    '..': 'owner',
    '': 'owner',
    '\u0301ann': 'ann',
    'cafe\u0301': 'café',
    '<script>': 'script',
  };
  for (const [name, expected] of Object.entries(names)) {
    it(`is ${expected} for ${JSON.stringify(name)}`, () => {
      assert.equal(ownerName(name), expected);
    });
  }

  it('is visible, and contains no space, @, colon, or slash', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (name) => {
      const usable = ownerName(name);
      assert.ok(isDisplayable(usable));
      assert.match(`${usable}@localhost`, /^[^\s@:/\\]+@localhost$/);
      assert.equal(ownerName(usable), usable);
    });
    fc.assert(property);
  });
});
