import * as vscode from 'vscode';
import { knownLanguage } from '../../../errors/index.ts';
import type { App, BuildState, PlatformBuild } from '../model/app.ts';
import { platformName } from '../../../web-project/index.ts';

/** Units of relative times, with their length in seconds. */
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/**
 * Returns a relative time such as `3 hours ago`, `yesterday`, or `in 2 days`, in the largest unit that fits. Less than a minute
 * becomes `now`.
 *
 * @param language BCP 47 tag. An invalid tag falls back to English.
 */
export function timeAgo(date: Date, now: Date, language: string): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', Infinity];
  return new Intl.RelativeTimeFormat(knownLanguage(language), { numeric: 'auto' }).format(
    Math.trunc(seconds / length),
    unit,
  );
}

const DAY_SECONDS = 86_400;

/** Like {@link timeAgo}, but counts in days within a month, because weeks are too coarse for an expiration date. */
export function timeToEnd(end: Date, now: Date, language: string): string {
  const days = Math.trunc((end.getTime() - now.getTime()) / 1000 / DAY_SECONDS);
  return days !== 0 && Math.abs(days) <= 31
    ? new Intl.RelativeTimeFormat(knownLanguage(language), { numeric: 'auto' }).format(days, 'day')
    : timeAgo(end, now, language);
}

/** Returns a date without the time, such as `Nov 26, 2026`. */
export function dayText(date: Date, language: string): string {
  return new Intl.DateTimeFormat(knownLanguage(language), { dateStyle: 'medium' }).format(date);
}

/** Returns a date with the time, such as `Nov 26, 2026, 9:41 PM`. */
export function dateAndTime(date: Date, language: string): string {
  return new Intl.DateTimeFormat(knownLanguage(language), { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** Symbols for build states, which need no translation. Screen readers read the states in words. */
const MARKS: Readonly<Record<Exclude<BuildState, 'none' | 'other'>, string>> = {
  waiting: '…',
  building: '…',
  complete: '✓',
  failed: '✗',
  skipped: '–',
};

/**
 * Returns a short summary of an app's builds, such as `Android ✓ iOS ✗`. Leaves out platforms without a build. Unknown statuses
 * appear verbatim.
 */
export function buildSummary(builds: readonly Pick<PlatformBuild, 'platform' | 'state' | 'status'>[]): string {
  return builds
    .flatMap(({ platform, state, status }) =>
      state === 'none' ? [] : [`${platformName(platform)} ${state === 'other' ? (status ?? '?') : MARKS[state]}`],
    )
    .join('  ');
}

/** Returns the icon for a state. @param none codicon for an app or platform without a build. */
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

/** Returns the state of a build in words. Unknown statuses are returned verbatim. */
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

/** Information that the rows of apps need from the rest of the extension. */
export interface RowContext {
  isWatched(appUrl: string): boolean;
  /** Returns the latest state of the app's builds. Leaves out platforms that the service can't build for. */
  getBuilds(app: App): readonly PlatformBuild[];
  /** Reports whether every new build of the app is installed on a phone. */
  installsBuilds(appUrl: string): boolean;
  isShared(appUrl: string): boolean;
  isLinked(appUrl: string): boolean;
  readonly hasFolder: boolean;
}

/** Returns the `viewItem` of a row: its kind, and the flags that are true. Menus in package.json match against it. */
export function contextValue(kind: string, flags: Readonly<Record<string, boolean>>): string {
  return [kind, ...Object.keys(flags).filter((name) => flags[name]), ''].join(';');
}
