import { html } from 'hono/html';

import { page, type Html } from './layout.ts';

/** A page that says why something did not work. */
export function errorPage(message: string): Html {
  return page(
    { title: 'That did not work', narrow: true },
    html`<section><p>${message}</p><p><a href="/account">Go to your account</a></p></section>`,
  );
}
