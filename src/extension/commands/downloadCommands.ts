import path from 'node:path';
import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import { isDownloadable, type App } from '../apps/model/app.ts';
import { artifactName } from '../apps/model/build.ts';
import { AppNode } from '../apps/rows/appNode.ts';
import { PlatformNode } from '../apps/builds/rows/platformNode.ts';
import { defaultFolder, saveDownload, saveInFolder, type DownloadSource } from '../resources/downloads/saveDownload.ts';
import type { TreeNode } from '../resources/tree/treeNode.ts';
import { requireAnswer } from '../workbench/input.ts';
import { completeMilestone } from '../workbench/milestones.ts';
import type { NotificationButton } from '../workbench/notifications.ts';
import type { CommandDependencies } from './dependencies.ts';
import { shortened } from '../workbench/texts.ts';
import { runEach, selectedRows, showNothingToDo, showOutcome, type SelectedRows } from './severalRows.ts';
import { askForBuild, askForSubject } from './wizard/subject.ts';
import { platformName } from '../../web-project/index.ts';

/** Downloads the target of a link and offers to show the file. @returns the file, or undefined if the user canceled. */
export async function download(dependencies: CommandDependencies, argument: unknown): Promise<vscode.Uri | undefined> {
  const { client, url } = await askForSubject(dependencies, argument, vscode.l10n.t('Download'));
  return save({ client, url }, dependencies, (file) => [
    { title: vscode.l10n.t('Open'), run: () => vscode.commands.executeCommand('vscode.open', file) },
  ]);
}

/**
 * Downloads a build, or the builds of the selected rows. A row of an app includes the builds for all platforms. Several builds are saved
 * in a folder that the user chooses.
 *
 * @returns the files, or undefined if the user canceled.
 */
export async function downloadBuilds(
  dependencies: CommandDependencies,
  argument: unknown,
  selected?: unknown,
): Promise<vscode.Uri | readonly vscode.Uri[] | undefined> {
  const selection = selectedRows(argument, selected, /^(app|platform);(.*;)?download;/);
  if (selection !== undefined) {
    return downloadSelectedBuilds(dependencies, selection);
  }
  const { connection, app, build } = await askForBuild(dependencies, argument, {
    title: vscode.l10n.t('Download Build'),
    filter: isDownloadable,
    none: ({ title }) => sentence('“{0}” has no build to download.', title),
  });
  const name = artifactName(app, build.platform);
  const file = await save({ client: connection.client, url: build.downloadUrl ?? '', name }, dependencies);
  if (file !== undefined) {
    completeMilestone('appBuild.hasFetchedBuild');
  }
  return file;
}

/**
 * Downloads the app bundle for Google Play that a build created.
 *
 * @returns the file, or undefined if the user canceled.
 * @throws InvalidInputError if the build has no bundle.
 */
export async function downloadBundle(
  dependencies: CommandDependencies,
  argument: unknown,
): Promise<vscode.Uri | undefined> {
  const { connection, app, build } = await askForBuild(dependencies, argument, {
    title: vscode.l10n.t('Download Bundle for Google Play'),
    filter: ({ bundleUrl }) => bundleUrl !== undefined,
    none: ({ title }) =>
      sentence(
        '“{0}” doesn’t have a bundle for Google Play. Unlock your own signing key, choose it for the app, and build again.',
        title,
      ),
  });
  const name = artifactName(app, build.platform, 'aab');
  return save({ client: connection.client, url: build.bundleUrl ?? '', name }, dependencies);
}

/** @param buttons buttons in addition to the one that shows the file in its folder. */
async function save(
  source: DownloadSource,
  { input, notifications }: CommandDependencies,
  buttons: (file: vscode.Uri) => readonly NotificationButton[] = () => [],
): Promise<vscode.Uri | undefined> {
  const file = await saveDownload(source, input);
  if (file !== undefined) {
    const name = shortened(path.posix.basename(file.path), MAX_FILE_NAME_LENGTH);
    notifications.information(vscode.l10n.t('{0} was downloaded.', name), ...revealButtons(file), ...buttons(file));
  }
  return file;
}

/** Maximum length of a file name in the notification, which leaves room for the rest of the line. */
const MAX_FILE_NAME_LENGTH = 40;

async function downloadSelectedBuilds(
  dependencies: CommandDependencies,
  { rows, leftOut }: SelectedRows,
): Promise<readonly vscode.Uri[] | undefined> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = apps.createCalls(connection);
  const builds = getSelectedBuilds(rows);
  if (builds.length === 0) {
    showNothingToDo(dependencies);
    return [];
  }
  const folder = requireAnswer(
    await input.openFolder(
      vscode.l10n.t('Download Builds: {0}', builds.length),
      vscode.l10n.t('Download Here'),
      await defaultFolder(),
    ),
  );
  const asked = new Map<string, Promise<App>>();
  const taken = new Set<string>();
  const tasks = builds.map(({ appUrl, title, platform }) => ({
    name: vscode.l10n.t('{0} for {1}', title, platformName(platform)),
    run: async (signal: AbortSignal, report: (text: string) => void) => {
      const answer = asked.get(appUrl) ?? calls.get(appUrl, { signal });
      asked.set(appUrl, answer);
      const app = await answer;
      const url = app.builds.find((build) => build.platform === platform && isDownloadable(build))?.downloadUrl;
      if (url === undefined) {
        throw new InvalidInputError(sentence('“{0}” has no build to download.', app.title));
      }
      const source = { client: connection.client, url, name: artifactName(app, platform) };
      return saveInFolder(source, folder, { input, taken, signal, report });
    },
  }));
  const outcome = await runEach(vscode.l10n.t('Downloading builds'), tasks);
  const files = outcome.results;
  const [first] = files;
  if (first !== undefined) {
    completeMilestone('appBuild.hasFetchedBuild');
  }
  const shortName = vscode.workspace.asRelativePath(folder, true);
  showOutcome(dependencies, outcome, {
    text: vscode.l10n.t('Builds downloaded to {0}: {1} of {2}.', shortName, files.length, outcome.total),
    leftOut,
    buttons: first === undefined ? [] : revealButtons(first),
  });
  return files;
}

/** Returns the builds of the selected apps and platforms without duplicates: a selection may include an app and one of its platforms. */
function getSelectedBuilds(rows: readonly TreeNode[]) {
  const all = rows.flatMap((row) => {
    if (row instanceof PlatformNode) {
      const { appUrl, appTitle, build } = row.value;
      return [{ appUrl, title: appTitle, platform: build.platform }];
    }
    const app = row instanceof AppNode ? row.app : undefined;
    return (
      app?.builds.filter(isDownloadable).map(({ platform }) => ({ appUrl: app.url, title: app.title, platform })) ?? []
    );
  });
  return [...new Map(all.map((build) => [JSON.stringify([build.appUrl, build.platform]), build])).values()];
}

/** Returns the button that shows a file in its folder. The system's file manager can only show files on the user's own computer. */
function revealButtons(file: vscode.Uri): readonly NotificationButton[] {
  const isOnThisMachine =
    file.scheme === 'file' && vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  if (!isOnThisMachine && vscode.workspace.getWorkspaceFolder(file) === undefined) {
    return [];
  }
  const command = isOnThisMachine ? 'revealFileInOS' : 'revealInExplorer';
  return [{ title: vscode.l10n.t('Show in Folder'), run: () => vscode.commands.executeCommand(command, file) }];
}
