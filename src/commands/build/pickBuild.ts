import type { BuildProgress } from '../../builds/watching/buildProgress.ts';
import { iconOf } from '../../builds/watching/buildStatus.ts';
import { platformsText } from '../../builds/watching/buildTexts.ts';
import type { Input } from '../../workbench/input.ts';

/** The only build, or the one that a person picks. @returns undefined when the list is closed. */
export async function pickBuild(
  builds: readonly BuildProgress[],
  input: Input,
  title: string,
  placeholder: string,
): Promise<BuildProgress | undefined> {
  if (builds.length === 1) {
    return builds[0];
  }
  const items = builds.map((progress) => ({
    icon: iconOf(progress),
    label: progress.title,
    description: platformsText(progress),
    progress,
  }));
  return (await input.pick(items, { title, placeholder, matchOnDescription: true }))?.progress;
}
