import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { buildPages, commandsOf, missingPages } from '../builds/buildPages.ts';
import { chooseProject, projectPath } from '../projects/chooseProject.ts';
import { findWebProjects, type FoundProject } from '../projects/projectSearch.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import { createFile } from '../resources/downloads/diskFile.ts';
import { localised } from '../workbench/notifications.ts';
import { withCallProgress, withProgress } from '../workbench/progress.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';
import { folderToUse } from './folder.ts';

/** Commands about what stands before an upload: the check of a folder, and what of it will be sent. */
export function preflightCommands(dependencies: CommandDependencies) {
  const { preflight } = dependencies.apps;
  const checkTitle = vscode.l10n.t('Check This Folder');
  const packageTitle = vscode.l10n.t('Show What Will Be Sent');
  return {
    'appBuild.checkFolder': (argument) => checkFolder(dependencies, argument, 'findings', checkTitle),
    'appBuild.showPackage': (argument) => checkFolder(dependencies, argument, 'files', packageTitle),
    'appBuild.toggleFile': (argument) => preflight.rows.toggle(argument),
    'appBuild.saveConfig': () => saveConfig(dependencies),
    'appBuild.refreshPreflight': () => preflight.refresh(),
    'appBuild.closePreflight': () => preflight.close(),
  } satisfies Handlers;
}

/** Checks a folder and shows it, which needs no sign-in. */
async function checkFolder(
  dependencies: CommandDependencies,
  argument: unknown,
  part: 'findings' | 'files',
  title: string,
): Promise<void> {
  const { apps, connections, input } = dependencies;
  const folder = await folderToUse(dependencies, argument, title);
  const connection = await connections.current();
  const link = connection.kind === 'signedIn' ? apps.folders.of(folder.uri, connection) : undefined;
  const projects = await withCallProgress(vscode.l10n.t('Looking for the web project in {0}', folder.name), (signal) =>
    findWebProjects(folder.uri, signal, apps.answers.pages),
  );
  const project = await chooseProject(
    folder,
    projects,
    { required: undefined, remembered: [apps.answers.chosen(folder.uri), link?.project], title },
    input,
  );
  if (projects.length > 1) {
    await apps.answers.choose(folder.uri, project);
  }
  const check = await withCallProgress(vscode.l10n.t('Checking {0}', projectPath(folder, project)), (signal) =>
    apps.checkLinkedFolder(folder, project, signal),
  );
  await apps.preflight.show(check, part);
  await offerPages(dependencies, folder, project);
}

/** Offers to run the script of a project that makes the pages which it has not. */
async function offerPages(
  { apps, notifications }: CommandDependencies,
  folder: vscode.WorkspaceFolder,
  project: FoundProject,
): Promise<void> {
  const missing = await missingPages(project);
  if (missing === undefined) {
    return;
  }
  const { step, what } = missing;
  notifications.information(localised(what), {
    title: vscode.l10n.t('Run “{0}”', commandsOf(step).join(' && ')),
    run: async () => {
      await buildPages(project, step, {
        answers: apps.answers,
        folder,
        step: (title, work) => withProgress({ notification: title }, (signal) => work(signal, () => undefined)),
      });
      await apps.preflight.refresh();
    },
  });
}

/** Keeps the config.xml that was made for the package, and what it names, in the project's folder. */
async function saveConfig({ apps }: CommandDependencies): Promise<void> {
  const { preflight } = apps;
  const plan = preflight.check?.plan;
  if (plan?.config === undefined) {
    throw new InvalidInputError(
      sentence('No config.xml was made for a package.'),
      sentence('Run “Show What Will Be Sent” on a folder without a config.xml first.'),
      'none',
    );
  }
  const { uri } = plan.project;
  for (const { path, bytes } of plan.made) {
    await createFile(uri.fsPath, path, bytes).catch((error: unknown) => {
      throw fileFailure(error, path);
    });
  }
  await vscode.window.showTextDocument(vscode.Uri.joinPath(uri, 'config.xml'), { preview: false });
  await preflight.refresh();
}
