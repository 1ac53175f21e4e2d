import { buildAgain, buildApp, type BuildAppDependencies } from './build/buildApp.ts';
import { cancelBuild } from './build/cancelBuild.ts';
import { downloadBuild } from './build/downloadBuild.ts';
import { installEachBuild, stopInstallingBuilds } from './build/installEachBuild.ts';
import { installOnConnectedDevice } from './build/installOnConnectedDevice.ts';
import { copyInstallLink, installOnDevice, revokeInstallLink } from './build/installOnDevice.ts';
import { previewOnPhone } from './build/previewOnPhone.ts';
import { showSharing, stopSharing } from './build/sharing.ts';
import { showBuilds } from './build/showBuilds.ts';
import { stopWatching } from './build/stopWatching.ts';
import { showBuildLog } from './buildLog.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';
import { cancelBuilds } from './several/cancelBuilds.ts';
import { downloadBuilds } from './several/downloadBuilds.ts';
import { selectedRows } from './several/selectedRows.ts';

export type BuildDependencies = BuildAppDependencies & Pick<CommandDependencies, 'log' | 'tree' | 'devices'>;

/** Commands about builds. */
export function buildCommands(dependencies: BuildDependencies) {
  const { watcher } = dependencies.apps;
  return {
    'appBuild.buildApp': (argument) => buildApp(dependencies, argument),
    'appBuild.buildAgain': (argument) => buildAgain(dependencies, argument),
    'appBuild.cancelBuild': (argument, selected) => {
      const several = selectedRows(argument, selected, /^(app|platform);(.*;)?cancel;/);
      return several === undefined ? cancelBuild(dependencies, argument) : cancelBuilds(dependencies, several);
    },
    'appBuild.stopWatching': (argument) => stopWatching(argument, { ...dependencies, watcher }),
    'appBuild.showBuilds': () => showBuilds(dependencies),
    'appBuild.showBuildLog': (argument) => showBuildLog(dependencies, argument),
    'appBuild.downloadBuild': (argument, selected) => {
      const several = selectedRows(argument, selected, /^(app|platform);(.*;)?download;/);
      return several === undefined ? downloadBuild(dependencies, argument) : downloadBuilds(dependencies, several);
    },
    'appBuild.installOnDevice': (argument) => installOnDevice(dependencies, argument),
    'appBuild.installOnConnectedDevice': (argument) => installOnConnectedDevice(dependencies, argument),
    'appBuild.installEachBuild': (argument) => installEachBuild(dependencies, argument),
    'appBuild.stopInstallingBuilds': (argument) => stopInstallingBuilds(dependencies, argument),
    'appBuild.copyInstallLink': (id) => copyInstallLink(dependencies, id),
    'appBuild.revokeInstallLink': (id) => revokeInstallLink(dependencies, id),
    'appBuild.previewOnPhone': (argument) => previewOnPhone(dependencies, argument),
    'appBuild.showSharing': () => showSharing(dependencies),
    'appBuild.stopSharing': (id) => stopSharing(dependencies, id),
  } satisfies Handlers;
}
