import * as vscode from 'vscode';
import type { Input } from '../../workbench/input.ts';
import type { NetworkAddress } from './addresses.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { SharingError } from './networkListener.ts';

const AGREED_KEY = 'sharing/agreed';
const ADDRESS_KEY = 'sharing/address';

/** Windows whose extensions run behind a network of their own. */
const REMOTE_KINDS = /^(attached-container|codespaces|dev-container|k8s-container|ssh-remote|tunnel|wsl)$/;

/** Asks a person before anything is shared: once whether, and in which network. */
export class ShareConsent {
  readonly #input: Input;
  readonly #globalState: vscode.Memento;
  readonly #networkAddresses: () => Promise<readonly NetworkAddress[]>;

  constructor(input: Input, globalState: vscode.Memento, networkAddresses: () => Promise<readonly NetworkAddress[]>) {
    this.#input = input;
    this.#globalState = globalState;
    this.#networkAddresses = networkAddresses;
  }

  /** Asks for the network to share in. @throws SharingError if no phone can reach this window; CancelledError */
  async askForNetwork(title: string): Promise<NetworkAddress> {
    if (REMOTE_KINDS.test(vscode.env.remoteName ?? '')) {
      throw new SharingError(
        sentence('This window works on a remote machine or in a container: phones cannot reach it there.'),
        sentence('Download the build, then send the file to the phone.'),
      );
    }
    const addresses = await this.#networkAddresses();
    const [only, ...others] = addresses;
    if (only === undefined) {
      throw new SharingError(
        sentence('This computer is in no network in which a phone could reach it.'),
        sentence('Connect it to the network of the phone, or download the build and send the file.'),
      );
    }
    await this.#requireConsent();
    return others.length === 0 ? only : this.#pick(addresses, title);
  }

  async #requireConsent(): Promise<void> {
    if (this.#globalState.get(AGREED_KEY) === true) {
      return;
    }
    await this.#input.confirmOrCancel(
      vscode.l10n.t('Share the build in your network?'),
      vscode.l10n.t(
        'Phones and computers in your network that have the link can download this build, for 30 minutes or until you stop it. You are asked once.',
      ),
      vscode.l10n.t('Share'),
      'information',
    );
    await this.#globalState.update(AGREED_KEY, true);
  }

  /** The one that was chosen last stands first, then that of the default route. */
  async #pick(addresses: readonly NetworkAddress[], title: string): Promise<NetworkAddress> {
    const last = this.#globalState.get<unknown>(ADDRESS_KEY);
    const items = addresses
      .toSorted((left, right) => Number(right.address === last) - Number(left.address === last))
      .map((network) => ({ icon: 'broadcast', label: network.name, description: network.address, network }));
    const placeholder = vscode.l10n.t('In which network is the phone?');
    const { network } = await this.#input.pick(items, { title, placeholder });
    await this.#globalState.update(ADDRESS_KEY, network.address);
    return network;
  }
}
