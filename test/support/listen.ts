import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface Listening {
  readonly port: number;
  /** Destroys the connections and ends the server. May be called again. */
  readonly close: () => Promise<void>;
}

/** Has a server listen on a port of this machine, a free one when it is 0. */
export async function listen(server: Server, address = '127.0.0.1', port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      if (server.listening) {
        server.close();
        await once(server, 'close');
      }
    },
  };
}
