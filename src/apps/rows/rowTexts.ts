import { knownLanguage } from '../../api/errors/sentence.ts';
import type { BuildState, PlatformBuild } from '../model/app.ts';

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
 * The builds of an app at a glance: `android ✓ ios ✗`. Platforms without a build are left out; an unknown status
 * stands as it was sent.
 */
export function buildSummary(builds: readonly Pick<PlatformBuild, 'platform' | 'state' | 'status'>[]): string {
  return builds
    .flatMap(({ platform, state, status }) =>
      state === 'none' ? [] : [`${platform} ${state === 'other' ? (status ?? '?') : MARKS[state]}`],
    )
    .join('  ');
}
