import * as vscode from 'vscode';
import { sentence } from '../../api/errors/sentence.ts';
import type { Apps } from '../../builds/apps.ts';
import { isDownloadable } from '../../apps/model/app.ts';
import { artifactName } from '../../apps/model/artifactName.ts';
import { reach } from '../../workbench/milestones.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { saveAndTell } from '../download.ts';
import { appSubjectOf, choosePlatform } from '../wizard/appSubject.ts';

export interface DownloadBuildDependencies extends Pick<
  CommandDependencies,
  'connections' | 'input' | 'notifications'
> {
  readonly apps: Apps;
}

/**
 * Saves what was built of an app, and says where.
 *
 * @param argument a row of an app or a platform, an address, or `{app, platform}`.
 * @returns the file; undefined when the person decided otherwise.
 * @throws InvalidInputError when nothing is built; BuildServiceError
 */
export async function downloadBuild(
  { connections, apps, input, notifications }: DownloadBuildDependencies,
  argument: unknown,
): Promise<vscode.Uri | undefined> {
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Download Build');
  const subject = await appSubjectOf(argument, { apps, connection, input, title });
  if (subject === undefined) {
    return undefined;
  }
  const { app, platform } = subject;
  const build = await choosePlatform(app, isDownloadable, {
    input,
    title,
    placeholder: vscode.l10n.t('Which build of “{0}”?', app.title),
    platform,
    none: sentence('There is no build of “{0}” to download.', app.title),
  });
  if (build?.downloadUrl === undefined) {
    return undefined;
  }
  const source = { client: connection.client, url: build.downloadUrl, name: artifactName(app, build.platform) };
  const file = await saveAndTell(source, { input, notifications });
  if (file !== undefined) {
    reach('appBuild.hasFetchedBuild');
  }
  return file;
}
