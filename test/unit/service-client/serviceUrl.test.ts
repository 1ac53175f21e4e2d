import assert from 'node:assert/strict';

import { InvalidInputError } from '../../../src/errors/index.ts';
import {
  endpoint,
  isLoopback,
  parseServiceUrl,
  parseTypedServiceUrl,
  resolveLink,
} from '../../../src/service-client/serviceUrl.ts';

describe('the URL of a service', () => {
  for (const [text, href, prefix] of [
    ['https://build.example.com', 'https://build.example.com', ''],
    [' https://BUILD.example.com:443/ ', 'https://build.example.com', ''],
    ['https://example.com/build//', 'https://example.com/build', '/build'],
    ['https://example.com/build/api/v1/', 'https://example.com/build', '/build'],
    ['https://example.com/api/v1', 'https://example.com', ''],
    ['https://example.com/api/v1//api/v1', 'https://example.com', ''],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', ''],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x', '/x'],
    ['http://localhost', 'http://localhost', ''],
    ['HTTPS://example.com', 'https://example.com', ''],
  ] as const) {
    it(`reads ${text}`, () => {
      const service = parseServiceUrl(text);
      assert.deepEqual({ href: service.href, prefix: service.prefix }, { href, prefix });
    });
  }

  for (const [text, about] of [
    ['', /empty/],
    ['build.example.com', /complete URL/],
    ['https:example.com', /complete URL/],
    ['http://example.com', /must start with https/],
    ['http://127.0.0.2', /must start with https/],
    ['http://localhost.example.com', /must start with https/],
    ['ftp://example.com', /must start with https/],
    ['https://user:pw123456@example.com', /user name or password/],
    ['https://@example.com', /user name or password/],
    ['https://example.com?', /query/],
    ['https://example.com/#', /fragment/],
    ['https://exa\tmple.com', /invisible/],
    ['https://example.com\\@evil.example', /backslashes/],
    ['https://exam\u202Eple.com', /invisible/],
  ] as const) {
    it(`rejects ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parseServiceUrl(text),
        (error: unknown) =>
          error instanceof InvalidInputError && about.test(error.message) && !error.message.includes('pw123456'),
      );
    });
  }

  for (const [text, expected] of [
    ['build.example.com', 'https://build.example.com'],
    [' Build.Example.com/base/api/v1/ ', 'https://build.example.com/base'],
    ['build.example.com:8443', 'https://build.example.com:8443'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:3000/base', 'http://127.0.0.1:3000/base'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['localhost.example.com', 'https://localhost.example.com'],
    ['https://localhost:8080', 'https://localhost:8080'],
    ['http://build.example.com', /Use http:\/\/ only for this computer/],
    ['', /empty/],
    ['build example', /spaces/],
    ['/build.example.com', /complete URL/],
    ['?build', /complete URL/],
    ['https:build.example.com', /complete URL/],
    ['mailto:ann@example.com', /user name or password/],
    ['ann:pw123456@build.example.com', /user name or password/],
  ] as const) {
    it(`reads or rejects ${JSON.stringify(text)} as typed by the user`, () => {
      if (typeof expected === 'string') {
        assert.equal(parseTypedServiceUrl(text).href, expected);
      } else {
        assert.throws(
          () => parseTypedServiceUrl(text),
          (error: unknown) =>
            error instanceof InvalidInputError && expected.test(error.message) && !error.message.includes('pw123456'),
        );
      }
    });
  }

  it('joins endpoints under a path prefix', () => {
    assert.equal(
      endpoint(parseServiceUrl('https://example.com/build/'), '/api/v1/me'),
      'https://example.com/build/api/v1/me',
    );
  });

  describe('links of a service', () => {
    const plain = parseServiceUrl('https://example.com');
    const mounted = parseServiceUrl('https://example.com/build');
    const underApi = parseServiceUrl('https://example.com/api');
    for (const [service, href, base, expected] of [
      [plain, '/api/v1/apps', 'https://example.com/api/v1', 'https://example.com/api/v1/apps'],
      [plain, './2', 'https://example.com/api/v1/apps/1', 'https://example.com/api/v1/apps/2'],
      [plain, '//evil.example/api/v1', 'https://example.com/', 'https://evil.example/api/v1'],
      [mounted, '/api/v1/apps?x=1', 'https://example.com/build/api/v1', 'https://example.com/build/api/v1/apps?x=1'],
      [mounted, '/api/v1', 'https://example.com/build/api/v1', 'https://example.com/build/api/v1'],
      [mounted, '/build/api/v1/apps', 'https://example.com/build/api/v1', 'https://example.com/build/api/v1/apps'],
      [mounted, '/api/v1extra', 'https://example.com/build/api/v1', 'https://example.com/api/v1extra'],
      [underApi, '/api/v1/apps', 'https://example.com/api/api/v1', 'https://example.com/api/api/v1/apps'],
      [underApi, '/api/api/v1/apps', 'https://example.com/api/api/v1', 'https://example.com/api/api/v1/apps'],
      [mounted, '/other', 'https://example.com/build/api/v1', 'https://example.com/other'],
      [mounted, '/api/v1/apps', 'https://elsewhere.example/x', 'https://elsewhere.example/api/v1/apps'],
      [plain, 'http://[', 'https://example.com/', undefined],
    ] as const) {
      it(`resolves ${href} in ${base} of ${service.href} to ${String(expected)}`, () => {
        assert.equal(resolveLink(service, href, base)?.href, expected);
      });
    }
  });

  it('recognizes every name of this computer', () => {
    const own =
      'localhost LOCALHOST. app.localhost 127.0.0.1 127.9.8.7 127.1 2130706433 [::1] [0:0::1] [::ffff:127.0.0.1]';
    const others = 'notlocalhost localhost.example 127.0.0.1.example 128.0.0.1 [::2] [::ffff:128.0.0.1] 0.0.0.0';
    for (const [hosts, expected] of [
      [own, true],
      [others, false],
    ] as const) {
      hosts.split(' ').forEach((host) => assert.equal(isLoopback(new URL(`http://${host}:8080`)), expected, host));
    }
  });
});
