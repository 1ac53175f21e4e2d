/** The design that the pages of the service and of the extension share. */
export { DESIGN_STYLE, MARK, MARK_ADDRESS } from './pageDesign.ts';
