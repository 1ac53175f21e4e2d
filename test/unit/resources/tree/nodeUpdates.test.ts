import assert from 'node:assert/strict';
import fc from 'fast-check';
import { updateNodes, withoutDescendants } from '../../../../src/resources/tree/nodeUpdates.ts';
import { limitSections } from '../../../../src/resources/tree/paging.ts';

/** A row that shows a number. */
class Numbered {
  readonly id: string;
  value: number;

  constructor(id: string, value = 0) {
    this.id = id;
    this.value = value;
  }

  updateFrom(newer: Numbered): readonly Numbered[] | undefined {
    if (this.value < 0 !== newer.value < 0) {
      return undefined;
    }
    const same = this.value === newer.value;
    this.value = newer.value;
    return same ? [] : [this];
  }
}

describe('rows across refreshes', () => {
  const row = (id: string, value?: number) => new Numbered(id, value);

  it('are the older objects with the newer values, and only changed ones are drawn', () => {
    const older = [row('a'), row('b'), row('c')];
    const { nodes, sameNodes, changed } = updateNodes(older, [row('a'), row('b', 2), row('c')]);
    assert.deepEqual(nodes, older);
    assert.ok(nodes.every((one, index) => one === older[index]));
    assert.equal(sameNodes, true);
    assert.deepEqual(changed, [older[1]]);
    assert.equal(older[1]?.value, 2);
  });

  for (const [what, ids] of Object.entries<readonly string[]>({
    'one comes': ['a', 'b', 'c', 'd'],
    'one goes': ['a', 'b'],
    'two change places': ['a', 'c', 'b'],
    'all go': [],
  })) {
    it(`are other rows when ${what}`, () => {
      const older = ['a', 'b', 'c'].map((id) => row(id));
      const { nodes, sameNodes } = updateNodes(
        older,
        ids.map((id) => row(id)),
      );
      assert.equal(sameNodes, false);
      assert.deepEqual(
        nodes.map(({ id }) => id),
        ids,
      );
      assert.ok(older.every((one) => !ids.includes(one.id) || nodes.includes(one)));
    });
  }

  it('are replaced by what is of another kind', () => {
    const newer = row('a', -1);
    const { nodes, sameNodes } = updateNodes([row('a', 1)], [newer]);
    assert.equal(nodes[0], newer);
    assert.equal(sameNodes, false);
  });

  it('always read like the newer list', () => {
    const list = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.integer({ min: -2, max: 2 })),
      { selector: ([id]) => id },
    );
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { nodes } = updateNodes(
          before.map(([id, value]) => row(id, value)),
          after.map(([id, value]) => row(id, value)),
        );
        assert.deepEqual(
          nodes.map(({ id, value }) => [id, value]),
          after,
        );
      }),
    );
  });

  it('are drawn once: not again below a row that is drawn', () => {
    interface Below {
      readonly name: string;
      readonly parent: Below | undefined;
    }
    const top: Below = { name: 'top', parent: undefined };
    const middle: Below = { name: 'middle', parent: top };
    const leaf: Below = { name: 'leaf', parent: middle };
    const other: Below = { name: 'other', parent: undefined };
    assert.deepEqual(withoutDescendants([leaf, top, other, top]), [top, other]);
    assert.deepEqual(withoutDescendants([leaf]), [leaf]);
  });
});

describe('sections of a long list', () => {
  for (const [lengths, limit, expected] of [
    [[3, 2, 1], 10, [3, 2, 1]],
    [[2, 10_000, 3, 1], 1000, [2, 994, 3, 1]],
    [[0, 5000, 5000, 10], 1000, [0, 495, 495, 10]],
    [[9, 9, 9], 0, [0, 0, 0]],
    [[], 5, []],
  ] as const) {
    it(`${JSON.stringify(lengths)} within ${limit} are ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(limitSections(lengths, limit), expected);
    });
  }

  it('never exceed the limit, and use it up when there is more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3000), { maxLength: 6 }), fc.nat(2000), (lengths, limit) => {
        const total = limitSections(lengths, limit).reduce((sum, length) => sum + length, 0);
        const all = lengths.reduce((sum, length) => sum + length, 0);
        assert.ok(total <= limit);
        assert.ok(total >= Math.min(all, limit) - lengths.length);
      }),
    );
  });
});
