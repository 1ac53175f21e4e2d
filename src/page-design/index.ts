/** What the pages of the service and of the extension share: their design, and the check of a redirect's target. */
export { localPath } from './localPath.ts';
export { DESIGN_STYLE, MARK, MARK_ADDRESS } from './pageDesign.ts';
