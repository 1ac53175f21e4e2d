import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { serviceName, urlAt } from '../auth/localName.ts';
import type { Service } from '../auth/serviceSelection.ts';
import { Disposable } from '../workbench/disposable.ts';
import { read } from '../workbench/readStored.ts';

/** The app that a folder is linked to. */
export interface FolderApp {
  readonly url: string;
  /** Title of the app when the folder was linked. Shown in questions until the app is loaded. */
  readonly title: string;
  /** Path of the web project in the workspace folder, separated by `/`. Empty if it's the workspace folder itself. */
  readonly project: string;
}

/** A workspace folder and its app. */
export interface LinkedFolder {
  readonly folder: vscode.WorkspaceFolder;
  readonly app: FolderApp;
}

/** `path` is relative to the service's origin, because the local service's port can change. */
const STORED_APP = z.object({ path: z.string(), title: z.string(), project: z.string() });

/** A connection, or a service that hasn't been started. */
interface ServiceIdentity {
  readonly service: Pick<Service, 'url' | 'local' | 'demo'>;
}

const PREFIX = 'folderApp';

/**
 * Remembers which app each folder is linked to, per service. The links survive a change of the local service's port. Each pair of
 * folder and service has its own key in the global state, so that windows don't overwrite each other's links.
 */
export class FolderApps extends Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor(globalState: vscode.Memento) {
    super();
    this.#memento = globalState;
  }

  /** Returns the app that a folder is linked to at the connection's service, or undefined if it isn't linked. */
  get(folder: vscode.Uri, { service }: ServiceIdentity): FolderApp | undefined {
    return this.#read(folderKey(folder, service), service);
  }

  /** Returns this window's folders that are linked to apps at the connection's service, in workspace order. */
  all(connection: ServiceIdentity): readonly LinkedFolder[] {
    return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
      const app = this.get(folder.uri, connection);
      return app === undefined ? [] : [{ folder, app }];
    });
  }

  /**
   * Returns all folders that are linked to an app at the connection's service, including folders in other windows. Some may no longer
   * exist.
   */
  getFolders(appUrl: string, { service }: ServiceIdentity): readonly vscode.Uri[] {
    const prefix = getKeyPrefix(service);
    return this.#memento
      .keys()
      .filter((key) => key.startsWith(prefix) && this.#read(key, service)?.url === appUrl)
      .map((key) => vscode.Uri.parse(key.slice(prefix.length)));
  }

  /** Links a folder to an app. Unlinks it if `app` is undefined. */
  async set(folder: vscode.Uri, { service }: ServiceIdentity, app: FolderApp | undefined): Promise<void> {
    const stored: z.infer<typeof STORED_APP> | undefined = app && {
      path: getUrlPath(app.url),
      title: app.title,
      project: app.project,
    };
    await this.#memento.update(folderKey(folder, service), stored);
    this.#changed.fire();
  }

  #read(key: string, service: ServiceIdentity['service']): FolderApp | undefined {
    const stored = read(STORED_APP, this.#memento.get(key));
    return stored && { url: urlAt(service.url.origin, stored.path), title: stored.title, project: stored.project };
  }
}

function getKeyPrefix(service: ServiceIdentity['service']): string {
  return `${PREFIX}/${serviceName(service)}|`;
}

function folderKey(folder: vscode.Uri, service: ServiceIdentity['service']): string {
  return `${getKeyPrefix(service)}${folder.toString()}`;
}

function getUrlPath(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
