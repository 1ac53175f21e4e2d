import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import type { App } from '../../apps/model/app.ts';
import { localize } from '../../workbench/notifications.ts';
import { StatusBarItem, type StatusBarContent } from '../../workbench/statusBar.ts';
import { listText } from '../../workbench/texts.ts';
import { buildWarnings, getAppHeading, type LinkPage, type LinkStatus, type SharedBuildDetails } from '../linkPage.ts';
import type { FetchedPackage } from '../fetchPackage.ts';
import type { NetworkAddress } from './shareConsent.ts';
import { createInstallSite, PreviewSite } from './networkSites.ts';
import { listenInNetwork, type NetworkListener, type NetworkSite, type NetworkVisit } from './networkListener.ts';
import { DEVELOPER_VERIFICATION, frameDocument, installDocument, PACKAGE_PATH } from './phonePages.ts';
import type { WebFiles } from './webFiles.ts';

/** What this window shares, and on which network. */
export interface ShareSubject {
  readonly app: Pick<App, 'url' | 'title' | 'version'>;
  readonly build: SharedBuildDetails;
  /** The app's icon as a data URL, if known. */
  readonly icon: string | undefined;
  readonly network: NetworkAddress;
  /** True for the folder's pages; false for a build's pages. */
  readonly isLive?: boolean;
}

/** A share of a build on a network. */
export interface Share extends ShareSubject {
  readonly id: string;
  readonly kind: 'install' | 'preview';
  readonly url: string;
  readonly endsAt: Date;
  /** The latest visit by a phone. */
  readonly visit?: { readonly kind: 'opened' | 'downloaded'; readonly at: Date };
}

/** A preview of an app that shows every new build. */
export interface Preview extends Share {
  readonly kind: 'preview';
  /** Makes the phones load another build. Takes ownership of the files. */
  show(files: WebFiles): Promise<void>;
}

/** The shares of this window. Each share has its own listener. A share's files are deleted when it ends. */
export class Shares extends Disposable {
  readonly #log: Log;
  readonly #cordovaScript: string;
  readonly #open = new Map<string, { readonly share: Share; readonly listener: NetworkListener }>();
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #visited = this.register(new vscode.EventEmitter<Share>());
  /** Fires when a phone has opened a share's page, and when it has downloaded the whole package. */
  readonly onDidVisit = this.#visited.event;
  readonly #ended = this.register(new vscode.EventEmitter<Share>());
  /** Fires when a share ends, because it was stopped or its lifetime is over. */
  readonly onDidEnd = this.#ended.event;

  /** @param cordovaScript path of the built-in builder's cordova.js */
  constructor(log: Log, cordovaScript: string) {
    super();
    this.#log = log;
    this.#cordovaScript = cordovaScript;
    this.register({ dispose: () => void this.stopAll() });
  }

  get all(): readonly Share[] {
    return [...this.#open.values()].map(({ share }) => share);
  }

  /** Shares a package and takes ownership of the file. @throws Failure */
  async install(subject: ShareSubject, file: FetchedPackage): Promise<Share> {
    const page = installDocument({
      heading: getAppHeading(subject.app),
      icon: subject.icon,
      size: file.size,
      isTestSigned: subject.build?.isTestSigned === true,
    });
    return this.#start({ ...subject, kind: 'install' }, createInstallSite(page, file), () => file.dispose());
  }

  /** Shares the pages of an app and takes ownership of the files. @throws Failure */
  async preview(subject: ShareSubject, files: WebFiles): Promise<Preview> {
    const cordovaScript = this.#cordovaScript;
    const site = new PreviewSite(frameDocument(subject.app.title, subject.icon), files, { cordovaScript });
    const content = { ...subject, kind: 'preview' as const, show: (next: WebFiles) => site.show(next) };
    return this.#start(content, site, () => site.dispose());
  }

  /** Stops sharing. Resolves when the files are deleted and nothing can be fetched. */
  async stop(id: string): Promise<void> {
    await this.#open.get(id)?.listener.close();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.stop(id)));
  }

  async #start<T extends Omit<Share, 'id' | 'url' | 'endsAt' | 'visit'>>(
    content: T,
    site: NetworkSite,
    dispose: () => Promise<void>,
  ): Promise<T & Share> {
    const id = randomUUID();
    const { address } = content.network;
    const heading = getAppHeading(content.app);
    try {
      const listener = await listenInNetwork({
        address,
        site,
        onDidVisit: (visit) => this.#follow(id, visit),
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

  /** Records visits by phones. A preview starts with its page; an installation starts with a page that leads to the package. */
  #follow(id: string, { address, path, response }: NetworkVisit): void {
    const done = (kind: 'opened' | 'downloaded'): void => {
      const open = this.#open.get(id);
      if (open !== undefined) {
        const share = { ...open.share, visit: { kind, at: new Date() } };
        this.#open.set(id, { ...open, share });
        this.#log.info(`${address} has ${kind} the shared app ${getAppHeading(share.app)}.`);
        this.#visited.fire(share);
      }
    };
    if (path === '') {
      done('opened');
    } else if (path === PACKAGE_PATH) {
      response.once('finish', () => {
        if (hasSentTheEnd(response)) {
          done('downloaded');
        }
      });
    }
  }

  async #end(id: string, dispose: () => Promise<void>): Promise<void> {
    const share = this.#open.get(id)?.share;
    this.#open.delete(id);
    await dispose().catch((error: unknown) => this.#log.error('Deleting shared files', error));
    if (share !== undefined) {
      this.#log.info(`${getAppHeading(share.app)} is no longer shared at ${new URL(share.url).host}.`);
      this.#ended.fire(share);
      this.#changed.fire();
    }
  }
}

/** Reports whether a response sent the last byte of the file. A browser may resume a download, so the last range counts. */
function hasSentTheEnd(response: ServerResponse): boolean {
  const [, last, size] = /-(\d+)\/(\d+)$/.exec(String(response.getHeader('content-range'))) ?? [];
  return response.statusCode === 200 || (response.statusCode === 206 && Number(last) + 1 === Number(size));
}

/** Returns the link page for a share. */
export function sharePage(share: Share): LinkPage {
  const { id, url, kind, app, build, icon, network, endsAt, isLive } = share;
  const isInstall = kind === 'install';
  const getTitle = (name: string): string =>
    isInstall ? vscode.l10n.t('Install {0}', name) : vscode.l10n.t('Open {0}', name);
  const ending = timeText(endsAt);
  return {
    id,
    url,
    icon,
    title: getTitle(app.title),
    heading: getTitle(getAppHeading(app)),
    detail: vscode.l10n.t('On {0} until {1}', network.name, ending),
    status: shareStatus(share),
    end: { command: 'appBuild.stopSharing', title: vscode.l10n.t('Stop Sharing') },
    help: {
      title: isInstall ? vscode.l10n.t('Trouble installing?') : vscode.l10n.t('Trouble opening it?'),
      lines: [
        vscode.l10n.t('Phone can’t connect? Put it on the same network, and allow the connection in your firewall.'),
        ...(isInstall
          ? [
              localize(DEVELOPER_VERIFICATION),
              ...buildWarnings(build),
              vscode.l10n.t('The link installs this build, not later ones.'),
            ]
          : [
              isLive === true
                ? vscode.l10n.t('The phone shows each change when you save it.')
                : vscode.l10n.t('The phone shows each later build as soon as it’s ready in this window.'),
              vscode.l10n.t('Without HTTPS, the camera, location, service workers, and plugins aren’t available.'),
            ]),
        vscode.l10n.t(
          'Anyone on the network of {0} ({1}) with the link can open it until {2}. It doesn’t contain your credentials.',
          network.name,
          network.address,
          ending,
        ),
      ],
    },
  };
}

/** Describes in one line how phones have used a share. */
export function shareStatus({ kind, visit }: Share): LinkStatus {
  if (visit === undefined) {
    return { state: 'waiting', text: vscode.l10n.t('Waiting for a phone…') };
  }
  const time = timeText(visit.at);
  if (visit.kind === 'downloaded') {
    return { state: visit.kind, text: vscode.l10n.t('A phone downloaded the package at {0}.', time) };
  }
  return {
    state: visit.kind,
    text:
      kind === 'install'
        ? vscode.l10n.t('A phone opened the page at {0}.', time)
        : vscode.l10n.t('A phone opened the preview at {0}.', time),
  };
}

function previewTitle(app: string): string {
  return vscode.l10n.t('Preview of {0}', app);
}

/** Describes a share in one line: `Preview of Shop 1.2.0`. */
export function shareLabel({ kind, app }: Share): string {
  return kind === 'install' ? getAppHeading(app) : previewTitle(getAppHeading(app));
}

/** Describes the network and the end time of a share. Leaves out the path, which is secret. */
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
    shares.onDidChange(() => item.show(getSharesStatus(shares.all))),
  );
}

function getSharesStatus(all: readonly Share[]): StatusBarContent | undefined {
  const [first, ...others] = all;
  if (first === undefined) {
    return undefined;
  }
  const { title } = first.app;
  const text =
    others.length === 0 ? vscode.l10n.t('Sharing {0}', title) : vscode.l10n.t('Sharing {0} +{1}', title, others.length);
  return {
    icon: 'broadcast',
    text,
    tooltip: [
      vscode.l10n.t('Shared on your network:'),
      ...all.map((share) => `${shareLabel(share)}: ${shareDetail(share)}`),
      '',
      vscode.l10n.t('Click to stop.'),
    ].join('\n'),
    accessibleText: vscode.l10n.t('Shared on your network: {0}', listText(all.map(shareLabel))),
  };
}
