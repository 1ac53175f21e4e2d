import type { Service, ServiceSelection } from './serviceSelection.ts';

/**
 * The name under which things are stored for the local service, whose port changes. Undefined for a service with a fixed URL.
 */
export function localNameOf({ local, demo = false }: Pick<Service, 'local' | 'demo'>): string | undefined {
  return local ? (demo ? 'local-demo' : 'local') : undefined;
}

/** The name under which things are stored for a service. */
export function serviceName(
  service: Pick<Service, 'local' | 'demo'> & { readonly url: { readonly origin: string } },
): string {
  return localNameOf(service) ?? service.url.origin;
}

/** How a thing of a service is named on this machine: by its address, without a query, which may hold a secret. */
export function localName(url: string, selection: Pick<ServiceSelection, 'current'>): string {
  const { origin, pathname } = new URL(url);
  return `${localNameAt(origin, selection) ?? origin}${pathname}`;
}

/** Undefined while the service in use is elsewhere, also when its address in the settings is none. */
function localNameAt(origin: string, selection: Pick<ServiceSelection, 'current'>): string | undefined {
  try {
    const service = selection.current;
    return service?.url.origin === origin ? localNameOf(service) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Address of what is remembered by its path and query, wherever the service runs now. The parts are put in one by one: two slashes
 * in front would name another host.
 */
export function urlAt(origin: string, path: string): string {
  const address = new URL(origin);
  const query = path.indexOf('?');
  address.pathname = query < 0 ? path : path.slice(0, query);
  address.search = query < 0 ? '' : path.slice(query);
  return address.href;
}
