import { html } from 'hono/html';

import type { LogPart } from '../builds/buildLog.ts';
import type { App, Platform } from '../store/model.ts';
import { goesOnNote, type Following } from './following.ts';
import { accountCorner, page, type Html, type SignedIn } from './layout.ts';
import { nameOf } from './texts.ts';

export interface BuildLogView extends SignedIn {
  readonly app: App;
  readonly platform: Platform;
  readonly part: LogPart;
  /** Whether the log goes on beyond this part. */
  readonly hasNext: boolean;
  /** Present while the build waits or runs. */
  readonly following: Following | undefined;
}

/** A part of the log of a build, as text. */
export function buildLogPage({ app, platform, part, hasNext, following, ...signedIn }: BuildLogView): Html {
  const path = `/account/apps/${app.id}`;
  // Characters that are not seen, or turn the direction of a text, are no part of what a builder has to say.
  const text = part.text.replaceAll(/(?![\n\t])\p{C}/gu, '\u{fffd}');
  return page(
    { title: `Log of ${platform}`, corner: accountCorner(signedIn) },
    html`${hasNext ? '' : goesOnNote(following)}<section><p><a href="${path}">${nameOf(app.title)}</a></p>
${text === '' ? html`<p class="soft">The log is empty.</p>` : html`<pre>${text}</pre>`}
${hasNext ? html`<p><a class="button" href="${path}/log/${platform}?offset=${part.nextOffset}">Go on</a></p>` : ''}
</section>`,
  );
}
