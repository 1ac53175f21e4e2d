import type { IncomingMessage } from 'node:http';
import type { ServerOptions } from 'node:https';
import { connect, type Socket } from 'node:net';

import { getHead, serve, type TestServer } from './servers.ts';

/** A proxy. `received` contains requests to the proxy itself, without tunneled ones. */
export type ProxyServer = Pick<TestServer, 'url' | 'received' | 'close'>;

export interface ProxyOptions {
  /** Ports on this computer, keyed by a `host:port` that only the proxy knows. */
  readonly hosts?: Readonly<Record<string, number>>;
  /** Required Proxy-Authorization header. Without it, the proxy responds with 407. */
  readonly authorization?: string;
  /** Status code of every response. */
  readonly status?: number;
  /** Key and certificate of a proxy that is reached over TLS. */
  readonly tls?: ServerOptions;
}

/** Starts a forward proxy on 127.0.0.1 that supports only tunnels (CONNECT, RFC 9110 §9.3.6). */
export async function startProxy({ hosts = {}, authorization, status, tls }: ProxyOptions = {}): Promise<ProxyServer> {
  const statusFor = ({ method, url, headers }: IncomingMessage): number => {
    if (authorization !== undefined && headers['proxy-authorization'] !== authorization) {
      return 407;
    }
    return status ?? (method === 'CONNECT' && hosts[url ?? ''] !== undefined ? 200 : 502);
  };
  const proxy = await serve((request, response) => response.writeHead(statusFor(request)).end(), tls);
  proxy.server.on('connect', (request: IncomingMessage, socket: Socket) => {
    proxy.received.push(getHead(request));
    socket.on('error', () => socket.destroy());
    const answer = statusFor(request);
    const port = hosts[request.url ?? ''];
    if (answer !== 200 || port === undefined) {
      socket.end(`HTTP/1.1 ${answer} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  return { ...proxy, url: proxy.url.replace('https://127.0.0.1', 'https://localhost') };
}
