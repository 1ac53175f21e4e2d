import assert from 'node:assert/strict';

import {
  authorize,
  belongsTo,
  getSecrets,
  withoutCredentials,
  withoutCredentialValues,
  type Credentials,
} from '../../../src/service-client/credentials.ts';
import { InvalidInputError } from '../../../src/errors/index.ts';
import { parseServiceUrl } from '../../../src/service-client/serviceUrl.ts';

const service = parseServiceUrl('https://build.example.com');
const token = 'tok&en=+/%1';
const all: readonly Credentials[] = [
  { type: 'basic', username: 'ann', password: token },
  { type: 'authToken', authToken: token },
  { type: 'accessToken', accessToken: token },
];

function attached(url: string, credentials: Credentials | undefined, headers: Record<string, string> = {}) {
  return authorize({ url, headers }, credentials, service);
}

describe('the handling of credentials', () => {
  it('puts credentials into the header or the query, as the contract requires', () => {
    const [basic, authToken, accessToken] = all.map((credentials) =>
      attached('https://build.example.com/api/v1?a=b%20c', credentials),
    );
    assert.equal(basic?.headers.authorization, `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`);
    assert.equal(basic.url, 'https://build.example.com/api/v1?a=b%20c');
    assert.equal(authToken?.url, `https://build.example.com/api/v1?a=b%20c&auth_token=${encodeURIComponent(token)}`);
    assert.equal(new URL(accessToken?.url ?? '').searchParams.get('access_token'), token);
  });

  it('replaces credentials from a link or a caller', () => {
    const { url, headers } = attached(
      'https://build.example.com/x?access_token=old&b=1&auth_token=old&%61ccess_token=old&ACCESS_TOKEN=old',
      { type: 'authToken', authToken: 'mine' },
      { Authorization: 'token old', cookie: 'old', accept: '*/*' },
    );
    assert.equal(url, 'https://build.example.com/x?b=1&auth_token=mine');
    assert.deepEqual(headers, { accept: '*/*' });
  });

  it('leaves a signed query unchanged', () => {
    const signed = 'https://store.example/x?X-Sig=a%2Fb+c&&k';
    assert.equal(withoutCredentials(signed), signed);
    assert.equal(withoutCredentials('https://u:p@store.example/x?access_token=1'), 'https://store.example/x');
  });

  for (const [url, expected] of [
    ['https://user@h/x', 'https://h/x'],
    ['https://:S@h/x', 'https://h/x'],
    ['https://h/?ACCESS_TOKEN=S&a=1', 'https://h/?a=1'],
    ['https://h/?a=1;access_token=S', 'https://h/?a=1'],
    ['https://h/?auth_token=S;a=1;b', 'https://h/?a=1;b'],
    ['https://h/?access%5Ftoken=S', 'https://h/'],
    ['https://h/#access_token=S&b', 'https://h/#b'],
    ['https://h/x#Auth%5fToken=S', 'https://h/x'],
    ['https://h/?access_token=1&a&access_token=2&b', 'https://h/?a&b'],
    ['https://h/?a=%&access_token%=S&access%5Ftoken=S', 'https://h/?a=%&access_token%=S'],
    ['https://h/?acc%65ss_token=S&a=%20+', 'https://h/?a=%20+'],
    ['https://h/x;access_token=S', 'https://h/x'],
    ['https://h/x;a=1;AUTH_TOKEN=S&T;b/y;auth%5Ftoken=S/z?c;d', 'https://h/x;a=1;b/y/z?c;d'],
    ['https://h/x&access_token=S&a=1/y&AUTH_TOKEN=S;b', 'https://h/x&a=1/y;b'],
    ['https://h/x;a=1&access_token=S/y&access_tokens=S', 'https://h/x;a=1/y&access_tokens=S'],
    ['https://h/;access_token=S//host.example/x;access_tokens=S', 'https://h///host.example/x;access_tokens=S'],
  ] as const) {
    it(`removes credentials from ${url}`, () => assert.equal(withoutCredentials(url), expected));
  }

  it('adds credentials before a fragment', () => {
    const { url } = attached('https://build.example.com/x#part', { type: 'authToken', authToken: 'mine' });
    assert.equal(url, 'https://build.example.com/x?auth_token=mine#part');
  });

  for (const [template, expected] of [
    [
      '/x;access_token=S{a}/y{?auth_token}&auth_token=S{b}&p={p}',
      '/x;access_token={a}/y{?auth_token}&auth_token={b}&p={p}',
    ],
    ['/x#access_token=S{&a}', '/x#access_token={&a}'],
    ['/x?access_token=S{a}T&b={b}', '/x?access_token={a}&b={b}'],
    ['/x{#a}access_token=S', '/x{#a}access_token='],
    ['/x{;a}auth_token=S{b}/y{?c}', '/x{;a}auth_token={b}/y{?c}'],
    ['/x;access_token=S?a=1{&b}', '/x;access_token=?a=1{&b}'],
    ['/x&access_token=S{?a}', '/x&access_token={?a}'],
    ['/x;access_token=S&T{a}{?b}', '/x;access_token={a}{?b}'],
    ['/x?a=/y&access_token=S/T?U{&b}', '/x?a=/y&access_token={&b}'],
  ] as const) {
    it(`removes credentials from the template ${template}, but keeps its variables`, () =>
      assert.equal(withoutCredentialValues(template), expected));
  }

  it('lists the secrets that must never be shown, including the value of a Basic header', () => {
    const inHeader = Buffer.from(`ann:${token}`).toString('base64');
    assert.deepEqual(all.map(getSecrets), [[token, inHeader], [token], [token]]);
  });

  it('sends credentials only to the service’s origin', () => {
    for (const [url, expected] of [
      ['https://build.example.com/x', true],
      ['https://build.example.com:8443/x', false],
      ['/x', false],
    ] as const) {
      assert.equal(belongsTo(url, service), expected, url);
    }
    assert.throws(() => withoutCredentials('/x'), InvalidInputError);
  });

  it('rejects a user name that RFC 7617 can’t encode', () => {
    assert.throws(
      () => attached('https://build.example.com/', { type: 'basic', username: 'a:b', password: 'secret' }),
      InvalidInputError,
    );
  });

  const confusables = [
    ...['http://build.example.com/', 'https://build.example.com:8443/', 'https://build.example.com./'],
    ...['https://build.example.com.evil.example/', 'https://evil.example/https://build.example.com/'],
    ...['https://build.example.com@evil.example/', 'https://build.example.com%2eevil.example/'],
    ...['https://evil.example\\@build.example.com/', 'https://evil.example#@build.example.com/'],
    ...['https://xbuild.example.com/', 'https://bu\u0131ld.example.com/', 'blob:https://build.example.com/id'],
    ...['wss://build.example.com/', 'ftp://build.example.com/', 'javascript:https://build.example.com/'],
  ].filter((url) => URL.canParse(url));

  for (const url of confusables) {
    it(`doesn’t send credentials to ${url}`, () => {
      for (const credentials of all) {
        const request = attached(`${url}?access_token=old`, credentials);
        assert.ok(!('authorization' in request.headers));
        assert.ok(!request.url.includes(encodeURIComponent(token)));
      }
    });
  }
});
