import type { BuildCommandId, BuildSubject } from '../apps/builds/watching/buildProgress.ts';
import { RequestDrafts } from '../resources/requests/requestDrafts.ts';
import { SecretClipboard } from '../workbench/secretClipboard.ts';
import { accountCommands } from './accountCommands.ts';
import type { CommandDependencies, CommandHandler, RegisterDisposable } from './dependencies.ts';
import { diagnosticsCommands } from './diagnostics.ts';
import { buildFolder, configureDefaultBuild, linkFolder, preflightCommands, unlinkFolder } from './folder.ts';
import { preview } from './preview.ts';
import { refresh, resourceCommands } from './resourceCommands.ts';
import { createSampleProject, showOpenedSample } from './createSampleProject.ts';
import { deleteApps, pullApp, setAppIcon, updateApp } from './appCommands.ts';
import { buildAgain, buildApp } from './buildApp.ts';
import { installBuildEngine } from './buildEngine.ts';
import { applyRemedy, remedyCommands } from './remedy.ts';
import type { FindingRemedy } from '../../web-project/index.ts';
import { askAgent, showBuildLog, showBuildProblem } from './buildProblem.ts';
import { cancelBuilds, showBuilds, stopWatching } from './runningBuilds.ts';
import { addCollaborator, changeRole, removeCollaborator } from './collaboratorCommands.ts';
import {
  installEachBuild,
  installOverUsb,
  installOnLastDevice,
  installOnPhone,
  stopInstallingBuilds,
} from './installOverUsb.ts';
import { createApp } from './createApp.ts';
import { download, downloadBuilds, downloadBundle } from './downloadCommands.ts';
import { copyInstallLink, installOverWifi, previewOnPhone, showSharing, stopSharing } from './installOverWifi.ts';
import { addKey, copyFingerprint, deleteKeys, lockKey, setDefaultKey, unlockNamedKey } from './key.ts';
import { copyAsCurl, copyAsJsonp, sendDraft, sendRequest } from './request.ts';
import {
  changeRegistration,
  connectToService,
  openWalkthrough,
  startLocalService,
  stopLocalService,
} from './serviceCommands.ts';
import { chooseService, showServices } from './services.ts';
import type { Finding } from '../preflight/finding.ts';

/** The handlers, and the functions that other code calls directly. */
export type Commands = ReturnType<typeof createCommands>;

/** Creates the handlers of all commands. Called when the first command runs, not at activation. */
export function createCommands(
  dependencies: Omit<CommandDependencies, 'drafts' | 'clipboard'>,
  register: RegisterDisposable,
) {
  const all: CommandDependencies = {
    ...dependencies,
    drafts: register(new RequestDrafts()),
    clipboard: register(new SecretClipboard()),
  };
  const { apps, devices } = dependencies;
  register(devices.shares.onDidChange(() => apps.presenter.showShared(devices.shares.all.map(({ app }) => app.url))));
  const handlers: Readonly<Partial<Record<string, CommandHandler>>> & Readonly<Record<BuildCommandId, CommandHandler>> =
    {
      'appBuild.connect': () => connectToService(all),
      'appBuild.services': () => showServices(all),
      'appBuild.startLocalService': () => startLocalService(all),
      'appBuild.stopLocalService': () => stopLocalService(all),
      'appBuild.installBuildEngine': () => installBuildEngine(all),
      'appBuild.tryDemo': () => startLocalService(all, { demo: true }),
      'appBuild.getStarted': () => openWalkthrough(all),
      'appBuild.sendRequest': (argument) => sendRequest(all, argument),
      'appBuild.sendDraft': (uri) => sendDraft(all, uri),
      'appBuild.copyAsCurl': (argument) => copyAsCurl(all, argument),
      'appBuild.copyAsJsonp': (argument) => copyAsJsonp(all, argument),
      'appBuild.buildFolder': (argument) => buildFolder(all, argument),
      'appBuild.configureDefaultBuild': (argument) => configureDefaultBuild(all, argument),
      'appBuild.linkFolder': (argument) => linkFolder(all, argument),
      'appBuild.unlinkFolder': (argument) => unlinkFolder(all, argument),
      'appBuild.createApp': () => createApp(all),
      'appBuild.updateApp': (argument) => updateApp(all, argument),
      'appBuild.pullApp': (argument) => pullApp(all, argument),
      'appBuild.deleteApp': (argument, selected) => deleteApps(all, argument, selected),
      'appBuild.setAppIcon': (argument) => setAppIcon(all, argument),
      'appBuild.buildApp': (argument) => buildApp(all, argument),
      'appBuild.buildAgain': (argument) => buildAgain(all, argument),
      'appBuild.cancelBuild': (argument, selected) => cancelBuilds(all, argument, selected),
      'appBuild.stopWatching': (argument) => stopWatching(all, argument),
      'appBuild.showBuilds': () => showBuilds(all),
      'appBuild.showBuildLog': (argument) => showBuildLog(all, argument),
      'appBuild.showBuildProblem': (argument) => showBuildProblem(all, argument),
      'appBuild.askAgent': (argument) => askAgent(all, argument),
      'appBuild.downloadBuild': (argument, selected) => downloadBuilds(all, argument, selected),
      'appBuild.downloadBundle': (argument) => downloadBundle(all, argument),
      'appBuild.install': (argument) => installOnPhone(all, argument),
      'appBuild.installOverWifi': (argument) => installOverWifi(all, argument),
      'appBuild.installOverUsb': (argument) => installOverUsb(all, argument),
      'appBuild.installEachBuild': (argument) => installEachBuild(all, argument),
      'appBuild.stopInstallingBuilds': (argument) => stopInstallingBuilds(all, argument),
      'appBuild.copyInstallLink': (id) => copyInstallLink(all, id),
      'appBuild.preview': (argument) => preview(all, argument),
      'appBuild.previewOnPhone': (argument) => previewOnPhone(all, argument),
      'appBuild.showSharing': () => showSharing(all),
      'appBuild.stopSharing': (id) => stopSharing(all, id),
      'appBuild.addKey': (argument) => addKey(all, argument),
      'appBuild.unlockKey': (argument) => unlockNamedKey(all, argument),
      'appBuild.lockKey': (argument) => lockKey(all, argument),
      'appBuild.setDefaultKey': (argument) => setDefaultKey(all, argument),
      'appBuild.deleteKey': (argument, selected) => deleteKeys(all, argument, selected),
      'appBuild.copySha1': (argument) => copyFingerprint(all, argument, 'sha1'),
      'appBuild.copySha256': (argument) => copyFingerprint(all, argument, 'sha256'),
      'appBuild.addCollaborator': (argument) => addCollaborator(all, argument),
      'appBuild.changeCollaboratorRole': (argument) => changeRole(all, argument),
      'appBuild.removeCollaborator': (argument) => removeCollaborator(all, argument),
      ...accountCommands(all),
      ...resourceCommands(all),
      'appBuild.createSampleProject': () => createSampleProject(all),
      ...preflightCommands(all),
      ...remedyCommands(all),
      ...diagnosticsCommands(all),
      'appBuild.download': (argument) => download(all, argument),
      'appBuild.showLog': () => dependencies.log.show(),
    };
  return {
    handlers,
    connectToService: () => connectToService(all),
    chooseService: () => chooseService(all),
    changeRegistration: () => changeRegistration(all),
    refresh: () => refresh(all),
    download: (url: string) => download(all, { url }),
    resume: () => showOpenedSample(all),
    applyRemedy: (remedy: FindingRemedy, finding: Finding) => applyRemedy(all, remedy, finding),
    installOnLastDevice: (subject: BuildSubject) => installOnLastDevice(all, subject),
  };
}
