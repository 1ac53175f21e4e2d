import assert from 'node:assert/strict';
import fc from 'fast-check';
import { read } from './read.ts';

/** Members that name a resource, best first. */
const NAMES = (
  'title name username login displayName display_name display fullName full_name userName label subject key slug email ' +
  'filename ref id'
).split(' ');

const titleOf = (value: object): string | undefined => read(value).title;

describe('the title of a resource', () => {
  it('is the best name among its members, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(NAMES, { minLength: 1 }), (names) => {
        const best = NAMES.find((name) => names.includes(name));
        assert.equal(titleOf(Object.fromEntries(names.map((name) => [name, `the ${name}`]))), `the ${best ?? ''}`);
      }),
    );
  });

  it('is `metadata.name` where nothing but an identifier names it', () => {
    assert.equal(titleOf({ metadata: { name: 'api-7d9f' }, id: 'x' }), 'api-7d9f');
    assert.equal(titleOf({ metadata: { name: 'api-7d9f' }, ref: 'main' }), 'main');
    assert.equal(titleOf({ metadata: 'name' }), undefined);
  });

  it('may begin with a capital, as services on .NET write it', () => {
    assert.equal(titleOf({ TripId: 7, Name: 'Turku', Id: 3 }), 'Turku');
    assert.equal(titleOf({ DisplayName: 'Ada' }), 'Ada');
  });

  it('is text or a number that can be read: no object, no list, no empty text', () => {
    assert.equal(titleOf({ title: ['x'], name: true, username: null, id: 0 }), '0');
    assert.equal(titleOf({ name: { family: 'Park' }, title: ' ', slug: 'a' }), 'a');
    assert.equal(titleOf({ constructor: 'x', toString: 'y' }), undefined);
  });
});
