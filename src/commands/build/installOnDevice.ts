import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { InstallLinkNotOfferedError, OperationNotOfferedError } from '../../apps/appErrors.ts';
import type { Apps } from '../../apps/apps.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { Devices } from '../../devices/devices.ts';
import type { App } from '../../apps/model/app.ts';
import { isDownloadable } from '../../apps/model/app.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../../workbench/progress.ts';
import { reach } from '../../workbench/milestones.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { appSubjectOf, choosePlatform } from '../wizard/appSubject.ts';
import { downloadBuild } from './downloadBuild.ts';

export interface InstallDependencies extends Pick<
  CommandDependencies,
  'connections' | 'input' | 'notifications' | 'devices'
> {
  readonly apps: Apps;
}

/**
 * Makes a link to one build and shows it with its QR code. Where the service makes no such links, says so and offers the
 * download.
 *
 * @param argument a row of an app or a platform, an address, or `{app, platform}`.
 * @throws InvalidInputError when nothing is built; BuildServiceError
 */
export async function installOnDevice(dependencies: InstallDependencies, argument: unknown): Promise<void> {
  const { connections, apps, devices, input, notifications } = dependencies;
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
  await notifications.run(
    'Making a link to a build',
    () => show(devices, apps.callsOf(connection), app, platform),
    () => ({ download }),
  );
}

async function show({ installs }: Devices, calls: AppCalls, app: App, platform: string): Promise<void> {
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
  await vscode.env.clipboard.writeText(linkOf(devices, id).url);
  notifications.done(vscode.l10n.t('Copied. Whoever has the link can install the build.'));
}

/** Makes the link of an open page useless, and closes the page. @param id as the page passes it. */
export async function revokeInstallLink(
  { connections, apps, devices, notifications }: InstallDependencies,
  id: unknown,
): Promise<void> {
  const link = linkOf(devices, id);
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Revoking the link');
  await withProgress({ notification: title, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) =>
    apps.callsOf(connection).revoke(link, { signal }),
  );
  devices.installs.close(link);
  notifications.done(vscode.l10n.t('The link is revoked: nobody can install the build by it.'));
}

function linkOf({ installs }: Devices, id: unknown) {
  const link = installs.linkOf(id);
  if (link === undefined) {
    throw new InvalidInputError(
      sentence('There is no link to act on.'),
      sentence('Make one with “Install on Device…” on a build in the Resources view.'),
    );
  }
  return link;
}
