import { RequestDrafts } from '../resources/requests/requestDrafts.ts';
import { SecretClipboard } from '../workbench/secretClipboard.ts';
import { accountCommands } from './account.ts';
import { appCommands } from './app.ts';
import { buildCommands } from './build.ts';
import { collaboratorCommands } from './collaborator.ts';
import type { Commands, Register } from './commandRegistry.ts';
import { installOnLastDevice } from './connectedDevice.ts';
import type { CommandDependencies } from './dependencies.ts';
import { diagnosticsCommands } from './diagnostics.ts';
import { download } from './download.ts';
import { folderCommands } from './folder.ts';
import { keyCommands } from './key.ts';
import { preflightCommands } from './preflight.ts';
import { requestCommands } from './request.ts';
import { refresh, resourceCommands } from './resource.ts';
import { changeRegistration, chooseService, connectToService, serviceCommands } from './service.ts';
import { createSampleProject, showOpenedSample } from './sampleProject.ts';

/** Makes what every command does. Called when the first command runs, not at activation. */
export function createCommands(
  dependencies: Omit<CommandDependencies, 'drafts' | 'clipboard'>,
  register: Register,
): Commands {
  const all: CommandDependencies = {
    ...dependencies,
    drafts: register(new RequestDrafts()),
    clipboard: register(new SecretClipboard()),
  };
  const { apps, devices } = dependencies;
  register(devices.shares.onDidChange(() => apps.presenter.showShared(devices.shares.all.map(({ app }) => app.url))));
  return {
    handlers: {
      ...accountCommands(all),
      ...serviceCommands(all),
      ...resourceCommands(all),
      ...requestCommands(all),
      ...folderCommands(all),
      'appBuild.createSampleProject': () => createSampleProject(all),
      ...preflightCommands(all),
      ...appCommands(all),
      ...buildCommands(all),
      ...keyCommands(all),
      ...collaboratorCommands(all),
      ...diagnosticsCommands(all),
      'appBuild.download': (argument) => download(all, argument),
      'appBuild.showLog': () => dependencies.log.show(),
    },
    connectToService: () => connectToService(all),
    chooseService: () => chooseService(all),
    changeRegistration: () => changeRegistration(all),
    refresh: () => refresh(all),
    download: (url) => download(all, { url }),
    resume: () => showOpenedSample(all),
    installOnLastDevice: (subject) => installOnLastDevice(all, subject),
  };
}
