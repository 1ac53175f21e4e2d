import assert from 'node:assert/strict';
import fc from 'fast-check';

import { isDisplayable } from '../../../src/api/hypermedia/label.ts';
import { ownerName } from '../../../src/localService/store/owner.ts';

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

  it('can be seen, and is no address, no password and no path, for any name', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (name) => {
      const usable = ownerName(name);
      assert.ok(isDisplayable(usable));
      assert.match(`${usable}@localhost`, /^[^\s@:/\\]+@localhost$/);
      assert.equal(ownerName(usable), usable);
    });
    fc.assert(property);
  });
});
