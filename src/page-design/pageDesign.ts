/**
 * The design that the service and the extension share: a stylesheet, which each page includes before its own, and a
 * logo.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The stylesheet, with colors, shapes, and shared components. */
export const DESIGN_STYLE = readFileSync(path.join(import.meta.dirname, 'pageDesign.css'), 'utf8');

/**
 * SVG markup of the logo, the phone in `media/icon.png`. Screen readers skip it, because a name is always next to it.
 */
export const MARK =
  '<svg class="picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" aria-hidden="true">' +
  '<rect width="64" height="64" rx="15" fill="#2563eb"/>' +
  '<g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">' +
  '<rect x="20" y="9" width="24" height="46" rx="5"/><path d="M29.5 47h5M29 23l-5 5.5 5 5.5M35 23l5 5.5-5 5.5"/></g></svg>';

/** `data:` URL of the logo, for use as a page's icon. */
export const MARK_ADDRESS = `data:image/svg+xml,${encodeURIComponent(MARK)}`;
