import * as vscode from 'vscode';
import { knownLanguage } from '../../api/errors/sentence.ts';
import { type App, type BuildState, type PlatformBuild, platformName } from '../model/app.ts';

/** Units of a relative time, with their length in seconds. */
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `3 hours ago`, `yesterday`, `in 2 days`, in the largest unit that fits. Less than a minute is `now`. */
export function timeAgo(date: Date, now: Date, language: string): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', Infinity];
  return new Intl.RelativeTimeFormat(knownLanguage(language), { numeric: 'auto' }).format(
    Math.trunc(seconds / length),
    unit,
  );
}

const DAY_SECONDS = 86_400;

/** Like {@link timeAgo}, for the end of something: within a month in days, where weeks are too coarse. */
export function timeToEnd(end: Date, now: Date, language: string): string {
  const days = Math.trunc((end.getTime() - now.getTime()) / 1000 / DAY_SECONDS);
  return days !== 0 && Math.abs(days) <= 31
    ? new Intl.RelativeTimeFormat(knownLanguage(language), { numeric: 'auto' }).format(days, 'day')
    : timeAgo(end, now, language);
}

export function dayText(date: Date, language: string): string {
  return new Intl.DateTimeFormat(knownLanguage(language), { dateStyle: 'medium' }).format(date);
}

export function dateAndTime(date: Date, language: string): string {
  return new Intl.DateTimeFormat(knownLanguage(language), { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

/** Marks of states that are the same in every language. A row that shows them says the states in words to a screen reader. */
const MARKS: Readonly<Record<Exclude<BuildState, 'none' | 'other'>, string>> = {
  waiting: '…',
  building: '…',
  complete: '✓',
  failed: '✗',
  skipped: '–',
};

/**
 * The builds of an app at a glance: `Android ✓ iOS ✗`. Platforms without a build are left out; an unknown status
 * stands as it was sent.
 */
export function buildSummary(builds: readonly Pick<PlatformBuild, 'platform' | 'state' | 'status'>[]): string {
  return builds
    .flatMap(({ platform, state, status }) =>
      state === 'none' ? [] : [`${platformName(platform)} ${state === 'other' ? (status ?? '?') : MARKS[state]}`],
    )
    .join('  ');
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

export interface RowContext {
  isWatched(appUrl: string): boolean;
  /** The app's builds in their latest state, without platforms that the service can't build for. */
  buildsOf(app: App): readonly PlatformBuild[];
  /** True when each new build of the app is installed on a phone. */
  installsBuilds(appUrl: string): boolean;
  isShared(appUrl: string): boolean;
  isLinked(appUrl: string): boolean;
  readonly hasFolder: boolean;
}

/** `viewItem` of a row: what it is, and each thing that can be done with it. The menus in package.json match it. */
export function contextValue(kind: string, flags: Readonly<Record<string, boolean>>): string {
  return [kind, ...Object.keys(flags).filter((name) => flags[name]), ''].join(';');
}
