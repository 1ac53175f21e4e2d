/** What can be downloaded of the apps in the demo data, which were never built. */
import { createHash } from 'node:crypto';

import type { App, Platform } from './model.ts';

/** One picture, 32 × 32 pixels, PNG. */
export const DEMO_ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAARElEQVR42mPgjllLU8QwasGoBaMWEG3Bf2yAOhb8JwQosuA/cWCwWvCfFDBqwa' +
    'gFA2PB0M9o9CiL6FGajtZooxYMfwsABLjA9cOyHnYAAAAASUVORK5CYII=',
  'base64',
);

/** A zip archive without entries, as all three package formats are zip archives; its comment gives it some size. */
export function demoPackage(app: App, platform: Platform): Buffer<ArrayBuffer> {
  const seed = createHash('sha512').update(`${app.id} ${platform} ${app.version} ${app.buildCount}`).digest('hex');
  const comment = Buffer.from(seed.repeat(400));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
}
