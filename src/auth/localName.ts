import type { Service } from './serviceSelection.ts';

/**
 * What the local service goes by where something is remembered of it: its port changes. Undefined for a service of a URL, which
 * goes by that.
 */
export function localNameOf({ local, demo = false }: Pick<Service, 'local' | 'demo'>): string | undefined {
  return local ? (demo ? 'local-demo' : 'local') : undefined;
}
