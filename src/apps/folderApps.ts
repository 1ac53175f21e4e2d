import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { serviceName, urlAt } from '../auth/localName.ts';
import type { Service } from '../auth/serviceSelection.ts';
import { Disposable } from '../workbench/disposable.ts';
import { read } from '../workbench/readStored.ts';
import { SharedState } from '../workbench/sharedState.ts';

export interface FolderApp {
  readonly url: string;
  /** As it was when the link was made: for questions before the app is loaded. */
  readonly title: string;
  /** Folder of the web project below the workspace folder, with `/`; empty when it is that folder. */
  readonly project: string;
}

export interface LinkedFolder {
  readonly folder: vscode.WorkspaceFolder;
  readonly app: FolderApp;
}

/** The address is below that of the service, whose port may change. */
const STORED_APP = z.object({ path: z.string(), title: z.string(), project: z.string() });

/** A connection, or a service that has not been started. */
interface AtService {
  readonly service: Pick<Service, 'url' | 'local' | 'demo'>;
}

const PREFIX = 'folderApp';

/**
 * Which app each folder is built as: remembered per folder and service, over sessions of the local service at other ports.
 * Kept in the global state, one key a pair, so that windows do not overwrite each other's.
 */
export class FolderApps extends Disposable {
  readonly #memento: SharedState;
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor(globalState: vscode.Memento) {
    super();
    this.#memento = new SharedState(globalState);
  }

  /** The app of a folder at the service of `connection`; undefined when it has none. */
  of(folder: vscode.Uri, { service }: AtService): FolderApp | undefined {
    return this.#read(folderKey(folder, service), service);
  }

  /** The folders of this window that are linked at the service of `connection`, in the order of the workspace. */
  all(connection: AtService): readonly LinkedFolder[] {
    return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
      const app = this.of(folder.uri, connection);
      return app === undefined ? [] : [{ folder, app }];
    });
  }

  /** Every folder that is linked to an app at the service of `connection`, in this window or not; it may be gone. */
  foldersOf(appUrl: string, { service }: AtService): readonly vscode.Uri[] {
    const prefix = keyPrefixOf(service);
    return this.#memento
      .keys()
      .filter((key) => key.startsWith(prefix) && this.#read(key, service)?.url === appUrl)
      .map((key) => vscode.Uri.parse(key.slice(prefix.length)));
  }

  /** Links a folder, or with undefined unlinks it. */
  async set(folder: vscode.Uri, { service }: AtService, app: FolderApp | undefined): Promise<void> {
    const stored: z.infer<typeof STORED_APP> | undefined = app && {
      path: pathOfUrl(app.url),
      title: app.title,
      project: app.project,
    };
    await this.#memento.update(folderKey(folder, service), stored);
    this.#changed.fire();
  }

  #read(key: string, service: AtService['service']): FolderApp | undefined {
    const stored = read(STORED_APP, this.#memento.get(key));
    return stored && { url: urlAt(service.url.origin, stored.path), title: stored.title, project: stored.project };
  }
}

function keyPrefixOf(service: AtService['service']): string {
  return `${PREFIX}/${serviceName(service)}|`;
}

function folderKey(folder: vscode.Uri, service: AtService['service']): string {
  return `${keyPrefixOf(service)}${folder.toString()}`;
}

function pathOfUrl(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
