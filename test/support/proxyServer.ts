import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { connect, type Socket } from 'node:net';

import { listen } from './listen.ts';

export interface ProxyServer {
  readonly url: string;
  /** Request lines and headers that the proxy itself received, without what went through a tunnel. */
  readonly received: string[];
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Ports on this machine by the names that only the proxy knows, as `host:port`. */
  readonly hosts?: Readonly<Record<string, number>>;
  /** The Proxy-Authorization header that it wants; without it the answer is 407. */
  readonly authorization?: string;
  /** Answers every request with this status. */
  readonly status?: number;
  /** Key and certificate of a proxy that is itself reached over TLS. */
  readonly tls?: ServerOptions;
}

/** A forward proxy on 127.0.0.1 that makes tunnels (CONNECT, RFC 9110 §9.3.6) and nothing else. */
export async function startProxy({ hosts = {}, authorization, status, tls }: ProxyOptions = {}): Promise<ProxyServer> {
  const received: string[] = [];
  const statusFor = ({ method, url, headers }: IncomingMessage): number => {
    received.push(`${method ?? ''} ${url ?? ''}\n${JSON.stringify(headers)}`);
    if (authorization !== undefined && headers['proxy-authorization'] !== authorization) {
      return 407;
    }
    return status ?? (method === 'CONNECT' && hosts[url ?? ''] !== undefined ? 200 : 502);
  };
  const server = tls === undefined ? createServer() : createSecureServer(tls);
  server.on('request', (request: IncomingMessage, response) => response.writeHead(statusFor(request)).end());
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
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
  const { port, close } = await listen(server);
  return { url: `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${port}`, received, close };
}
