import assert from 'node:assert/strict';
import { differences, shortRelation } from '../../../../src/resources/tree/rowText.ts';

describe('a relation', () => {
  for (const [relation, expected] of [
    ['https://api.example/rels/date', 'date'],
    ['https://api.example/rels/date/', 'date'],
    ['http://www.w3.org/ns/json-ld#context', 'context'],
    ['https://api.example/rels/due%20date', 'due date'],
    ['https://api.example/rels/%E0%A4', '%E0%A4'],
    ['https://api.example', 'api.example'],
    ['next', 'next'],
    ['hydra:search', 'hydra:search'],
    ['urn:ietf:params:scim:schemas:core:2.0:User', 'urn:ietf:params:scim:schemas:core:2.0:User'],
    ['', ''],
  ] as const) {
    it(`${JSON.stringify(relation)} reads ${JSON.stringify(expected)}`, () => {
      assert.equal(shortRelation(relation), expected);
    });
  }
});

describe('what tells addresses apart', () => {
  for (const [what, addresses, expected] of [
    ['last segments', ['https://a.test/i/1?x=1', 'https://a.test/i/two%20b'], ['1', 'two b']],
    ['parameters', ['https://a.test/i?page=1&n=5', 'https://a.test/i?page=2&n=5'], ['page=1', 'page=2']],
    ['segments in the middle', ['https://a.test/b/7/log', 'https://a.test/b/8/log'], ['7', '8']],
    ['more of them', ['https://a.test/7/log', 'https://a.test/b/8/log', 'https://a.test/c/log'], ['7', 'b/8', 'c']],
    ['templates', ['/a{?x}', '/a{?y}'], ['x', 'y']],
    ['identifiers', ['7', '8'], ['7', '8']],
    ['nothing', ['/a', '/a'], ['', '']],
    ['nothing of its own', ['/log', '/b/log'], ['', 'b']],
  ] as const) {
    it(what, () => {
      assert.deepEqual(differences(addresses), expected);
    });
  }
});
