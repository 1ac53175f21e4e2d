import * as vscode from 'vscode';
import { sentence } from '../api/errors/sentence.ts';
import type { Apps } from '../builds/apps.ts';
import { isDownloadable, type App } from '../apps/model/app.ts';
import { artifactName } from '../apps/model/artifact.ts';
import { reach } from '../workbench/milestones.ts';
import type { CommandDependencies } from './dependencies.ts';
import { saveAndTell, revealCommand } from './download.ts';
import { appSubjectOf, choosePlatform } from './wizard/appSubject.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { AppNode } from '../apps/rows/appNode.ts';
import { PlatformNode } from '../builds/rows/platformNode.ts';
import { defaultFolder, saveInFolder } from '../resources/downloads/saveDownload.ts';
import type { TreeNode } from '../resources/tree/treeNode.ts';
import { type SelectedRows, runEach, tellNothingToDo, tellOutcome } from './severalRows.ts';

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

export interface DownloadBuildsDependencies extends Pick<
  CommandDependencies,
  'connections' | 'input' | 'log' | 'notifications'
> {
  readonly apps: Apps;
}

/** A build, as its row tells of it. */
interface Build {
  readonly appUrl: string;
  readonly title: string;
  readonly platform: string;
}

/**
 * Saves the builds of some rows, those of an app for all its platforms, in one folder that the person chooses.
 *
 * @returns the files that were saved; undefined when the person chose no folder.
 * @throws CancelledError; BuildServiceError
 */
export async function downloadBuilds(
  dependencies: DownloadBuildsDependencies,
  { rows, leftOut }: SelectedRows,
): Promise<readonly vscode.Uri[] | undefined> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = apps.callsOf(connection);
  const builds = buildsOf(rows);
  if (builds.length === 0) {
    tellNothingToDo(dependencies);
    return [];
  }
  const folder = await input.openFolder(
    vscode.l10n.t('Download Builds: {0}', builds.length),
    vscode.l10n.t('Download Here'),
    await defaultFolder(),
  );
  if (folder === undefined) {
    return undefined;
  }
  const latest = new Map<string, Promise<App>>();
  const taken = new Set<string>();
  const tasks = builds.map(({ appUrl, title, platform }) => ({
    name: vscode.l10n.t('{0} for {1}', title, platform),
    run: async (signal: AbortSignal, report: (text: string) => void) => {
      const asked = latest.get(appUrl) ?? calls.get(appUrl, { signal });
      latest.set(appUrl, asked);
      const app = await asked;
      const url = app.builds.find((build) => build.platform === platform && isDownloadable(build))?.downloadUrl;
      if (url === undefined) {
        throw new InvalidInputError(sentence('There is no build of “{0}” to download.', app.title));
      }
      const source = { client: connection.client, url, name: artifactName(app, platform) };
      return saveInFolder(source, folder, { input, taken, signal, report });
    },
  }));
  const outcome = await runEach(vscode.l10n.t('Downloading builds'), tasks);
  const files = outcome.results;
  if (files.length > 0) {
    reach('appBuild.hasFetchedBuild');
  }
  const [first] = files;
  const reveal = first && revealCommand(first);
  tellOutcome(dependencies, outcome, {
    text: vscode.l10n.t('Builds downloaded to {0}: {1} of {2}.', shortName(folder), files.length, outcome.total),
    leftOut,
    buttons:
      reveal === undefined
        ? []
        : [{ title: vscode.l10n.t('Reveal'), run: () => vscode.commands.executeCommand(reveal, first) }],
  });
  return files;
}

function buildsOf(rows: readonly TreeNode[]): readonly Build[] {
  const all = rows.flatMap((row): readonly Build[] => {
    if (row instanceof PlatformNode) {
      const { appUrl, appTitle, build } = row.value;
      return [{ appUrl, title: appTitle, platform: build.platform }];
    }
    const app = row instanceof AppNode ? row.app : undefined;
    return (
      app?.builds.filter(isDownloadable).map(({ platform }) => ({ appUrl: app.url, title: app.title, platform })) ?? []
    );
  });
  // An app and one of its platforms may both be selected.
  return [...new Map(all.map((build) => [JSON.stringify([build.appUrl, build.platform]), build])).values()];
}

function shortName(folder: vscode.Uri): string {
  return vscode.workspace.asRelativePath(folder, true);
}
