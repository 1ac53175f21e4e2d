/** Everything that makes nodes, in one module: it is loaded when the tree is first shown. */
export { AccountRoots, reloadExpanded } from './accountRoots.ts';
export { ExpandableNode } from './expandableNode.ts';
export { FailureNode } from './noteNode.ts';
export { ResourceNode } from './resourceNode.ts';
export { withAncestors } from './treeNode.ts';
