import assert from 'node:assert/strict';
import fc from 'fast-check';
import { updateNodes, withoutDescendants } from '../../../../src/resources/tree/nodeUpdates.ts';

/** A node that shows a number. */
class Numbered {
  readonly id: string;
  value: number;

  constructor(id: string, value: number) {
    this.id = id;
    this.value = value;
  }

  updateFrom(latest: Numbered): readonly Numbered[] | undefined {
    if (this.value < 0 !== latest.value < 0) {
      return undefined;
    }
    const same = this.value === latest.value;
    this.value = latest.value;
    return same ? [] : [this];
  }
}

describe('nodes across refreshes', () => {
  it('show what the latest list shows, and stay the same objects where that fits', () => {
    const list = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.integer({ min: -2, max: 2 })),
      { selector: ([id]) => id },
    );
    fc.assert(
      fc.property(list, list, (before, after) => {
        const existing = before.map(([id, value]) => new Numbered(id, value));
        const { nodes, sameNodes, changed } = updateNodes(
          existing,
          after.map(([id, value]) => new Numbered(id, value)),
        );
        assert.deepEqual(
          nodes.map(({ id, value }) => [id, value]),
          after,
        );
        const values = new Map<string, number>(before);
        for (const each of nodes) {
          const value = values.get(each.id);
          const fits = value !== undefined && value < 0 === each.value < 0;
          assert.equal(existing.includes(each), fits);
          assert.equal(changed.includes(each), fits && value !== each.value);
        }
        assert.equal(
          sameNodes,
          nodes.length === existing.length && nodes.every((each, index) => each === existing[index]),
        );
      }),
    );
  });

  it('are drawn once: not again below a node that is drawn', () => {
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
