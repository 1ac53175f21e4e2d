import assert from 'node:assert/strict';
import fc from 'fast-check';
import { updateNodes, withoutDescendants } from '../../../../src/resources/tree/nodeUpdates.ts';

/** A node that shows a number. */
class Numbered {
  readonly id: string;
  value: number;

  constructor(id: string, value = 0) {
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
  const node = (id: string, value?: number) => new Numbered(id, value);

  it('are the same objects with the latest values, and only changed ones are drawn', () => {
    const existing = [node('a'), node('b'), node('c')];
    const { nodes, sameNodes, changed } = updateNodes(existing, [node('a'), node('b', 2), node('c')]);
    assert.deepEqual(nodes, existing);
    assert.ok(nodes.every((one, index) => one === existing[index]));
    assert.equal(sameNodes, true);
    assert.deepEqual(changed, [existing[1]]);
    assert.equal(existing[1]?.value, 2);
  });

  it('are not the same when one comes or goes, or when they change places', () => {
    for (const ids of ['abcd', 'ab', 'acb', '']) {
      const existing = 'abc'.split('').map((id) => node(id));
      const { nodes, sameNodes } = updateNodes(
        existing,
        ids.split('').map((id) => node(id)),
      );
      assert.equal(sameNodes, false);
      assert.equal(nodes.map(({ id }) => id).join(''), ids);
      assert.ok(existing.every((one) => !ids.includes(one.id) || nodes.includes(one)));
    }
  });

  it('are replaced by nodes of another class', () => {
    const latest = node('a', -1);
    const { nodes, sameNodes } = updateNodes([node('a', 1)], [latest]);
    assert.equal(nodes[0], latest);
    assert.equal(sameNodes, false);
  });

  it('always show what the latest list shows', () => {
    const list = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.integer({ min: -2, max: 2 })),
      { selector: ([id]) => id },
    );
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { nodes } = updateNodes(
          before.map(([id, value]) => node(id, value)),
          after.map(([id, value]) => node(id, value)),
        );
        assert.deepEqual(
          nodes.map(({ id, value }) => [id, value]),
          after,
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
