import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import { type App, type PlatformBuild, isForAndroid } from '../apps/model/app.ts';
import { artifactName } from '../apps/model/build.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import { getAppPath } from '../apps/builds/watching/buildProgress.ts';
import type { CommandDependencies } from './dependencies.ts';
import { linkedFolders } from './folder.ts';
import { openFolderOnPhone } from './preview.ts';
import { downloadBuilds } from './downloadCommands.ts';
import { type PlatformSubject, getArgumentAddress, askForBuild, askService } from './wizard/subject.ts';
import { type FetchedPackage, fetchPackage } from '../devices/fetchPackage.ts';
import { readPackageIcon } from '../devices/packageIcon.ts';
import {
  shareDetail,
  shareLabel,
  sharePage,
  type Preview,
  type Share,
  type ShareSubject,
} from '../devices/network/shares.ts';
import { type WebFiles, unpackWebFiles } from '../devices/network/webFiles.ts';
import { completeMilestone } from '../workbench/milestones.ts';
import { withProgress } from '../workbench/progress.ts';
import { sizeText } from '../workbench/texts.ts';

/** Shares an Android build on the network and shows its link with a QR code. */
export async function installOverWifi(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Install over Wi-Fi');
  const subject = await askForBuild(dependencies, argument, {
    title,
    filter: isForAndroid,
    none: (app) => sentence('“{0}” has no build to install.', app.title),
  });
  const { app, platform } = subject;
  await dependencies.notifications.run(
    'Making a link to a build',
    () =>
      shareInNetwork(dependencies, subject, title, (shared, file) => dependencies.devices.shares.install(shared, file)),
    () => ({ download: () => downloadBuilds(dependencies, { app: app.url, platform }) }),
  );
}

/** Copies the link on an open page. @param id ID of the link. */
export async function copyInstallLink({ devices, notifications }: CommandDependencies, id: unknown): Promise<void> {
  const url = devices.linkPages.get(id)?.url;
  if (url === undefined) {
    throw new InvalidInputError(
      sentence('This command needs a link.'),
      sentence('Create one with “Install over Wi-Fi…” on a build in the App Build view.'),
    );
  }
  await vscode.env.clipboard.writeText(url);
  notifications.done(vscode.l10n.t('Copied. Anyone with the link can open it.'));
}

/**
 * Asks which network to share a build on, then downloads the build, shares it, and shows the link.
 *
 * @param title title of the question.
 * @param start starts sharing the package and takes ownership of the file.
 */
async function shareInNetwork<T extends Share>(
  { devices }: CommandDependencies,
  { connection, calls, app, build, platform }: PlatformSubject,
  title: string,
  start: (subject: ShareSubject, file: FetchedPackage, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const network = await devices.askForNetwork(title);
  const builds = await askService(connection, (signal) => calls.builds(app, { signal }));
  const details = builds.find((each) => each.platform === platform);
  const share = await withPackage(connection, app, build, async (file, signal) =>
    start({ app, build: details, icon: await readPackageIcon(file.path), network }, file, signal),
  );
  devices.linkPages.show(sharePage(share));
  completeMilestone('appBuild.hasFetchedBuild');
  return share;
}

/** Downloads a build with progress and passes the file to `use`. */
function withPackage<T>(
  { client }: Pick<SignedInConnection, 'client'>,
  app: Pick<App, 'title' | 'version'>,
  { downloadUrl, platform }: PlatformBuild,
  use: (file: FetchedPackage, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const name = artifactName(app, platform);
  return withProgress({ notification: vscode.l10n.t('Downloading {0}', name) }, async (signal, report) => {
    const onProgress = (received: number) => report(sizeText(received));
    const file = await fetchPackage({ client, url: downloadUrl ?? '', name }, signal, onProgress);
    return use(file, signal);
  });
}

/** Lists the active shares and offers to stop one or to show its QR code. */
export async function showSharing(dependencies: CommandDependencies): Promise<void> {
  const { devices, input, notifications } = dependencies;
  const { all } = devices.shares;
  if (all.length === 0) {
    notifications.information(vscode.l10n.t('Nothing is shared on your network.'));
    return;
  }
  const title = vscode.l10n.t('Sharing on Your Network');
  const items = all.map((share) => ({ label: shareLabel(share), description: shareDetail(share), share }));
  const { share } = await input.pickUnlessOne(items, {
    title,
    placeholder: vscode.l10n.t('Select what to stop or show'),
  });
  const stop = { icon: 'circle-slash', label: vscode.l10n.t('Stop Sharing') };
  const show = { icon: 'device-mobile', label: vscode.l10n.t('Show Code') };
  const chosen = await input.pick([stop, show], { title: shareLabel(share), placeholder: shareDetail(share) });
  if (chosen === stop) {
    await stopSharing(dependencies, share.id);
  } else {
    devices.linkPages.show(sharePage(share));
  }
}

/** Stops sharing. @param argument the ID of a share, or an app whose shares to stop. */
export async function stopSharing({ devices, notifications }: CommandDependencies, argument: unknown): Promise<void> {
  const appUrl = getArgumentAddress(argument);
  for (const share of devices.shares.all.filter(({ id, app }) => id === argument || app.url === appUrl)) {
    await devices.shares.stop(share.id);
    notifications.done(vscode.l10n.t('{0} is no longer shared.', shareLabel(share)));
  }
}

/**
 * Opens an app in a phone's browser. If the app's folder is open, shows its pages and every saved change. Otherwise, shows the Android
 * build and every later build.
 */
export async function previewOnPhone(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { devices, notifications } = dependencies;
  const title = vscode.l10n.t('Open on a Phone');
  const subject = await askForBuild(dependencies, argument, {
    title,
    filter: isForAndroid,
    none: (app) => sentence('“{0}” has no Android build to show.', app.title),
  });
  const { app, platform } = subject;
  await notifications.run(
    'Sharing a preview',
    async () => {
      const [linked] = await linkedFolders(dependencies, { url: app.url });
      if (linked !== undefined && (await openFolderOnPhone(dependencies, linked.folder, app))) {
        return;
      }
      const preview = await shareInNetwork(dependencies, subject, title, async (shared, file, signal) =>
        devices.shares.preview(shared, await unpackPages(file, signal)),
      );
      showLaterBuilds(dependencies, preview, subject);
    },
    () => ({ download: () => downloadBuilds(dependencies, { app: app.url, platform }) }),
  );
}

/** Unpacks the pages of a package and deletes the package. */
async function unpackPages(file: FetchedPackage, signal: AbortSignal): Promise<WebFiles> {
  try {
    return await unpackWebFiles(file.path, signal);
  } finally {
    await file.dispose();
  }
}

/**
 * Updates the phones after each build of the app that completes in this window, as long as the app is shared. Updates run one at a time.
 */
function showLaterBuilds(
  { apps, devices, notifications }: CommandDependencies,
  preview: Preview,
  { connection, calls, app: { url } }: PlatformSubject,
): void {
  let latest: Promise<unknown> = Promise.resolve();
  const showLatest = async (): Promise<void> => {
    const app = await calls.get(url);
    const build = app.builds.find(isForAndroid);
    if (build !== undefined) {
      await withPackage(connection, app, build, async (file, signal) => preview.show(await unpackPages(file, signal)));
    }
  };
  const subscription = vscode.Disposable.from(
    apps.watcher.onDidEnd(({ appUrl, end }) => {
      if (getAppPath(appUrl) === getAppPath(url) && end.kind === 'ended' && end.progress.builds.some(isForAndroid)) {
        latest = latest.then(() => notifications.run('Showing another build', showLatest));
      }
    }),
    devices.shares.onDidEnd(({ id }) => {
      if (id === preview.id) {
        subscription.dispose();
      }
    }),
  );
}
