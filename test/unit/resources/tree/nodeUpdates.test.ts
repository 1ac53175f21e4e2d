import assert from 'node:assert/strict';
import { updateNodes, withoutDescendants } from '../../../../src/resources/tree/nodeUpdates.ts';

describe('nodes across refreshes', () => {
  // That rows stay the same objects, and which are drawn, is in explorer.test.ts.
  it('give way to the latest where they can’t show it', () => {
    const node = (id: string, canShow: boolean) => ({ id, updateFrom: () => (canShow ? [] : undefined) });
    const [one, two, latestOne, latestTwo] = [node('1', true), node('2', false), node('1', true), node('2', true)];
    const { nodes, sameNodes, changed } = updateNodes([one, two], [latestOne, latestTwo]);
    assert.ok(nodes[0] === one && nodes[1] === latestTwo);
    assert.deepEqual([nodes.length, sameNodes, changed], [2, false, []]);
  });

  it('are drawn once: not again below a node that is drawn', () => {
    interface Below {
      readonly name: string;
      readonly parent: Below | undefined;
    }
    const top: Below = { name: 'top', parent: undefined };
    const leaf: Below = { name: 'leaf', parent: { name: 'middle', parent: top } };
    const other: Below = { name: 'other', parent: undefined };
    assert.deepEqual(withoutDescendants([leaf, top, other, top]), [top, other]);
  });
});
