import * as vscode from 'vscode';
import type { App } from '../../apps/model/app.ts';
import { appSubjectOf } from '../wizard/appSubject.ts';
import { installOnConnectedDevice } from './installOnConnectedDevice.ts';
import type { InstallDependencies } from './installOnDevice.ts';

/**
 * Has each new build of an app installed, on the device that was used last.
 *
 * @param argument a row of an app or a platform, an address, or `{app}`.
 * @throws BuildServiceError
 */
export async function installEachBuild(dependencies: InstallDependencies, argument: unknown): Promise<void> {
  const { apps, devices, notifications } = dependencies;
  const app = await appOf(dependencies, argument, vscode.l10n.t('Install Each New Build'));
  if (app === undefined) {
    return;
  }
  await apps.eachBuild.set(app.url, true);
  const { last } = devices.connected;
  if (last !== undefined) {
    notifications.done(vscode.l10n.t('Each new build of “{0}” is installed on {1}.', app.title, last.name));
    return;
  }
  notifications.information(
    vscode.l10n.t('Each new build of “{0}” is installed on the phone that you used last.', app.title),
    {
      title: vscode.l10n.t('Install on Connected Device…'),
      run: () => installOnConnectedDevice(dependencies, { app: app.url, platform: 'android' }),
    },
  );
}

/** The opposite of {@link installEachBuild}. @throws BuildServiceError */
export async function stopInstallingBuilds(dependencies: InstallDependencies, argument: unknown): Promise<void> {
  const { apps, notifications } = dependencies;
  const app = await appOf(dependencies, argument, vscode.l10n.t('Stop Installing Each New Build'));
  if (app !== undefined) {
    await apps.eachBuild.set(app.url, false);
    notifications.done(vscode.l10n.t('New builds of “{0}” are no longer installed.', app.title));
  }
}

async function appOf(
  { connections, apps, input }: InstallDependencies,
  argument: unknown,
  title: string,
): Promise<App | undefined> {
  const connection = await connections.requireSignedIn();
  return (await appSubjectOf(argument, { apps, connection, input, title }))?.app;
}
