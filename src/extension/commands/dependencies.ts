import type * as vscode from 'vscode';
import type { Redactor } from '../../service-client/index.ts';
import type { AuthenticationProvider } from '../auth/authenticationProvider.ts';
import type { CallbackHandler } from '../auth/callback/callbackHandler.ts';
import type { ClientRegistrations, ServiceSelection } from '../auth/serviceSelection.ts';
import type { Connections } from '../auth/connection.ts';
import type { BuildServices } from '../apps/builds/createBuildServices.ts';
import type { Devices } from '../devices/devices.ts';
import type { LocalService } from '../service-host/localService.ts';
import type { ResourceDocuments } from '../resources/documents/resourceDocuments.ts';
import type { ResponseDocuments } from '../resources/documents/responseDocuments.ts';
import type { RecentResources } from '../resources/recentResources.ts';
import type { RequestDrafts } from '../resources/requests/requestDrafts.ts';
import type { ResourceTree } from '../resources/tree/resourceTree.ts';
import type { Configuration } from '../workbench/configuration.ts';
import type { Input } from '../workbench/input.ts';
import type { Log } from '../workbench/log.ts';
import type { Notifications } from '../workbench/notifications.ts';
import type { SecretClipboard } from '../workbench/secretClipboard.ts';

/** Dependencies of all commands. */
export interface CommandDependencies {
  readonly extensionId: string;
  readonly globalState: vscode.Memento;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly notifications: Notifications;
  readonly configuration: Configuration;
  readonly input: Input;
  readonly provider: AuthenticationProvider;
  readonly callbacks: CallbackHandler;
  readonly registrations: ClientRegistrations;
  readonly selection: ServiceSelection;
  readonly connections: Connections;
  readonly localService: LocalService;
  readonly tree: ResourceTree;
  readonly documents: ResourceDocuments;
  readonly responses: ResponseDocuments;
  readonly recent: RecentResources;
  readonly apps: BuildServices;
  readonly devices: Devices;
  /** Request bodies that the user is writing in editors. */
  readonly drafts: RequestDrafts;
  readonly clipboard: SecretClipboard;
}

/**
 * A command handler. Its arguments are unchecked, and any extension that runs the command receives its result. An error becomes a
 * notification, except a CancelledError, which is silent.
 */
export type CommandHandler = (...args: unknown[]) => unknown;

/** Handlers by command ID. A test compares the IDs with package.json. */
export type CommandHandlers = Readonly<Record<`appBuild.${string}`, CommandHandler>>;

/** Registers an object to be disposed together with the commands. */
export type RegisterDisposable = <T extends vscode.Disposable>(disposable: T) => T;
