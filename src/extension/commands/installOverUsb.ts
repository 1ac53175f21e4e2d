import * as vscode from 'vscode';
import { CancelledError, sentence } from '../../errors/index.ts';
import { isForAndroid, type App } from '../apps/model/app.ts';
import type { BuildSubject } from '../apps/builds/watching/buildProgress.ts';
import { AdbNotFoundError, noDevice, notReady, getDeviceAdvice } from '../devices/adb/adbErrors.ts';
import type { ConnectedDevice } from '../devices/adb/deviceList.ts';
import type { AndroidBuild } from '../devices/connectedDevices.ts';
import type { PickItem } from '../workbench/input.ts';
import { completeMilestone } from '../workbench/milestones.ts';
import { localize } from '../workbench/notifications.ts';
import { withCallProgress, withProgress } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';
import { installOverWifi } from './installOverWifi.ts';
import { askForApp, askForBuild } from './wizard/subject.ts';

/** Installs a build over USB if exactly one phone is ready. Otherwise, shares it over Wi-Fi. */
export async function installOnPhone(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  // Wi-Fi works even if adb is missing or fails.
  const devices = await connectedDevices(dependencies).catch((error: unknown) => {
    if (error instanceof CancelledError) {
      throw error;
    }
    return [];
  });
  const ready = devices.filter(({ state }) => state === 'ready');
  await (ready.length === 1 ? installOverUsb : installOverWifi)(dependencies, argument);
}

/** Installs a build on a connected phone and starts it. Without adb, offers to install over Wi-Fi. */
export async function installOverUsb(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Install over USB');
  const { app, calls, build } = await askForBuild(dependencies, argument, {
    title,
    filter: isForAndroid,
    none: (each) => sentence('“{0}” has no Android build to install.', each.title),
  });
  await run(dependencies, app, async () => {
    const device = await chooseDevice(dependencies, title);
    const text = await install(dependencies, device, { calls, app, downloadUrl: build.downloadUrl ?? '' });
    dependencies.notifications.information(text);
  });
}

/**
 * Installs an app's Android build on the device that was used last. Never asks a question. If the device isn't connected, shows a
 * notification. Shows failures instead of throwing them.
 */
export async function installOnLastDevice(dependencies: CommandDependencies, { appUrl }: BuildSubject): Promise<void> {
  const { connections, apps, devices, notifications } = dependencies;
  await notifications.run('Installing a new build', async () => {
    const calls = apps.createCalls(await connections.requireSignedIn());
    const app = await calls.get(appUrl);
    const downloadUrl = app.builds.find(isForAndroid)?.downloadUrl;
    if (downloadUrl === undefined) {
      return;
    }
    await run(dependencies, app, async () => {
      const { last } = devices.connected;
      const device = last && (await connectedDevices(dependencies)).find(({ serial }) => serial === last.serial);
      if (device === undefined) {
        notifications.information(
          last === undefined
            ? vscode.l10n.t('“{0}” isn’t installed: no phone has been used for it yet.', app.title)
            : vscode.l10n.t('“{0}” isn’t installed: {1} isn’t connected.', app.title, last.name),
          installButton(dependencies, app),
        );
        return;
      }
      if (device.state !== 'ready') {
        throw notReady(device);
      }
      // A notification would interrupt the user's editing.
      notifications.done(await install(dependencies, device, { calls, app, downloadUrl }));
    });
  });
}

function installButton(dependencies: CommandDependencies, { url }: App) {
  return {
    title: vscode.l10n.t('Install over USB…'),
    run: () => installOverUsb(dependencies, { app: url, platform: 'android' }),
  };
}

function run(dependencies: CommandDependencies, { url }: App, action: () => Promise<void>): Promise<void> {
  return dependencies.notifications.run('Installing on a connected device', action, (error) =>
    error instanceof AdbNotFoundError
      ? { installOverWifi: () => installOverWifi(dependencies, { app: url, platform: 'android' }) }
      : {},
  );
}

/** Returns the only ready device, or asks the user to pick one. If the user picks a device that isn't ready, shows an updated list. */
async function chooseDevice(dependencies: CommandDependencies, title: string): Promise<ConnectedDevice> {
  const { connected } = dependencies.devices;
  for (;;) {
    const devices = await connectedDevices(dependencies);
    const [first, second] = devices;
    const [ready, otherReady] = devices.filter(({ state }) => state === 'ready');
    if (first === undefined) {
      throw noDevice();
    }
    if (ready === undefined && second === undefined) {
      throw notReady(first);
    }
    const placeholder = vscode.l10n.t('Which device?');
    const device =
      ready !== undefined && otherReady === undefined
        ? ready
        : (await dependencies.input.pick(devices.map(deviceItem), { title, placeholder })).device;
    if (device.state === 'ready') {
      await connected.remember(device);
      return device;
    }
  }
}

function deviceItem(device: ConnectedDevice): PickItem & { readonly device: ConnectedDevice } {
  return {
    icon: device.state === 'ready' ? 'device-mobile' : 'warning',
    label: device.name,
    ...(device.name !== device.serial && { description: device.serial }),
    detail: localize(getDeviceAdvice(device)),
    device,
  };
}

/** Returns the devices that adb finds. The first call starts adb's server, which takes several seconds. */
function connectedDevices({ devices }: CommandDependencies): Promise<readonly ConnectedDevice[]> {
  return withCallProgress(vscode.l10n.t('Looking for phones'), (signal) => devices.connected.list(signal));
}

/** Installs a build. @returns the text of the notification. */
async function install(
  { devices }: CommandDependencies,
  device: ConnectedDevice,
  build: AndroidBuild,
): Promise<string> {
  const { title } = build.app;
  const isStarted = await withProgress({ notification: vscode.l10n.t('Installing “{0}”', title) }, (signal, report) =>
    devices.connected.install(device, build, { signal, report }),
  );
  completeMilestone('appBuild.hasFetchedBuild');
  return isStarted
    ? vscode.l10n.t('{0} was installed on {1} and started.', title, device.name)
    : vscode.l10n.t('{0} was installed on {1}. Open it on the phone.', title, device.name);
}

/** Installs each new build of an app on the device that was used last, until the user stops it. */
export async function installEachBuild(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, devices, notifications } = dependencies;
  const { app } = await askForApp(dependencies, argument, vscode.l10n.t('Install Each Build'));
  await apps.eachBuild.set(app.url, true);
  const { last } = devices.connected;
  if (last !== undefined) {
    notifications.done(vscode.l10n.t('Each new build of “{0}” is installed on {1}.', app.title, last.name));
    return;
  }
  const text = vscode.l10n.t('Each new build of “{0}” is installed on the phone that you used last.', app.title);
  notifications.information(text, installButton(dependencies, app));
}

/** Stops installing new builds of an app. */
export async function stopInstallingBuilds(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, notifications } = dependencies;
  const { app } = await askForApp(dependencies, argument, vscode.l10n.t('Stop Installing Each Build'));
  await apps.eachBuild.set(app.url, false);
  notifications.done(vscode.l10n.t('New builds of “{0}” are no longer installed.', app.title));
}
