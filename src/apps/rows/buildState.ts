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
  switch (state) {
    case 'none':
      return new vscode.ThemeIcon(none);
    case 'waiting':
      return new vscode.ThemeIcon('clock', new vscode.ThemeColor('testing.iconQueued'));
    case 'building':
      return new vscode.ThemeIcon('sync~spin', new vscode.ThemeColor('testing.iconQueued'));
    case 'complete':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case 'skipped':
      return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
    case 'other':
      return new vscode.ThemeIcon('question');
  }
}

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
