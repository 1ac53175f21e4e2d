/** What the tree needs to make nodes, in one module: it is loaded when the tree is first shown. */
export { AccountRoots } from './accountRoots.ts';
export { ExpandableNode } from './expandableNode.ts';
export { FailureNode } from './failureNode.ts';
export { ResourceNode } from './resourceNode.ts';
export { withAncestors } from './treeNode.ts';
