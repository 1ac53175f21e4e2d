import type { Service } from '../service.ts';
import type { App, Platform } from '../store/model.ts';
import type { BuildKey } from './builder.ts';

/** The key that a build of an app signs with: that of the app, or the default one of its owner for this platform. */
export function buildKeyOf(
  _service: Pick<Service, 'store' | 'files' | 'now'>,
  _app: App,
  _platform: Platform,
): BuildKey | undefined {
  return undefined;
}

/** Says why a key cannot sign, in the words that clients know; `undefined` when nothing is known against it. */
export async function keyFault(_key: BuildKey): Promise<string | undefined> {
  return Promise.resolve(undefined);
}
