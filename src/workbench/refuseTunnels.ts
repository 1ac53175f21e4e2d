import type { Server } from 'node:http';

/**
 * Answers CONNECT with 405, and closes the connection. Node hands such a socket over altogether: it no longer listens to its
 * errors, limits its time, or closes it with the server.
 *
 * @param allow the methods that are answered otherwise.
 */
export function refuseTunnels(server: Server, allow: string): void {
  server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined);
    socket.end(`HTTP/1.1 405 Method Not Allowed\r\nallow: ${allow}\r\nconnection: close\r\n\r\n`, () =>
      socket.destroy(),
    );
  });
}
