import type { BuildState, PlatformBuild } from '../model/app.ts';

/** Marks of states that are the same in every language. A row that shows them says the states in words to a screen reader. */
const MARKS: Readonly<Record<Exclude<BuildState, 'none' | 'other'>, string>> = {
  waiting: '…',
  building: '…',
  complete: '✓',
  failed: '✗',
  skipped: '–',
};

/** Platforms that are named; of the others their number is. */
const MAX_PLATFORMS = 6;

/**
 * The builds of an app at a glance: `android ✓ ios ✗`. Platforms that nobody has built for are left out; a status that
 * nobody knows stands as it was sent.
 */
export function buildSummary(builds: readonly Pick<PlatformBuild, 'platform' | 'state' | 'status'>[]): string {
  const texts = builds.flatMap(({ platform, state, status }) => {
    if (state === 'none') {
      return [];
    }
    return [`${platform} ${state === 'other' ? (status ?? '?') : MARKS[state]}`];
  });
  const more = texts.length - MAX_PLATFORMS;
  return [...texts.slice(0, MAX_PLATFORMS), ...(more > 0 ? [`+${more}`] : [])].join('  ');
}
