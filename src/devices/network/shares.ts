import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import type { App } from '../../apps/model/app.ts';
import { localised } from '../../workbench/notifications.ts';
import { StatusBarItem, type StatusBarContent } from '../../workbench/statusBar.ts';
import { buildWarnings, headingOf, installTitle, type LinkPage, type SharedBuild } from '../linkPage.ts';
import type { PackageFile } from '../fetchPackage.ts';
import type { NetworkAddress } from './shareConsent.ts';
import { createInstallSite, PreviewSite } from './networkSites.ts';
import { listenInNetwork, type NetworkListener, type NetworkSite } from './networkListener.ts';
import { DEVELOPER_VERIFICATION, frameDocument, installDocument } from './phonePages.ts';
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

/** The page of a share. */
export function sharePage(share: Share): LinkPage {
  const { id, url, kind, app, build } = share;
  const isInstall = kind === 'install';
  return {
    id,
    url,
    title: isInstall ? installTitle(app.title, 'android') : previewTitle(app.title),
    heading: isInstall ? installTitle(headingOf(app), 'android') : previewTitle(headingOf(app)),
    warnings: isInstall ? buildWarnings(build) : [],
    end: { command: 'appBuild.stopSharing', title: vscode.l10n.t('Stop Sharing') },
    notes: [
      vscode.l10n.t(
        'Whoever is in the network of {0} ({1}) and has the link can open it until {2}. It holds no token of your account.',
        share.network.name,
        share.network.address,
        timeText(share.endsAt),
      ),
      ...(isInstall
        ? [
            vscode.l10n.t('The link leads to this build only, not to those that come after it.'),
            localised(DEVELOPER_VERIFICATION),
          ]
        : [
            vscode.l10n.t('The phone shows each new build by itself, once it is complete in this window.'),
            vscode.l10n.t(
              'The browser of the phone shows the app without HTTPS: camera, position and service workers are not to be had, and plugins neither.',
            ),
          ]),
      vscode.l10n.t(
        'Does the phone not reach it? It has to be in this network, and the firewall of this computer has to let it in.',
      ),
    ],
  };
}

function previewTitle(app: string): string {
  return vscode.l10n.t('Preview of {0}', app);
}

/** A share in a line: `Preview of Shop 1.2.0`. */
export function shareLabel({ kind, app }: Share): string {
  return kind === 'install' ? headingOf(app) : previewTitle(headingOf(app));
}

/** Network and end of a share, without the path, which only the link has. */
export function shareDetail({ url, network, endsAt }: Share): string {
  return vscode.l10n.t('{0} ({1}), until {2}', new URL(url).host, network.name, timeText(endsAt));
}

function timeText(time: Date): string {
  return time.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
}

/** Shows the shares of this window in the status bar. */
export function showShares(shares: Shares): vscode.Disposable {
  const name = vscode.l10n.t('Shared Application Builds');
  const item = new StatusBarItem('sharing', name, 'appBuild.showSharing');
  return vscode.Disposable.from(
    item,
    shares.onDidChange(() => item.show(statusOfShares(shares.all))),
  );
}

function statusOfShares(all: readonly Share[]): StatusBarContent | undefined {
  const [first, ...others] = all;
  if (first === undefined) {
    return undefined;
  }
  const label = shareLabel(first);
  const text = others.length === 0 ? label : vscode.l10n.t('{0}, {1} more', label, others.length);
  return {
    icon: 'broadcast',
    text,
    tooltip: [
      vscode.l10n.t('Shared in your network:'),
      ...all.map((share) => `${shareLabel(share)}: ${shareDetail(share)}`),
      '',
      vscode.l10n.t('Click to stop.'),
    ].join('\n'),
    accessibleText: vscode.l10n.t('Shared in your network: {0}', text),
    error: false,
  };
}
