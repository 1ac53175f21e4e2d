import assert from 'node:assert/strict';

import { addressInPage, pathOfAddress } from '../../../src/projects/paths.ts';

describe('an address in a page', () => {
  const ADDRESSES: readonly (readonly [href: string, base: string | undefined, path: string | undefined])[] = [
    ['a.js', undefined, 'a.js'],
    ['/a.js?b#c', undefined, 'a.js'],
    ['./../a.js', undefined, 'a.js'],
    ['a.js', '/app/', 'app/a.js'],
    ['/a.js', '/app/', 'a.js'],
    ['a.js', '', 'a.js'],
    ['a.js', 'http://', 'a.js'],
    ['a.js', 'https://example.com/', undefined],
    ['https://localhost/a%20b.js', undefined, 'a b.js'],
    ['https://localhost:8080/a.js', undefined, undefined],
    ['http://localhost/a.js', undefined, undefined],
    ['//example.com/a.js', undefined, undefined],
    ['data:text/javascript,1', undefined, undefined],
    ['%zz.js', undefined, '%zz.js'],
    ['http://[', undefined, undefined],
  ];
  for (const [href, base, path] of ADDRESSES) {
    it(`${href} from ${base ?? 'no base'} is ${path ?? 'elsewhere'}`, () => {
      assert.equal(pathOfAddress(addressInPage(href, base)), path);
    });
  }
});
