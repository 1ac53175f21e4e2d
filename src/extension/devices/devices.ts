import type * as vscode from 'vscode';
import type { Connections } from '../auth/connection.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Input } from '../workbench/input.ts';
import type { Log } from '../workbench/log.ts';
import type { Notifications } from '../workbench/notifications.ts';
import { ConnectedDevices } from './connectedDevices.ts';
import { LinkPages } from './linkPage.ts';
import { askForNetwork } from './network/shareConsent.ts';
import { Shares, shareStatus, showShares } from './network/shares.ts';
import { PreviewPanels } from './previewPanel.ts';

interface DevicesDependencies {
  readonly connections: Connections;
  readonly configuration: Configuration;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly log: Log;
  readonly globalState: vscode.Memento;
  /** Path of the built-in builder's cordova.js. */
  readonly cordovaScript: string;
}

/** The objects that `src/extension/devices` provides, one of each per window. */
export type Devices = ReturnType<typeof createDevices>;

/** Creates the {@link Devices}. Called when the first command or tool needs them. */
export function createDevices(
  dependencies: DevicesDependencies,
  register: <T extends vscode.Disposable>(disposable: T) => T,
) {
  const { configuration, log, globalState, cordovaScript } = dependencies;
  const linkPages = register(new LinkPages());
  const shares = register(new Shares(log, cordovaScript));
  register(showShares(shares));
  register(shares.onDidVisit((share) => linkPages.setStatus(share.id, shareStatus(share))));
  register(shares.onDidEnd(({ id }) => linkPages.close(id)));
  const previews = register(new PreviewPanels(dependencies));
  return {
    linkPages,
    connected: new ConnectedDevices(configuration, globalState, log),
    shares,
    askForNetwork: (title: string) => askForNetwork(title, dependencies),
    previews,
    /** Stops all sharing and closes the previews. Resolves when their files are deleted. */
    close: () => Promise.all([shares.stopAll(), previews.close()]),
  };
}
