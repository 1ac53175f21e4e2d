import type { Server } from 'node:http';

/**
 * Responds to CONNECT with 405 and closes the connection. Node stops managing such a socket: it no longer handles the
 * socket's errors or timeouts, and doesn't close it with the server.
 *
 * @param allow supported methods, for the Allow header.
 */
export function refuseTunnels(server: Server, allow: string): void {
  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined);
    socket.end(`HTTP/1.1 405 Method Not Allowed\r\nallow: ${allow}\r\nconnection: close\r\n\r\n`, () =>
      socket.destroy(),
    );
  });
}
