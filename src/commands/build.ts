import { buildAgain, buildApp } from './buildApp.ts';
import { askAgent, showBuildLog, showBuildProblem } from './buildProblem.ts';
import { showBuilds, stopWatching } from './watchedBuilds.ts';
import { cancelBuilds } from './cancelBuild.ts';
import type { Handlers } from './commandRegistry.ts';
import { installEachBuild, installOnConnectedDevice, stopInstallingBuilds } from './connectedDevice.ts';
import type { CommandDependencies } from './dependencies.ts';
import { downloadBuilds } from './download.ts';
import { copyInstallLink, installOnDevice, revokeInstallLink, showSharing, stopSharing } from './installOnDevice.ts';
import { previewOnPhone } from './previewOnPhone.ts';

export function buildCommands(dependencies: CommandDependencies) {
  return {
    'appBuild.buildApp': (argument) => buildApp(dependencies, argument),
    'appBuild.buildAgain': (argument) => buildAgain(dependencies, argument),
    'appBuild.cancelBuild': (argument, selected) => cancelBuilds(dependencies, argument, selected),
    'appBuild.stopWatching': (argument) => stopWatching(dependencies, argument),
    'appBuild.showBuilds': () => showBuilds(dependencies),
    'appBuild.showBuildLog': (argument) => showBuildLog(dependencies, argument),
    'appBuild.showBuildProblem': (argument) => showBuildProblem(dependencies, argument),
    'appBuild.askAgent': (argument) => askAgent(dependencies, argument),
    'appBuild.downloadBuild': (argument, selected) => downloadBuilds(dependencies, argument, selected),
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
