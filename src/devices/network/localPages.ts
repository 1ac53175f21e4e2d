import { Disposable } from '../../workbench/disposable.ts';
import { listenInNetwork, type NetworkListener } from './networkListener.ts';
import { serveFolder } from './networkSites.ts';

const LOOPBACK = '127.0.0.1';

/** Serves folders of pages to the browser of this machine, each at a random path until the listener expires. */
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
        // The folder is listed again for each request, because the user edits its files.
        answer: (request, response, below) => serveFolder(folder, { dotfiles: false })(request, response, `/${below}`),
      },
      onDidEnd: () => Promise.resolve(void this.#listeners.delete(folder)),
    });
    listener.catch(() => this.#listeners.delete(folder));
    return listener;
  }
}
