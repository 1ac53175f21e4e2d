import type * as vscode from 'vscode';
import type { Connections } from '../auth/connection.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Input } from '../workbench/input.ts';
import type { Log } from '../workbench/log.ts';
import type { Notifications } from '../workbench/notifications.ts';
import { ConnectedDevices } from './connectedDevices.ts';
import { InstallViews } from './installViews.ts';

export interface DevicesDependencies {
  readonly connections: Connections;
  readonly configuration: Configuration;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly log: Log;
  readonly globalState: vscode.Memento;
}

/** How a build gets to a phone, in the memory of this window. */
export interface Devices {
  /** The pages that show a link to one build. */
  readonly installs: InstallViews;
  /** What adb knows. */
  readonly connected: ConnectedDevices;
}

/** Builds the parts. Loaded when the first command or tool needs them. */
export function createDevices(
  dependencies: DevicesDependencies,
  register: <T extends vscode.Disposable>(disposable: T) => T,
): Devices {
  return { installs: register(new InstallViews()), connected: new ConnectedDevices(dependencies) };
}
