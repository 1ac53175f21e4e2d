import { html } from 'hono/html';

import type { Html } from './layout.ts';

/** Seconds between two looks at builds that have not ended. */
export const REFRESH_SECONDS = 3;

/** How a page follows builds that have not ended. */
export interface Following {
  /** Path of the page, with its query. */
  readonly path: string;
  /** The same page, which is loaded again until the builds have ended. */
  readonly followingPath: string;
  readonly isFollowing: boolean;
}

/** Says that builds go on. A page is loaded again by itself only for those who ask for it, and until they say stop (WCAG 2.2, 2.2.2). */
export function goesOnNote(following: Following | undefined): Html {
  if (following === undefined) {
    return html``;
  }
  const { path, followingPath, isFollowing } = following;
  return isFollowing
    ? html`<p class="note">Builds go on. This page is loaded again every ${REFRESH_SECONDS} seconds. <a href="${path}">Stop this</a></p>`
    : html`<p class="note">Builds go on. <a href="${path}">Look again</a> or <a href="${followingPath}">keep looking every ${REFRESH_SECONDS} seconds</a></p>`;
}
