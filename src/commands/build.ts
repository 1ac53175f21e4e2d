import { buildAgain, buildApp, type BuildAppDependencies } from './buildApp.ts';
import { cancelBuild, cancelBuilds } from './cancelBuild.ts';
import { downloadBuild, downloadBuilds } from './downloadBuild.ts';
import { installEachBuild, stopInstallingBuilds, installOnConnectedDevice } from './connectedDevice.ts';
import { copyInstallLink, installOnDevice, revokeInstallLink, showSharing, stopSharing } from './installOnDevice.ts';
import { previewOnPhone } from './previewOnPhone.ts';
import { showBuilds, stopWatching } from './builds.ts';
import { showBuildLog } from './buildFailure.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';
import { selectedRows } from './severalRows.ts';

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
