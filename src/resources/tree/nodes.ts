/** What the tree needs to make nodes, in one module: it is loaded when the tree is first shown. */
export { createChildNodes } from './childNodes.ts';
export { ExpandableNode } from './expandableNode.ts';
export { FailureNode } from './failureNode.ts';
export { updateNodes } from './nodeUpdates.ts';
export { ResourceNode } from './resourceNode.ts';
export { UserNode } from './userNode.ts';
export { withAncestors } from './treeNode.ts';
