import type { Proxy } from '../api/http/transport.ts';
import { isLoopback } from '../api/serviceUrl.ts';
import type { Service, ServiceSelection } from '../auth/serviceSelection.ts';
import { Network } from '../workbench/network.ts';
import { failureKind } from './failures.ts';
import type { Fact } from './report.ts';

/** The kinds of the service and of the proxy to it, without hosts and users. */
export async function connectionFacts(selection: ServiceSelection): Promise<readonly Fact[]> {
  try {
    const service = selection.current;
    return service === undefined
      ? [['Service', 'none is chosen']]
      : [
          ['Service', serviceKind(service)],
          ['Proxy', await proxyTo(service)],
        ];
  } catch (error) {
    return [['Service', `cannot be used: ${failureKind(error)}`]];
  }
}

function serviceKind({ url, local }: Service): string {
  const address = new URL(url.href);
  const place = local
    ? 'the local service of this extension'
    : isLoopback(address)
      ? 'this machine by name'
      : 'another host';
  return `${place}, ${address.protocol === 'https:' ? 'HTTPS' : 'plain HTTP'}`;
}

async function proxyTo({ url }: Service): Promise<string> {
  const network = new Network({ info: () => undefined, warn: () => undefined });
  const proxy = await network.proxyFor(url.origin);
  return proxy === undefined ? 'none' : proxyKind(proxy);
}

/** The kind of a proxy and whether a sign-in is set for it. */
function proxyKind({ url, authorization }: Proxy): string {
  const { protocol, username, password } = new URL(url);
  const hasSignIn = authorization !== undefined || username !== '' || password !== '';
  return `${protocol.slice(0, -1)} proxy, ${hasSignIn ? 'with' : 'without'} a sign-in`;
}
