/** Everything that makes nodes, in one module: it is loaded when the tree is first shown. */
export { AccountRoots, reloadExpanded } from './accountRoots.ts';
export { Arrangements } from './arrangements.ts';
export { ExpandableNode } from './expandableNode.ts';
export { FilterText } from './arrangements.ts';
export { FailureNode } from './noteNode.ts';
export { ResourceNode } from './resourceNode.ts';
export { listsToOpen, shownRows } from './shownRows.ts';
export { withAncestors } from './treeNode.ts';
