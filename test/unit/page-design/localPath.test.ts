import assert from 'node:assert/strict';

import { localPath } from '../../../src/page-design/index.ts';

describe('the target of a redirect', () => {
  for (const [address, path] of [
    ['/account', '/account'],
    ['/authorize?state=a%2Bb%20c', '/authorize?state=a%2Bb%20c'],
    ['pages/start.html#home', '/pages/start.html#home'],
    ['/a/../b', '/b'],
    ['/x?to=//example.com', '/x?to=//example.com'],
    ['/\r\nset-cookie: a', '/set-cookie:%20a'],
  ] as const) {
    it(`is ${path} for ${JSON.stringify(address)}`, () => assert.equal(localPath(address, '/other'), path));
  }

  for (const address of [
    '',
    'https://example.com/',
    '//example.com/',
    '\\\\example.com',
    '/\\example.com',
    '/\t/example.com/',
    '/.//example.com',
    './/example.com',
    '/%2e//example.com',
    '/x/..//example.com',
    '/x/../\\example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://[',
  ]) {
    it(`is the other page for ${JSON.stringify(address)}`, () => assert.equal(localPath(address, '/other'), '/other'));
  }
});
