import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { localised } from '../../workbench/notifications.ts';
import { listenInNetwork, type NetworkListener } from './networkListener.ts';
import { serveFolder } from './networkSites.ts';
import { refusalDocument } from './phonePages.ts';

/** Only this machine reaches it. */
const LOOPBACK = '127.0.0.1';

/** Folders of pages that a browser on this machine may show, each under a random path until the listener's time is over. */
export class LocalPages extends Disposable {
  readonly #listeners = new Map<string, Promise<NetworkListener>>();

  constructor() {
    super();
    this.register({ dispose: () => this.#listeners.forEach((listener) => void listener.then((each) => each.close())) });
  }

  /** The address of a folder's `index.html`. @throws SharingError */
  async urlOf(folder: string): Promise<string> {
    const listener = this.#listeners.get(folder) ?? this.#listen(folder);
    this.#listeners.set(folder, listener);
    return (await listener).url;
  }

  #listen(folder: string): Promise<NetworkListener> {
    const listener = listenInNetwork({
      address: LOOPBACK,
      site: {
        // The folder is looked into for each request: the user edits what is in it. Hidden files are no pages.
        answer: (request, response, below) =>
          !/(?:^|\/)(?:\.|%2e)/i.test(below) && serveFolder(folder, () => undefined)(request, response, `/${below}`),
      },
      refusal: (status) => refusalDocument(status, { tag: vscode.env.language, say: localised }),
      onDidEnd: () => Promise.resolve(void this.#listeners.delete(folder)),
    });
    listener.catch(() => this.#listeners.delete(folder));
    return listener;
  }
}
