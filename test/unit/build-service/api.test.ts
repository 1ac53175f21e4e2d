import assert from 'node:assert/strict';

import { useService } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { fetchAccessToken, basic, call, member, type Answer, type Call } from '../../support/serviceRequests.ts';

type Credentials = Readonly<Record<'query' | 'Authorization', string>>;

describe('local service: API', () => {
  const service = useService(openInProcess);
  let accessToken: string;

  before(async () => {
    accessToken = await fetchAccessToken(service);
  });

  const ask = (path: string, { query = '', Authorization }: Partial<Credentials>): Promise<Answer> =>
    call(service, path + query, { headers: Authorization === undefined ? {} : { Authorization } });
  const password = (username: string, word = service.password): Partial<Credentials> => basic(username, word);

  const accepted: Readonly<Record<string, () => Partial<Credentials>>> = {
    'basic credentials': () => password(service.username),
    'basic credentials with the email address': () => password('demo@example.com'),
    auth_token: () => ({ query: `?auth_token=${service.authToken}` }),
    access_token: () => ({ query: `?access_token=${accessToken}` }),
    'a header with an authentication token': () => ({ Authorization: `token ${service.authToken}` }),
    'a header with an access token': () => ({ Authorization: `Token ${accessToken}` }),
  };
  for (const [name, credentials] of Object.entries(accepted)) {
    it(`accepts ${name}`, async () => {
      const { status, json } = await ask('/api/v1/me', credentials());
      assert.equal(status, 200);
      assert.equal(member(json, 'username'), 'demo');
    });
  }

  const PASSWORD = 'Invalid email or password.';
  const TOKEN = 'Invalid authentication token.';
  const refused: Readonly<Record<string, readonly [credentials: () => Partial<Credentials>, error: string]>> = {
    'missing credentials': [() => ({}), 'Authentication required.'],
    'a wrong password': [() => password(service.username, 'wrong'), PASSWORD],
    'an unknown user': [() => password('nobody'), PASSWORD],
    'a user without a password': [() => password('octo-demo', ''), PASSWORD],
    'basic credentials that aren’t base64': [() => ({ Authorization: 'Basic ####' }), PASSWORD],
    'a wrong auth_token': [() => ({ query: '?auth_token=wrong' }), TOKEN],
    'an empty auth_token': [() => ({ query: '?auth_token=' }), TOKEN],
    'a wrong access_token': [() => ({ query: '?access_token=wrong' }), TOKEN],
    'a wrong token in the header': [() => ({ Authorization: 'token wrong' }), TOKEN],
    'a wrong auth_token beside correct basic credentials': [
      () => ({ query: '?auth_token=wrong', ...password(service.username) }),
      TOKEN,
    ],
  };
  for (const [name, [credentials, error]] of Object.entries(refused)) {
    it(`rejects ${name}`, async () => {
      const answer = await ask('/api/v1/me', credentials());
      assert.equal(answer.status, 401);
      assert.deepEqual(answer.json, { error });
      assert.match(answer.headers['www-authenticate'] ?? '', /^Basic /);
    });
  }

  it('rejects an authentication token as access_token, and an access token as auth_token', async () => {
    assert.equal((await call(service, `/api/v1/me?access_token=${service.authToken}`)).status, 401);
    assert.equal((await call(service, `/api/v1/me?auth_token=${accessToken}`)).status, 401);
  });

  const get = (path: string, options: Call = {}): Promise<Answer> =>
    call(service, path, {
      ...options,
      headers: { ...options.headers, Authorization: `token ${service.authToken}` },
    });

  it('returns the user resource as API home, with timestamps and links', async () => {
    const home = (await get('/api/v1')).json;
    assert.deepEqual((await get('/api/v1/me')).json, home);
    assert.equal(member(home, 'username'), 'demo');
    assert.equal(member(home, 'email'), 'demo@example.com');
    assert.equal(member(home, 'link'), '/api/v1/me');
    for (const name of ['created_at', 'updated_at']) {
      assert.match(member(home, name), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
    const { apps, keys } = home as { apps: object; keys: object };
    assert.deepEqual(Object.keys(apps), ['link', 'all']);
    assert.deepEqual(Object.keys(keys), ['link', 'android', 'ios', 'winphone', 'windows']);
  });

  it('returns an app in the format that real clients expect', async () => {
    const app = (await get('/api/v1/apps/1001')).json as Record<string, unknown>;
    const { status, download, error, icon, keys, collaborators, logs } = app;
    assert.equal(app.completed, true);
    assert.equal(app.last_build, '2026-03-02T11:20:00Z');
    assert.equal(app.tag, null);
    assert.equal(app.share, false);
    assert.deepEqual(logs, {
      android: '/api/v1/apps/1001/logs/android/build',
      ios: '/api/v1/apps/1001/logs/ios/build',
    });
    assert.deepEqual(status, { android: 'complete', ios: 'complete' });
    assert.deepEqual(download, { android: '/api/v1/apps/1001/android', ios: '/api/v1/apps/1001/ios' });
    assert.deepEqual(error, {});
    assert.deepEqual(icon, { filename: 'icon.png', link: '/api/v1/apps/1001/icon' });
    assert.deepEqual(keys, {
      android: { id: 1, default: true, title: 'Play Store release', link: '/api/v1/keys/android/1' },
      ios: { id: 2, default: true, title: 'App Store distribution', link: '/api/v1/keys/ios/2' },
    });
    assert.deepEqual(collaborators, {
      link: '/api/v1/apps/1001/collaborators',
      active: [
        { id: 1, person: 'demo@example.com', role: 'admin', link: '/api/v1/apps/1001/collaborators/1' },
        { id: 2, person: 'octo-demo@example.com', role: 'developer', link: '/api/v1/apps/1001/collaborators/2' },
      ],
      pending: [{ id: 3, person: 'new.tester@example.com', role: 'tester', link: '/api/v1/apps/1001/collaborators/3' }],
    });
  });

  it('returns a status for every platform of an app before its first build, and for Windows Phone after a request', async () => {
    const { apps } = (await get('/api/v1/apps')).json as { apps: Record<string, unknown>[] };
    const never = apps.find(({ id }) => id === 1004);
    assert.deepEqual(never?.status, { android: null, ios: null });
    assert.equal(never.completed, true);
    assert.equal(never.last_build, null);
    const { json } = await call(service, `/api/v1/apps/1004/build/wp8?auth_token=${service.authToken}`, {
      method: 'POST',
    });
    const { completed, status } = json as Record<string, unknown>;
    // The build may end before the response.
    const winphone = completed === true ? 'complete' : 'pending';
    assert.deepEqual(status, { android: null, ios: null, winphone });
  });

  it('reports the platforms that it can build', async () => {
    const { unavailable, ...rest } = (await get('/api/v1/current_support')).json as Record<string, unknown>;
    const { browser, ...mobile } = unavailable as Record<string, unknown>;
    assert.deepEqual(mobile, { android: null, ios: null, winphone: null });
    assert.match(String(browser), /^The demo builder can’t build browser apps\./);
    assert.deepEqual(rest, {
      default: 'cli-9.0.0',
      by_phonegap: { 'cli-9.0.0': { android: '8.0.0', ios: '5.0.1', winphone: '7.0.1' } },
      builder: 'demo',
      link: '/api/v1/current_support',
    });
  });

  for (const [path, error, method = 'GET'] of [
    ['/api/v1/apps/54', 'app #54 not available'],
    ['/api/v1/apps/none', 'app #none not available'],
    ['/api/v1/apps/%E0%A4%A', 'app #%E0%A4%A not available'],
    ['/api/v1/apps/54/collaborators', 'app #54 not available'],
    ['/api/v1/apps/1001/collaborators/77', 'could not find collaborator #77'],
    ['/api/v1/apps/1002/ios', 'app #1002 download unavailable for ios'],
    ['/api/v1/apps/1001/symbian', 'app #1001 download unavailable for symbian'],
    ['/api/v1/apps/1001/android/bundle', 'app #1001 doesn’t have a bundle. Build it with your own signing key'],
    ['/api/v1/apps/1003/icon', 'No icon available for app #1003'],
    ['/api/v1/apps/1004/logs/android/build', 'app #1004 has no build log for android'],
    ['/api/v1/keys/ios/8989898', 'could not find ios key #8989898'],
    ['/api/v1/keys/android/2', 'could not find android key #2'],
    ['/api/v1/keys/symbian', 'no keys for the platform symbian'],
    ['/api/v1/nothing', 'not found'],
    // Existing resources support these methods.
    ['/api/v1/apps/999', 'app #999 not available', 'PATCH'],
    ['/api/v1/apps/999', 'app #999 not available', 'DELETE'],
    ['/api/v1/apps/999/status', 'app #999 not available', 'POST'],
    ['/api/v1/apps/1001/symbian', 'app #1001 download unavailable for symbian', 'POST'],
    ['/api/v1/apps/1001/build/symbian', 'no builds for the platform symbian', 'PUT'],
    ['/api/v1/apps/1001/collaborators/77', 'could not find collaborator #77', 'POST'],
    ['/api/v1/keys/android/7', 'could not find android key #7', 'PATCH'],
    ['/api/v1/keys/symbian', 'no keys for the platform symbian', 'POST'],
    ['/api/v1/nothing', 'not found', 'POST'],
  ] as const) {
    it(`responds with 404 to ${method} ${path}, and with 401 without credentials`, async () => {
      const answer = await get(path, { method });
      assert.equal(answer.status, 404);
      assert.deepEqual(answer.json, { error });
      assert.equal((await call(service, path, { method })).status, 401);
    });
  }

  it('responds with 404 to unknown paths outside the API', async () => {
    for (const path of ['/api/v0/me', '/nothing']) {
      const { status, json } = await call(service, path);
      assert.deepEqual([status, json], [404, { error: 'not found' }], path);
    }
  });

  const wrongMethods: readonly (readonly [string, string, string])[] = [
    ['PUT', '/token', 'POST'],
    ['GET', '/token', 'POST'],
    ['DELETE', '/authorize', 'GET, HEAD, POST'],
    ['GET', '/authorize/token', 'POST'],
    ['POST', '/api/v1/me', 'GET, HEAD'],
    ['OPTIONS', '/api/v1', 'GET, HEAD'],
    ['PATCH', '/api/v1/apps/1001', 'GET, HEAD, PUT, DELETE'],
    ['POST', '/api/v1/apps/1001', 'GET, HEAD, PUT, DELETE'],
    ['DELETE', '/api/v1/apps', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/apps/1001/build/android', 'GET, HEAD, POST, DELETE'],
    ['POST', '/api/v1/apps/1001/collaborators/2', 'GET, HEAD, PUT, DELETE'],
    ['POST', '/api/v1/apps/1001/android', 'GET, HEAD'],
    ['POST', '/api/v1/keys/ios/2', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/sign-out', 'POST'],
  ];
  for (const [method, path, allow] of wrongMethods) {
    it(`responds with 405 to ${method} ${path}`, async () => {
      const answer = await get(path, { method });
      assert.equal(answer.status, 405);
      assert.deepEqual(answer.json, { error: 'method not allowed' });
      assert.deepEqual(new Set(answer.headers.allow?.split(', ')), new Set(allow.split(', ')));
    });
  }

  it('ignores trailing slashes and extra parameters', async () => {
    const home = (await get('/api/v1')).json;
    for (const path of ['/api/v1/', '/api/v1/me/', '/api/v1/me?unknown=1&_=2', '/api/v1/me//']) {
      assert.deepEqual((await get(path)).json, home, path);
    }
    assert.equal((await get('/api/v1/keys//')).status, 200);
    assert.equal(
      (
        await call(service, '/token/?x=1', {
          method: 'POST',
          headers: basic(service.username, service.password),
        })
      ).status,
      200,
    );
  });
});
