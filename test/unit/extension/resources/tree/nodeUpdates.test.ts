import assert from 'node:assert/strict';
import { updateNodes, withoutDescendants } from '../../../../../src/extension/resources/tree/nodeUpdates.ts';

describe('the node update after a refresh', () => {
  // explorer.test.ts tests that rows stay the same objects, and which rows are redrawn.
  it('replaces nodes that can’t show the latest data', () => {
    const node = (id: string, canShow: boolean) => ({ id, updateFrom: () => (canShow ? [] : undefined) });
    const [one, two, latestOne, latestTwo] = [node('1', true), node('2', false), node('1', true), node('2', true)];
    const { nodes, sameNodes, changed } = updateNodes([one, two], [latestOne, latestTwo]);
    assert.ok(nodes[0] === one && nodes[1] === latestTwo);
    assert.deepEqual([nodes.length, sameNodes, changed], [2, false, []]);
  });

  it('redraws every node only once, and none under a redrawn parent', () => {
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
