import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import type { App } from '../../apps/model/app.ts';
import { headingOf, type SharedBuild } from '../linkPage.ts';
import type { PackageFile } from '../fetchPackage.ts';
import type { NetworkAddress } from './shareConsent.ts';
import { createInstallSite, PreviewSite } from './networkSites.ts';
import { listenInNetwork, type NetworkListener, type NetworkSite } from './networkListener.ts';
import { frameDocument, installDocument } from './phonePages.ts';
import type { WebFiles } from './webFiles.ts';

/** What is shared of an app, and in which network. */
export interface ShareSubject {
  readonly app: Pick<App, 'url' | 'title' | 'version'>;
  readonly build: SharedBuild;
  readonly network: NetworkAddress;
}

/** A build that this window shares in a network. */
export interface Share extends ShareSubject {
  readonly id: string;
  readonly kind: 'install' | 'preview';
  readonly url: string;
  readonly endsAt: Date;
}

/** The preview of an app, which shows each new build. */
export interface Preview extends Share {
  readonly kind: 'preview';
  /** Has the phones load another build. It takes the files. */
  show(files: WebFiles): Promise<void>;
}

/** What this window shares in the network: each with a listener of its own, and files that are deleted when it ends. */
export class Shares extends Disposable {
  readonly #log: Log;
  readonly #open = new Map<string, { readonly share: Share; readonly listener: NetworkListener }>();
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #ended = this.register(new vscode.EventEmitter<Share>());
  /** Fires when something is no longer shared: it was stopped, or its time is over. */
  readonly onDidEnd = this.#ended.event;

  constructor(log: Log) {
    super();
    this.#log = log;
    this.register({ dispose: () => void this.stopAll() });
  }

  get all(): readonly Share[] {
    return [...this.#open.values()].map(({ share }) => share);
  }

  /** Shares a package. It takes the file. @throws Failure */
  async install(subject: ShareSubject, file: PackageFile): Promise<Share> {
    const page = installDocument(headingOf(subject.app), file.size, subject.build?.isTestSigned === true);
    return this.#start({ ...subject, kind: 'install' }, createInstallSite(page, file), () => file.dispose());
  }

  /** Shares the pages of an app. It takes the files. @throws Failure */
  async preview(subject: ShareSubject, files: WebFiles): Promise<Preview> {
    const site = new PreviewSite(frameDocument(subject.app.title), files);
    const content = { ...subject, kind: 'preview' as const, show: (next: WebFiles) => site.show(next) };
    return this.#start(content, site, () => site.dispose());
  }

  /** Stops sharing. Resolves when nothing of it can be fetched and its files are deleted. */
  async stop(id: string): Promise<void> {
    await this.#open.get(id)?.listener.close();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.stop(id)));
  }

  async #start<T extends Omit<Share, 'id' | 'url' | 'endsAt'>>(
    content: T,
    site: NetworkSite,
    dispose: () => Promise<void>,
  ): Promise<T & Share> {
    const id = randomUUID();
    const { address } = content.network;
    const heading = headingOf(content.app);
    try {
      const listener = await listenInNetwork({
        address,
        site,
        onDidVisit: (visitor) => this.#log.info(`${visitor} has opened what is shared of ${heading}.`),
        onDidEnd: () => this.#end(id, dispose),
      });
      const share = { ...content, id, url: listener.url, endsAt: listener.endsAt };
      this.#open.set(id, { share, listener });
      this.#log.info(`${heading} is shared at ${new URL(listener.url).host}.`);
      this.#changed.fire();
      return share;
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  async #end(id: string, dispose: () => Promise<void>): Promise<void> {
    const share = this.#open.get(id)?.share;
    this.#open.delete(id);
    await dispose().catch((error: unknown) => this.#log.error('Deleting what was shared', error));
    if (share !== undefined) {
      this.#log.info(`${headingOf(share.app)} is no longer shared at ${new URL(share.url).host}.`);
      this.#ended.fire(share);
      this.#changed.fire();
    }
  }
}
