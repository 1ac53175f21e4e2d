import type { ExpandableNode } from './expandableNode.ts';
import type { TreeNode } from './treeNode.ts';

/**
 * Loads again what is expanded below a node. What is collapsed is loaded when it is opened.
 *
 * @returns the nodes that have to be drawn again.
 */
export async function reloadExpanded(
  node: ExpandableNode,
  isCollapsed: (node: TreeNode) => boolean,
): Promise<readonly TreeNode[]> {
  const changed = [...(await node.reload())];
  const below: Promise<readonly TreeNode[]>[] = [];
  for (const child of node.expandableChildren) {
    if (isCollapsed(child)) {
      child.invalidate();
    } else {
      below.push(reloadExpanded(child, isCollapsed));
    }
  }
  return [...changed, ...(await Promise.all(below)).flat()];
}
