import { createSocket } from 'node:dgram';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** An address of this machine that phones in the same network may reach. */
export interface NetworkAddress {
  /** Of the interface, as the system calls it: `wlan0`, `Wi-Fi`. */
  readonly name: string;
  /** IPv4. */
  readonly address: string;
}

/** Interfaces of containers, virtual machines and tunnels: a phone is seldom behind one. */
const VIRTUAL = /^(docker|br-|veth|vmnet|vboxnet|vEthernet|tun|utun|wg|tailscale|zt)/i;
/** Addresses that machines give themselves where no network does (RFC 3927). */
const LINK_LOCAL = '169.254.';

/**
 * The addresses to offer: that of the default route first, those of virtual interfaces last.
 *
 * @param interfaces as `os.networkInterfaces()` has them.
 * @param defaultRoute the address that this machine uses for what is far away; undefined when it is offline.
 */
export function networkAddresses(
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
  defaultRoute: string | undefined,
): readonly NetworkAddress[] {
  const rank = ({ name, address }: NetworkAddress): number =>
    address === defaultRoute ? 0 : VIRTUAL.test(name) ? 2 : 1;
  return Object.entries(interfaces)
    .flatMap(([name, infos = []]) =>
      infos
        .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith(LINK_LOCAL))
        .map(({ address }) => ({ name, address })),
    )
    .sort((left, right) => rank(left) - rank(right));
}

/** Those of this machine, now. */
export async function addressesOfThisMachine(): Promise<readonly NetworkAddress[]> {
  return networkAddresses(networkInterfaces(), await defaultRouteAddress());
}

/** The address of the default route; undefined when there is none. Connecting a UDP socket sends nothing. */
function defaultRouteAddress(): Promise<string | undefined> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    const end = (address: string | undefined): void => {
      socket.close();
      resolve(address);
    };
    socket.once('error', () => end(undefined));
    // An address for documentation (RFC 5737), and the port that discards.
    socket.connect(9, '192.0.2.1', () => end(socket.address().address));
  });
}
