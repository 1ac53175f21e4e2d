import type { Service, ServiceSelection } from './serviceSelection.ts';

/** Returns the storage name of the local service, whose port changes, or undefined for a service with a fixed URL. */
export function getLocalServiceName({ local, demo = false }: Pick<Service, 'local' | 'demo'>): string | undefined {
  return local ? (demo ? 'local-demo' : 'local') : undefined;
}

/** Returns the name under which data is stored for a service. */
export function serviceName(
  service: Pick<Service, 'local' | 'demo'> & { readonly url: { readonly origin: string } },
): string {
  return getLocalServiceName(service) ?? service.url.origin;
}

/** Returns the storage name of an object on a service: its address without the query, which may contain a secret. */
export function toLocalName(url: string, selection: Pick<ServiceSelection, 'current'>): string {
  const { origin, pathname } = new URL(url);
  return `${localNameAt(origin, selection) ?? origin}${pathname}`;
}

/**
 * Returns the storage name of the local service at an origin, or undefined if the current service has a different origin or its address in
 * the settings is invalid.
 */
function localNameAt(origin: string, selection: Pick<ServiceSelection, 'current'>): string | undefined {
  try {
    const service = selection.current;
    return service?.url.origin === origin ? getLocalServiceName(service) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the URL of a stored path and query at the current origin of the service. The parts are set separately, because two leading
 * slashes would start a host name.
 */
export function urlAt(origin: string, path: string): string {
  const address = new URL(origin);
  const query = path.indexOf('?');
  address.pathname = query < 0 ? path : path.slice(0, query);
  address.search = query < 0 ? '' : path.slice(query);
  return address.href;
}
