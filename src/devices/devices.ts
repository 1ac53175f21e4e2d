import type * as vscode from 'vscode';
import type { Connections } from '../auth/connection.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Input } from '../workbench/input.ts';
import type { Log } from '../workbench/log.ts';
import type { Notifications } from '../workbench/notifications.ts';
import { ConnectedDevices } from './connectedDevices.ts';
import { LinkPages } from './linkPage.ts';
import { LocalPages } from './network/networkSites.ts';
import { askForNetwork } from './network/shareConsent.ts';
import { Shares, showShares } from './network/shares.ts';

interface DevicesDependencies {
  readonly connections: Connections;
  readonly configuration: Configuration;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly log: Log;
  readonly globalState: vscode.Memento;
}

/** The parts of this room, in the memory of this window. */
export type Devices = ReturnType<typeof createDevices>;

/** Builds the parts. Loaded when the first command or tool needs them. */
export function createDevices(
  dependencies: DevicesDependencies,
  register: <T extends vscode.Disposable>(disposable: T) => T,
) {
  const { configuration, log, globalState } = dependencies;
  const linkPages = register(new LinkPages());
  const shares = register(new Shares(log));
  register(showShares(shares));
  register(shares.onDidEnd(({ id }) => linkPages.close(id)));
  return {
    linkPages,
    connected: new ConnectedDevices(configuration, globalState, log),
    shares,
    askForNetwork: (title: string) => askForNetwork(title, dependencies),
    localPages: register(new LocalPages()),
  };
}
