import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

interface Listening {
  readonly port: number;
  /** Destroys the connections and stops the server. Can be called more than once. */
  readonly close: () => Promise<void>;
}

/** Makes a server listen on a port of this computer. 0 selects a free port. */
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
