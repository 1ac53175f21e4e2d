import * as vscode from 'vscode';
import type { App } from '../apps/model/app.ts';
import {
  devServerAddress,
  findDevServer,
  type FoundProject,
  getProjectKey,
  hasDevServer,
  planPackage,
  projectFolder,
} from '../../web-project/index.ts';
import { LivePages, type PlanPages } from '../devices/livePages.ts';
import { readProjectIcon } from '../devices/packageIcon.ts';
import { sharePage } from '../devices/network/shares.ts';
import { knownApp, getProjectTitle } from '../preflight/knownApp.ts';
import type { CommandDependencies } from './dependencies.ts';
import { resolveFolder, linkedFolders, offerPages, resolveProject } from './folder.ts';

/** Shows the app of a folder next to the code and updates it when a file is saved. Requires neither a build nor a sign-in. */
export async function preview(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Preview');
  const folder = await resolveFolder(dependencies, argument, title);
  const project = await resolveProject(dependencies, folder, title);
  const { apps, devices, input } = dependencies;
  const findServer = () =>
    findDevServer(projectFolder(project), project.layout.kind, apps.answers.get(project).devServer);
  const askForServer = async () => {
    const text = await input.askText({
      title,
      prompt: vscode.l10n.t(
        'Address of the dev server, as its terminal shows it. Leave it empty for the default port.',
      ),
      placeholder: 'http://localhost:5173',
      value: apps.answers.get(project).devServer ?? '',
      validate: (each) =>
        each === '' || devServerAddress(each) !== undefined
          ? undefined
          : vscode.l10n.t('Enter an address on this computer, such as http://localhost:5173.'),
    });
    await apps.answers.remember(project, { devServer: devServerAddress(text) });
  };
  const showAgain = () => preview(dependencies, folder);
  if ((await findServer()) === undefined && (await offerPages(dependencies, folder, project, showAgain))) {
    return;
  }
  await devices.previews.show({
    key: `${folder.uri.toString()} ${getProjectKey(project)}`,
    title: getProjectTitle(project),
    icon: await readProjectIcon(project),
    uri: project.uri,
    plan: createPagesPlanner(dependencies, project),
    findServer,
    askForServer: (await hasDevServer(projectFolder(project))) ? askForServer : undefined,
    openOnPhone: () => openOnPhone(dependencies, folder, project),
  });
}

/**
 * Returns a function that plans a project's pages as a build would. Files that may contain a secret are included only if the
 * user has allowed them.
 */
function createPagesPlanner({ apps: { answers, consents } }: CommandDependencies, project: FoundProject): PlanPages {
  return async (signal) => {
    const known = knownApp(project, undefined, answers);
    return consents.sendable(await planPackage(project, { signal, answers: answers.pages, known }));
  };
}

/** Shows the pages of an app's folder on a phone. @returns false if the folder has no built pages. */
export async function openFolderOnPhone(
  dependencies: CommandDependencies,
  folder: vscode.WorkspaceFolder,
  app: App,
): Promise<boolean> {
  const project = await resolveProject(dependencies, folder, vscode.l10n.t('Open on a Phone'));
  if (project.layout.state.kind !== 'built') {
    return false;
  }
  await openOnPhone(dependencies, folder, project, app);
  return true;
}

/** Shows the pages of a project on a phone on the network and updates them when a file is saved. @throws Failure; CancelledError */
async function openOnPhone(
  dependencies: CommandDependencies,
  folder: vscode.WorkspaceFolder,
  project: FoundProject,
  known?: App,
): Promise<void> {
  const { devices, log } = dependencies;
  const network = await devices.askForNetwork(vscode.l10n.t('Open on a Phone'));
  const [linked] = known === undefined ? await linkedFolders(dependencies, folder) : [];
  const app = known ?? {
    url: linked?.app.url ?? '',
    title: getProjectTitle(project),
    version: project.facts.version?.value,
  };
  const live = new LivePages(createPagesPlanner(dependencies, project));
  try {
    const share = await devices.shares.preview(
      { app, build: undefined, icon: await readProjectIcon(project), network, isLive: true },
      await live.read(),
    );
    live.follow(project.uri, {
      show: (files) => share.show(files),
      failed: (error) => error !== undefined && log.error('Showing a change on a phone', error),
    });
    const subscription = devices.shares.onDidEnd(({ id }) => {
      if (id === share.id) {
        subscription.dispose();
        live.dispose();
      }
    });
    devices.linkPages.show(sharePage(share));
  } catch (error) {
    live.dispose();
    throw error;
  }
}
