import * as vscode from 'vscode';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { App, PlatformBuild } from '../../apps/model/app.ts';
import { artifactName } from '../../apps/model/artifactName.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { fetchPackage, type PackageFile } from '../../devices/packageFile.ts';
import type { Share, ShareSubject } from '../../devices/network/shares.ts';
import { sharePage } from '../../devices/network/shareTexts.ts';
import { reach } from '../../workbench/milestones.ts';
import { withProgress } from '../../workbench/progress.ts';
import { sizeText } from '../../workbench/values.ts';
import type { CommandDependencies } from '../dependencies.ts';

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
