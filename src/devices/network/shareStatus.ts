import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { StatusBarItem, type StatusBarContent } from '../../workbench/statusBar.ts';
import type { Share } from './shares.ts';
import type { Shares } from './shares.ts';
import { shareDetail, shareLabel } from './shareTexts.ts';

/** Shows in the status bar what is shared in the network, as long as it is. */
export class ShareStatus extends Disposable {
  constructor(shares: Pick<Shares, 'all' | 'onDidChange'>) {
    super();
    const name = vscode.l10n.t('Shared Application Builds');
    const item = this.register(new StatusBarItem('sharing', name, 'appBuild.showSharing'));
    this.register(shares.onDidChange(() => item.show(statusContent(shares.all))));
  }
}

function statusContent(all: readonly Share[]): StatusBarContent | undefined {
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
