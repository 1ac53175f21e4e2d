import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { InstallLinkNotOfferedError, OperationNotOfferedError } from '../apps/appErrors.ts';
import type { Apps } from '../builds/apps.ts';
import { isDownloadable, isForAndroid, type App, type PlatformBuild } from '../apps/model/app.ts';
import { isLoopback } from '../devices/installPage.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../workbench/progress.ts';
import { reach } from '../workbench/milestones.ts';
import type { CommandDependencies } from './dependencies.ts';
import { appSubjectOf, choosePlatform } from './wizard/appSubject.ts';
import { downloadBuild } from './downloadBuild.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import { artifactName } from '../apps/model/artifact.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import { fetchPackage, type PackageFile } from '../devices/packageFile.ts';
import type { Share, ShareSubject } from '../devices/network/shares.ts';
import { sharePage, shareDetail, shareLabel } from '../devices/network/shareTexts.ts';
import { sizeText } from '../workbench/values.ts';

export interface InstallDependencies extends Pick<
  CommandDependencies,
  'connections' | 'input' | 'notifications' | 'devices'
> {
  readonly apps: Apps;
}

/**
 * Shows a link to one build with its QR code: of the service, where a phone can reach it, else of a listener of this window in the
 * network, which Android's packages need no more than. Where neither is possible, says so and offers the download.
 *
 * @param argument a row of an app or a platform, an address, or `{app, platform}`.
 * @throws InvalidInputError when nothing is built; BuildServiceError
 */
export async function installOnDevice(dependencies: InstallDependencies, argument: unknown): Promise<void> {
  const { connections, apps, input, notifications } = dependencies;
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Install on Device');
  const subject = await appSubjectOf(argument, { apps, connection, input, title });
  if (subject === undefined) {
    return;
  }
  const { app } = subject;
  const build = await choosePlatform(app, isDownloadable, {
    input,
    title,
    placeholder: vscode.l10n.t('Which build of “{0}”?', app.title),
    platform: subject.platform,
    none: sentence('There is no build of “{0}” to install.', app.title),
  });
  if (build === undefined) {
    return;
  }
  const { platform } = build;
  const download = () => downloadBuild(dependencies, { app: app.url, platform });
  const toShare = { connection, calls: apps.callsOf(connection), app, build, title };
  await notifications.run(
    'Making a link to a build',
    () => showLink(dependencies, toShare),
    () => ({ download }),
  );
}

async function showLink(dependencies: InstallDependencies, toShare: BuildToShare): Promise<void> {
  const { shares } = dependencies.devices;
  const { connection, build } = toShare;
  const share = () => shareInNetwork(dependencies, toShare, (subject, file) => shares.install(subject, file));
  const { hostname } = new URL(connection.service.url.href);
  if (isForAndroid(build) && (connection.service.local || isLoopback(hostname))) {
    await share();
    return;
  }
  try {
    await showServiceLink(dependencies, toShare);
  } catch (error) {
    if (!(isForAndroid(build) && error instanceof InstallLinkNotOfferedError)) {
      throw error;
    }
    await share();
  }
}

async function showServiceLink(
  { devices: { installs } }: InstallDependencies,
  { calls, app, build: { platform } }: BuildToShare,
): Promise<void> {
  const title = vscode.l10n.t('Making a link to “{0}” for {1}', app.title, platform);
  const [link, build] = await withProgress({ notification: title, delayMs: CALL_PROGRESS_DELAY_MS }, async (signal) => {
    const builds = await calls.builds(app, { signal });
    return [await calls.share(app, platform, { signal }), builds.find((each) => each.platform === platform)] as const;
  }).catch((error: unknown) => {
    throw error instanceof OperationNotOfferedError ? new InstallLinkNotOfferedError() : error;
  });
  installs.show(app, link, build);
  reach('appBuild.hasFetchedBuild');
}

/** Copies the link of an open page. @param id as the page passes it. */
export async function copyInstallLink({ devices, notifications }: InstallDependencies, id: unknown): Promise<void> {
  const url = devices.installs.urlOf(id);
  if (url === undefined) {
    throw noLinkError();
  }
  await vscode.env.clipboard.writeText(url);
  notifications.done(vscode.l10n.t('Copied. Whoever has the link can open it.'));
}

/** Makes the link of an open page useless, and closes the page. @param id as the page passes it. */
export async function revokeInstallLink(
  { connections, apps, devices, notifications }: InstallDependencies,
  id: unknown,
): Promise<void> {
  const link = devices.installs.linkOf(id);
  if (link === undefined) {
    throw noLinkError();
  }
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Revoking the link');
  await withProgress({ notification: title, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) =>
    apps.callsOf(connection).revoke(link, { signal }),
  );
  devices.installs.close(link);
  notifications.done(vscode.l10n.t('The link is revoked: nobody can install the build by it.'));
}

function noLinkError(): InvalidInputError {
  return new InvalidInputError(
    sentence('There is no link to act on.'),
    sentence('Make one with “Install on Device…” on a build in the Resources view.'),
  );
}

/** A build for Android that is to be shared. */
export interface BuildToShare {
  readonly connection: SignedInConnection;
  readonly calls: AppCalls;
  readonly app: App;
  readonly build: PlatformBuild;
  /** Of the questions. */
  readonly title: string;
}

/**
 * Asks where to share a build, fetches it, shares it, and shows the link.
 *
 * @param start begins to share the package, and takes it.
 * @returns what is shared; undefined when the person decided otherwise.
 * @throws SharingError where no phone can reach this window; CancelledError; BuildServiceError
 */
export async function shareInNetwork<T extends Share>(
  { devices }: Pick<CommandDependencies, 'devices'>,
  { connection, calls, app, build, title }: BuildToShare,
  start: (subject: ShareSubject, file: PackageFile, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const network = await devices.shareConsent.askForNetwork(title);
  if (network === undefined) {
    return undefined;
  }
  const builds = await calls.builds(app);
  const subject = { app, build: builds.find(({ platform }) => platform === build.platform), network };
  const share = await withPackage(connection, app, build, (file, signal) => start(subject, file, signal));
  devices.installs.showPage(sharePage(share));
  reach('appBuild.hasFetchedBuild');
  return share;
}

/**
 * Fetches what was built, while its progress shows, and hands it on.
 *
 * @param use takes the file.
 * @throws CancelledError; BuildServiceError
 */
export function withPackage<T>(
  { client }: Pick<SignedInConnection, 'client'>,
  app: Pick<App, 'title' | 'version'>,
  { downloadUrl, platform }: PlatformBuild,
  use: (file: PackageFile, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const name = artifactName(app, platform);
  return withProgress({ notification: vscode.l10n.t('Downloading {0}', name) }, async (signal, report) => {
    const onProgress = (received: number) => report(sizeText(received));
    const file = await fetchPackage({ client, url: downloadUrl ?? '', name }, { signal, onProgress });
    return use(file, signal);
  });
}

type SharingDependencies = Pick<CommandDependencies, 'devices' | 'input' | 'notifications'>;

/** Lists what is shared in the network, and what can be done with it. */
export async function showSharing(dependencies: SharingDependencies): Promise<void> {
  const { devices, input, notifications } = dependencies;
  const { all } = devices.shares;
  const [only, ...others] = all;
  if (only === undefined) {
    notifications.information(vscode.l10n.t('Nothing is shared in your network.'));
    return;
  }
  const title = vscode.l10n.t('Shared in Your Network');
  const items = all.map((share) => ({ label: shareLabel(share), description: shareDetail(share), share }));
  const share =
    others.length === 0 ? only : (await input.pick(items, { title, placeholder: vscode.l10n.t('Which one?') }))?.share;
  if (share === undefined) {
    return;
  }
  const stop = { icon: 'circle-slash', label: vscode.l10n.t('Stop Sharing') };
  const show = { icon: 'device-mobile', label: vscode.l10n.t('Show Code') };
  const chosen = await input.pick([stop, show], { title: shareLabel(share), placeholder: shareDetail(share) });
  if (chosen === stop) {
    await stopSharing(dependencies, share.id);
  } else if (chosen === show) {
    devices.installs.showPage(sharePage(share));
  }
}

/**
 * Stops sharing what an open page shows, or all that is shared of an app.
 *
 * @param argument the id, as the page passes it; a row of an app or a platform.
 */
export async function stopSharing({ devices, notifications }: SharingDependencies, argument: unknown): Promise<void> {
  const appUrl = appUrlOf(argument);
  for (const share of devices.shares.all.filter(({ id, app }) => id === argument || app.url === appUrl)) {
    await devices.shares.stop(share.id);
    notifications.done(vscode.l10n.t('{0} is no longer shared.', shareLabel(share)));
  }
}

function appUrlOf(argument: unknown): unknown {
  const { appUrl, url = appUrl } = Object(argument) as { readonly appUrl?: unknown; readonly url?: unknown };
  return url;
}
