import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { BuildProgress } from '../../builds/watching/buildProgress.ts';
import { isRunning } from '../../builds/watching/buildTexts.ts';
import type { BuildWatcher } from '../../builds/watching/buildWatcher.ts';
import type { Input } from '../../workbench/input.ts';
import type { Notifications } from '../../workbench/notifications.ts';
import { pickBuild } from './pickBuild.ts';

interface StopWatchingDependencies {
  readonly watcher: Pick<BuildWatcher, 'all' | 'stop'>;
  readonly input: Input;
  readonly notifications: Notifications;
}

/**
 * Stops watching the build of the app that a command's argument names, else of the one that the person picks.
 *
 * @throws InvalidInputError when no such build is watched.
 */
export async function stopWatching(argument: unknown, dependencies: StopWatchingDependencies): Promise<void> {
  const running = dependencies.watcher.all.filter(isRunning);
  const url = urlOf(argument);
  const wanted = argument === undefined ? running : running.filter(({ appUrl }) => appUrl === url);
  if (wanted.length === 0) {
    throw new InvalidInputError(sentence('No build of this kind is being watched.'), undefined, 'none');
  }
  const title = vscode.l10n.t('Stop Watching Build');
  const chosen = await pickBuild(wanted, dependencies.input, title, vscode.l10n.t('Which build? The service goes on.'));
  if (chosen !== undefined) {
    stopBuild(chosen, dependencies);
  }
}

/** Stops watching a build, and says that the service goes on. */
export function stopBuild(
  { appUrl, title }: BuildProgress,
  { watcher, notifications }: Pick<StopWatchingDependencies, 'watcher' | 'notifications'>,
): void {
  watcher.stop(appUrl);
  notifications.done(vscode.l10n.t('{0} is no longer watched; the service goes on building.', title));
}

/** A row of the tree, or an address. */
function urlOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') {
    return argument;
  }
  if (typeof argument !== 'object' || argument === null) {
    return undefined;
  }
  const { appUrl, url } = argument as Partial<Record<string, unknown>>;
  return [appUrl, url].find((each) => typeof each === 'string');
}
