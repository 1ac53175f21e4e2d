import * as vscode from 'vscode';
import type { BuildState, PlatformBuild } from '../model/app.ts';

const PLATFORM_NAMES: ReadonlyMap<string, string> = new Map([
  ['android', 'Android'],
  ['ios', 'iOS'],
  ['winphone', 'Windows Phone'],
]);

/** The product name of a platform. An unknown platform keeps the service's name for it. */
export function platformName(platform: string): string {
  return PLATFORM_NAMES.get(platform) ?? platform;
}

/** @param none id of the icon for what was never built. */
export function stateIcon(state: BuildState, none: string): vscode.ThemeIcon {
  const [icon, color] = state === 'none' ? [none] : STATE_ICONS[state];
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

const STATE_ICONS: Readonly<Record<Exclude<BuildState, 'none'>, readonly [icon: string, color?: string]>> = {
  waiting: ['clock', 'testing.iconQueued'],
  building: ['sync~spin', 'testing.iconQueued'],
  complete: ['pass', 'testing.iconPassed'],
  failed: ['error', 'testing.iconFailed'],
  skipped: ['circle-slash', 'disabledForeground'],
  other: ['question'],
};

/** A build's state in words; an unknown status as it was sent. */
export function stateText({ state, status }: Pick<PlatformBuild, 'state' | 'status'>): string {
  switch (state) {
    case 'none':
      return vscode.l10n.t('not built yet');
    case 'waiting':
      return vscode.l10n.t('waiting');
    case 'building':
      return vscode.l10n.t('building');
    case 'complete':
      return vscode.l10n.t('complete');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'skipped':
      return vscode.l10n.t('skipped');
    case 'other':
      return status ?? '';
  }
}
