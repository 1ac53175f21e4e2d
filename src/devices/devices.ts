import type * as vscode from 'vscode';
import type { Connections } from '../auth/connection.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Input } from '../workbench/input.ts';
import type { Log } from '../workbench/log.ts';
import type { Notifications } from '../workbench/notifications.ts';
import { ConnectedDevices } from './connectedDevices.ts';
import { InstallViews } from './linkPage.ts';
import { addressesOfThisMachine, type NetworkAddress } from './network/addresses.ts';
import { LocalPages } from './network/localPages.ts';
import { ShareConsent } from './network/shareConsent.ts';
import { Shares } from './network/shares.ts';
import { ShareStatus } from './network/shareTexts.ts';

interface DevicesDependencies {
  readonly connections: Connections;
  readonly configuration: Configuration;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly log: Log;
  readonly globalState: vscode.Memento;
  /** Those that phones may reach; of this machine when absent. */
  readonly networkAddresses?: () => Promise<readonly NetworkAddress[]>;
}

/** The parts of this room, in the memory of this window. */
export interface Devices {
  readonly installs: InstallViews;
  readonly connected: ConnectedDevices;
  readonly shares: Shares;
  readonly shareConsent: ShareConsent;
  readonly localPages: LocalPages;
}

/** Builds the parts. Loaded when the first command or tool needs them. */
export function createDevices(
  dependencies: DevicesDependencies,
  register: <T extends vscode.Disposable>(disposable: T) => T,
): Devices {
  const { configuration, input, log, globalState, networkAddresses = addressesOfThisMachine } = dependencies;
  const installs = register(new InstallViews());
  const shares = register(new Shares(log));
  register(new ShareStatus(shares));
  register(shares.onDidEnd(({ id }) => installs.closePage(id)));
  return {
    installs,
    connected: new ConnectedDevices(configuration, globalState, log),
    shares,
    shareConsent: new ShareConsent(input, globalState, networkAddresses),
    localPages: register(new LocalPages()),
  };
}
