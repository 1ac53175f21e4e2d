import * as vscode from 'vscode';
import { shareDetail, shareLabel, sharePage } from '../../devices/network/shareTexts.ts';
import type { CommandDependencies } from '../dependencies.ts';

type SharingDependencies = Pick<CommandDependencies, 'devices' | 'input' | 'notifications'>;

/** Lists what is shared in the network, and what can be done with it. */
export async function showSharing(dependencies: SharingDependencies): Promise<void> {
  const { devices, input, notifications } = dependencies;
  const { all } = devices.shares;
  const [only, ...others] = all;
  if (only === undefined) {
    notifications.information(vscode.l10n.t('Nothing is shared in your network.'));
    return;
  }
  const title = vscode.l10n.t('Shared in Your Network');
  const items = all.map((share) => ({ label: shareLabel(share), description: shareDetail(share), share }));
  const share =
    others.length === 0 ? only : (await input.pick(items, { title, placeholder: vscode.l10n.t('Which one?') }))?.share;
  if (share === undefined) {
    return;
  }
  const stop = { icon: 'circle-slash', label: vscode.l10n.t('Stop Sharing') };
  const show = { icon: 'device-mobile', label: vscode.l10n.t('Show Code') };
  const chosen = await input.pick([stop, show], { title: shareLabel(share), placeholder: shareDetail(share) });
  if (chosen === stop) {
    await stopSharing(dependencies, share.id);
  } else if (chosen === show) {
    devices.installs.showPage(sharePage(share));
  }
}

/**
 * Stops sharing what an open page shows, or all that is shared of an app.
 *
 * @param argument the id, as the page passes it; a row of an app or a platform.
 */
export async function stopSharing({ devices, notifications }: SharingDependencies, argument: unknown): Promise<void> {
  const appUrl = appUrlOf(argument);
  for (const share of devices.shares.all.filter(({ id, app }) => id === argument || app.url === appUrl)) {
    await devices.shares.stop(share.id);
    notifications.done(vscode.l10n.t('{0} is no longer shared.', shareLabel(share)));
  }
}

function appUrlOf(argument: unknown): unknown {
  const { appUrl, url = appUrl } = Object(argument) as { readonly appUrl?: unknown; readonly url?: unknown };
  return url;
}
