/**
 * The binaries that downloads redirect to. Their paths are signed and short-lived, so that no credentials are needed:
 * a client drops them when it follows the redirect, as with the original's storage.
 */
import { createHash } from 'node:crypto';

import type { Hono } from 'hono';

import { notFound } from '../errors.ts';
import { sameSecret, sign } from '../store/secrets.ts';
import { platforms, type App, type Platform, type State } from '../store/state.ts';
import type { Store } from '../store/store.ts';

/** Milliseconds during which a download path works. */
const lifetime = 5 * 60_000;
const kinds = [...platforms, 'icon'] as const;
type Kind = (typeof kinds)[number];

const packages: Readonly<Record<Platform, { readonly extension: string; readonly type: string }>> = {
  android: { extension: 'apk', type: 'application/vnd.android.package-archive' },
  ios: { extension: 'ipa', type: 'application/octet-stream' },
  winphone: { extension: 'xap', type: 'application/x-silverlight-app' },
};

/** One picture, 32 × 32 pixels, PNG. */
const icon = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAARElEQVR42mPgjllLU8QwasGoBaMWEG3Bf2yAOhb8JwQosuA/cWCwWvCfFDBqwa' +
    'gFA2PB0M9o9CiL6FGajtZooxYMfwsABLjA9cOyHnYAAAAASUVORK5CYII=',
  'base64',
);

/** The path from which the binary can be fetched for the next five minutes. `now` in milliseconds since the epoch. */
export function downloadPath(state: State, app: App, kind: Kind, now: number): string {
  const expiresAt = now + lifetime;
  return `/downloads/${app.id}/${kind}/${expiresAt}/${signature(state, app.id, kind, expiresAt)}/${fileName(app, kind)}`;
}

/** Adds the download paths. */
export function addDownloads(app: Hono, store: Store, now: () => number): void {
  app.get('/downloads/:id/:kind/:expiresAt/:signature/:file', (c) => {
    const { id, kind, expiresAt, signature: given } = c.req.param();
    const found = store.state.apps.find((each) => String(each.id) === id);
    const name = kinds.find((each) => each === kind);
    if (
      found === undefined ||
      name === undefined ||
      !sameSecret(given, signature(store.state, found.id, name, Number(expiresAt))) ||
      Number(expiresAt) < now()
    ) {
      throw notFound('This download has expired. Ask the API for it again.');
    }
    const type = name === 'icon' ? 'image/png' : packages[name].type;
    return c.body(name === 'icon' ? icon : binary(found, name), 200, {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${fileName(found, name)}"`,
    });
  });
}

function signature(state: State, id: number, kind: Kind, expiresAt: number): string {
  return sign(state.signingKey, 'download', `${id} ${kind} ${expiresAt}`);
}

/** The title reduced to characters that every file system takes. */
function fileName(app: App, kind: Kind): string {
  const name = app.title.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'app';
  return kind === 'icon' ? `${name}.png` : `${name}.${packages[kind].extension}`;
}

/** A valid zip archive without entries, as all three package formats are zip archives; its comment fills it. */
function binary(app: App, platform: Platform): Buffer<ArrayBuffer> {
  const seed = createHash('sha512').update(`${app.id} ${platform} ${app.version} ${app.buildCount}`).digest('hex');
  const comment = Buffer.from(seed.repeat(400));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}
