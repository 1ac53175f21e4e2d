/** The rows that the tree itself deals with, and by them all others: what it loads when it is first shown. */
export { Branch } from './branch.ts';
export { FailureNode } from './failureNode.ts';
export { ResourceNode } from './resourceNode.ts';
export { UserNode } from './userNode.ts';
