import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { InstallLinkNotOfferedError, OperationNotOfferedError } from '../../apps/appErrors.ts';
import type { Apps } from '../../builds/apps.ts';
import { isDownloadable, isForAndroid } from '../../apps/model/app.ts';
import { isLoopback } from '../../devices/installPage.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import { reach } from '../../workbench/milestones.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { appSubjectOf, choosePlatform } from '../wizard/appSubject.ts';
import { downloadBuild } from './downloadBuild.ts';
import { shareInNetwork, type BuildToShare } from './shareInNetwork.ts';

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
