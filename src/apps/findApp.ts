import type { App } from './model/app.ts';

/** The result of looking for an app by its name. */
export type NamedApp =
  | { readonly kind: 'one'; readonly app: App }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly apps: readonly App[] };

/** The app of a name. @param name title, package or number of an app; see {@link isAppAddress} for an address. */
export function findApp(name: string, apps: readonly App[]): NamedApp {
  const found = apps.filter(
    ({ title, packageId, url }) =>
      title === name || packageId === name || new URL(url).pathname.endsWith(`/apps/${name}`),
  );
  const [app, ...others] = found;
  if (app === undefined) {
    return { kind: 'none' };
  }
  return others.length === 0 ? { kind: 'one', app } : { kind: 'several', apps: found };
}

/** True for a path or an address, which needs no list to be found. */
export function isAppAddress(name: string): boolean {
  return /^(?:\/|https?:)/i.test(name);
}
