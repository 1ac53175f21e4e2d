import { createSocket } from 'node:dgram';
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import * as vscode from 'vscode';
import type { Input } from '../../workbench/input.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { sharingFailure } from './networkListener.ts';

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
 * @param defaultRoute the address that this machine uses for the internet; undefined when it's offline.
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

const AGREED_KEY = 'sharing/agreed';
const ADDRESS_KEY = 'sharing/address';

/** Windows whose extensions run behind a network of their own. */
const REMOTE_KINDS = /^(attached-container|codespaces|dev-container|k8s-container|ssh-remote|tunnel|wsl)$/;

interface ConsentDependencies {
  readonly input: Input;
  readonly globalState: vscode.Memento;
}

/**
 * Asks for the network to share in, and once whether to share at all.
 *
 * @throws Failure if no phone can reach this window; CancelledError
 */
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
  const addresses = await addressesOfThisMachine();
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
  // The one that was chosen last stands first, then that of the default route.
  const last = globalState.get<unknown>(ADDRESS_KEY);
  const items = addresses
    .toSorted((left, right) => Number(right.address === last) - Number(left.address === last))
    .map((network) => ({ icon: 'broadcast', label: network.name, description: network.address, network }));
  const placeholder = vscode.l10n.t('Which network is the phone on?');
  const { network } = await input.pick(items, { title, placeholder });
  await globalState.update(ADDRESS_KEY, network.address);
  return network;
}
