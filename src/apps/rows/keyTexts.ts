import * as vscode from 'vscode';
import type { KeyFault } from '../model/keyHealth.ts';
import { dayText, timeToEnd } from './timeAgo.ts';

/** `expires in 6 days`, `expired yesterday`: for a row. */
export function expiryText(expiresAt: Date, now: Date): string {
  const when = timeToEnd(expiresAt, now, vscode.env.language);
  return expiresAt <= now ? vscode.l10n.t('expired {0}', when) : vscode.l10n.t('expires {0}', when);
}

/** What is against a key, and what follows from it. */
export function faultText(fault: KeyFault): string {
  switch (fault.kind) {
    case 'locked':
      return vscode.l10n.t('A build with it fails until it is unlocked.');
    case 'expired':
      return vscode.l10n.t(
        'It expired on {0}: builds with it fail. Add a valid one.',
        dayText(fault.at, vscode.env.language),
      );
    case 'expiresSoon':
      return vscode.l10n.t(
        'It expires on {0}, and builds with it fail from then on. Add one that is valid for longer.',
        dayText(fault.at, vscode.env.language),
      );
    case 'otherApp':
      return vscode.l10n.t(
        'Its provisioning profile is for {0}, and this app is {1}: a build with it fails. Choose a key whose profile is for this app.',
        fault.profileAppId,
        fault.packageId,
      );
  }
}
