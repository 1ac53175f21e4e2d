import { createSocket } from 'node:dgram';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import * as vscode from 'vscode';
import type { Input } from '../../workbench/input.ts';
import { sentence } from '../../../errors/index.ts';
import { sharingFailure } from './networkListener.ts';

/** An address of this computer that phones on the same network may be able to reach. */
export interface NetworkAddress {
  /** System name of the interface: `wlan0`, `Wi-Fi`. */
  readonly name: string;
  /** IPv4 address. */
  readonly address: string;
}

/** Interfaces of containers, virtual machines, and tunnels. Phones rarely reach this computer through them. */
const VIRTUAL = /^(docker|br-|veth|vmnet|vboxnet|vEthernet|tun|utun|wg|tailscale|zt)/i;
/** Prefix of addresses that computers assign to themselves without a network (RFC 3927). */
const LINK_LOCAL = '169.254.';

/**
 * Returns the addresses to offer, with the default route's first and those of virtual interfaces last.
 * @param interfaces result of `os.networkInterfaces()`
 * @param defaultRoute the address that this computer uses for the internet; undefined if it's offline
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

/** Returns the current addresses of this computer. */
export async function getOwnAddresses(): Promise<readonly NetworkAddress[]> {
  return networkAddresses(networkInterfaces(), await defaultRouteAddress());
}

/** Returns the address of the default route, or undefined if none exists. Connecting a UDP socket sends nothing. */
function defaultRouteAddress(): Promise<string | undefined> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    const end = (address: string | undefined): void => {
      socket.close();
      resolve(address);
    };
    socket.once('error', () => end(undefined));
    // A documentation address (RFC 5737) and the discard port.
    socket.connect(9, '192.0.2.1', () => end(socket.address().address));
  });
}

const AGREED_KEY = 'sharing/agreed';
const ADDRESS_KEY = 'sharing/address';

/** Remote windows whose extensions run on a different network than the phone. */
const REMOTE_KINDS = /^(attached-container|codespaces|dev-container|k8s-container|ssh-remote|tunnel|wsl)$/;

interface ConsentDependencies {
  readonly input: Input;
  readonly globalState: vscode.Memento;
}

/** Asks which network to share on and, once, whether to share. @throws Failure if no phone can reach this window; CancelledError */
export async function askForNetwork(
  title: string,
  { input, globalState }: ConsentDependencies,
): Promise<NetworkAddress> {
  if (REMOTE_KINDS.test(vscode.env.remoteName ?? '')) {
    throw sharingFailure(
      sentence('This window runs on a remote computer or in a container, which phones can’t reach.'),
      sentence('Download the build, and send the file to the phone.'),
    );
  }
  const addresses = await getOwnAddresses();
  const [only, ...others] = addresses;
  if (only === undefined) {
    throw sharingFailure(
      sentence('This computer isn’t on a network your phone can reach.'),
      sentence('Connect it to the phone’s network, or download the build and send the file.'),
    );
  }
  if (globalState.get(AGREED_KEY) !== true) {
    await input.confirmOrCancel(
      vscode.l10n.t('Share this app on your network?'),
      vscode.l10n.t(
        'Phones and computers on your network that have the link can open it for 30 minutes, or until you stop sharing. You won’t be asked again.',
      ),
      vscode.l10n.t('Share'),
      'information',
    );
    await globalState.update(AGREED_KEY, true);
  }
  if (others.length === 0) {
    return only;
  }
  // List the last chosen address first, then the default route's.
  const last = globalState.get<unknown>(ADDRESS_KEY);
  const items = addresses
    .toSorted((left, right) => Number(right.address === last) - Number(left.address === last))
    .map((network) => ({ icon: 'broadcast', label: network.name, description: network.address, network }));
  const placeholder = vscode.l10n.t('Which network is the phone on?');
  const { network } = await input.pick(items, { title, placeholder });
  await globalState.update(ADDRESS_KEY, network.address);
  return network;
}
