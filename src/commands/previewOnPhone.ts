import * as vscode from 'vscode';
import { sentence } from '../api/errors/sentence.ts';
import { isForAndroid } from '../apps/model/app.ts';
import { pathOfApp } from '../builds/watching/buildProgress.ts';
import type { Preview } from '../devices/network/shares.ts';
import { unpackWebFiles, type WebFiles } from '../devices/network/webFiles.ts';
import type { PackageFile } from '../devices/fetchPackage.ts';
import type { CommandDependencies } from './dependencies.ts';
import { downloadBuilds } from './download.ts';
import { shareInNetwork, withPackage } from './installOnDevice.ts';
import { askForBuild, type PlatformSubject } from './wizard/appSubject.ts';

/** Shows the app of a build for Android in the browser of a phone, and each build that comes after it. */
export async function previewOnPhone(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { devices, notifications } = dependencies;
  const title = vscode.l10n.t('Preview on a Phone');
  const subject = await askForBuild(dependencies, argument, {
    title,
    placeholder: (app) => vscode.l10n.t('Which build of “{0}”?', app.title),
    filter: isForAndroid,
    none: (app) => sentence('There is no build of “{0}” for Android, whose pages could be shown.', app.title),
  });
  const { app, platform } = subject;
  await notifications.run(
    'Sharing a preview',
    async () => {
      const preview = await shareInNetwork(dependencies, subject, title, async (shared, file, signal) =>
        devices.shares.preview(shared, await pagesOf(file, signal)),
      );
      showLaterBuilds(dependencies, preview, subject);
    },
    () => ({ download: () => downloadBuilds(dependencies, { app: app.url, platform }) }),
  );
}

/** Unpacks the pages of a package, which is deleted. */
async function pagesOf(file: PackageFile, signal: AbortSignal): Promise<WebFiles> {
  try {
    return await unpackWebFiles(file.path, signal);
  } finally {
    await file.dispose();
  }
}

/** Has the phones load each build of the app that ends complete in this window, one after another, as long as it is shared. */
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
      await withPackage(connection, app, build, async (file, signal) => preview.show(await pagesOf(file, signal)));
    }
  };
  const subscription = vscode.Disposable.from(
    apps.watcher.onDidEnd(({ appUrl, end }) => {
      if (pathOfApp(appUrl) === pathOfApp(url) && end.kind === 'ended' && end.progress.builds.some(isForAndroid)) {
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
