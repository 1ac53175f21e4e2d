import assert from 'node:assert/strict';
import { differences } from '../../../../../src/extension/resources/tree/rowText.ts';

describe('the search for distinctive parts of addresses', () => {
  for (const [what, addresses, expected] of [
    ['last segments', ['https://a.test/i/1?x=1', 'https://a.test/i/two%20b'], ['1', 'two b']],
    ['parameters', ['https://a.test/i?page=1&n=5', 'https://a.test/i?page=2&n=5'], ['page=1', 'page=2']],
    ['segments in the middle', ['https://a.test/b/7/log', 'https://a.test/b/8/log'], ['7', '8']],
    ['more segments', ['https://a.test/7/log', 'https://a.test/b/8/log', 'https://a.test/c/log'], ['7', 'b/8', 'c']],
    ['templates', ['/a{?x}', '/a{?y}'], ['x', 'y']],
    ['identifiers', ['7', '8'], ['7', '8']],
    ['no parts', ['/a', '/a'], ['', '']],
    ['no part in one of them', ['/log', '/b/log'], ['', 'b']],
  ] as const) {
    it(`finds ${what}`, () => {
      assert.deepEqual(differences(addresses), expected);
    });
  }
});
