import * as vscode from 'vscode';
import { sentence } from '../api/errors/sentence.ts';
import type { Apps } from '../builds/apps.ts';
import type { CommandDependencies } from './dependencies.ts';
import { appSubjectOf, choosePlatform } from './wizard/appSubject.ts';

interface BuildLogDependencies extends Pick<CommandDependencies, 'connections' | 'input'> {
  readonly apps: Apps;
}

/**
 * Opens the log of a build.
 *
 * @param argument a row of an app or a platform, or `{app, platform}`; without one a person is asked.
 * @throws BuildServiceError
 */
export async function showBuildLog(
  { connections, apps, input }: BuildLogDependencies,
  argument: unknown,
): Promise<void> {
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Show Build Log');
  const subject = await appSubjectOf(argument, { apps, connection, input, title });
  if (subject === undefined) {
    return;
  }
  const build = await choosePlatform(subject.app, ({ logUrl }) => logUrl !== undefined, {
    input,
    title,
    placeholder: vscode.l10n.t('The log of which build?'),
    platform: subject.platform,
    none: sentence('“{0}” has no log: nobody has built it yet, or the service keeps none.', subject.app.title),
  });
  if (build !== undefined) {
    await apps.logs.open(subject.app, build.platform);
  }
}
