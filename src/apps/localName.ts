import type { ServiceSelection } from '../auth/serviceSelection.ts';

/**
 * How a thing of a service is named on this machine: by its address, without a query, which may hold a secret. The port of the
 * local service changes, so its address begins with `local`.
 */
export function localName(url: string, selection: Pick<ServiceSelection, 'current'>): string {
  const { origin, pathname } = new URL(url);
  return origin === localOrigin(selection) ? `local${pathname}` : `${origin}${pathname}`;
}

/** Undefined while another service is in use, also one whose address in the settings is none. */
function localOrigin(selection: Pick<ServiceSelection, 'current'>): string | undefined {
  try {
    const service = selection.current;
    return service?.local === true ? service.url.origin : undefined;
  } catch {
    return undefined;
  }
}
