import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { localised } from '../../workbench/notifications.ts';
import { StatusBarItem, type StatusBarContent } from '../../workbench/statusBar.ts';
import { buildWarnings, headingOf, installTitle, type LinkPage } from '../linkPage.ts';
import { DEVELOPER_VERIFICATION } from './phonePages.ts';
import type { Share, Shares } from './shares.ts';

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

/** Shows in the status bar what is shared in the network, as long as it is. */
export class ShareStatus extends Disposable {
  constructor(shares: Shares) {
    super();
    const name = vscode.l10n.t('Shared Application Builds');
    const item = this.register(new StatusBarItem('sharing', name, 'appBuild.showSharing'));
    this.register(shares.onDidChange(() => item.show(statusOfShares(shares.all))));
  }
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
