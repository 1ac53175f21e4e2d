import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { sentence } from '../api/errors/sentence.ts';
import type { Apps } from '../builds/apps.ts';
import { buildPages, commandsOf, missingPages } from '../builds/buildPages.ts';
import { chooseProject, projectPath } from '../projects/chooseProject.ts';
import { suspicionOf } from '../projects/packing/planSentences.ts';
import { OwnIgnoreFile } from '../projects/preflight/ownIgnoreFile.ts';
import type { CheckValue } from '../projects/preflight/rows/fileRows.ts';
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
    'appBuild.ignoreFile': (argument, all) => ignoreFiles(dependencies, preflight.rows.valuesOf(argument, all)),
    'appBuild.saveConfig': () => saveConfig(dependencies),
    'appBuild.allowSecret': (argument) => allowSecret(dependencies, preflight.rows.valuesOf(argument)),
    'appBuild.refuseSecret': (argument) => refuseSecret(dependencies, preflight.rows.valuesOf(argument)),
    'appBuild.sortFilesBySize': () => preflight.sortBy('size'),
    'appBuild.sortFilesByName': () => preflight.sortBy('name'),
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

/** Has `.appbuildignore` leave out the files and folders of some rows. */
async function ignoreFiles({ apps, notifications }: CommandDependencies, values: readonly CheckValue[]): Promise<void> {
  const { preflight } = apps;
  const [first, ...others] = values;
  if (first === undefined || preflight.check === undefined) {
    throw noRow();
  }
  const ignoreFile = new OwnIgnoreFile(preflight.check.project.uri);
  const lines = await ignoreFile.add(values.map(({ kind, path }) => ({ path, isFolder: kind === 'folder' })));
  await preflight.refresh();
  if (lines.length === 0) {
    notifications.done(vscode.l10n.t('.appbuildignore leaves it out already.'));
    return;
  }
  notifications.information(
    others.length === 0
      ? vscode.l10n.t('{0} is not sent from now on: a line in .appbuildignore leaves it out.', first.path)
      : vscode.l10n.t(
          '{0} files and folders are not sent from now on: .appbuildignore leaves them out.',
          values.length,
        ),
    {
      title: vscode.l10n.t('Undo'),
      run: async () => {
        await ignoreFile.remove(lines);
        await preflight.refresh();
      },
    },
  );
}

/** Keeps the config.xml that was made for the package, and what it names, in the project's folder. */
async function saveConfig({ apps }: CommandDependencies): Promise<void> {
  const { preflight } = apps;
  const plan = preflight.check?.plan;
  if (plan?.config === undefined) {
    throw noRow();
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

/** Asks whether a file that may hold a secret is sent, and remembers a yes to this very file. */
async function allowSecret({ apps, input }: CommandDependencies, values: readonly CheckValue[]): Promise<void> {
  const { project, path, suspect } = suspectOf(apps, values);
  await input.confirmOrCancel(
    vscode.l10n.t('Send {0} although it may hold a secret?', path),
    [
      vscode.l10n.t('What was found: {0}.', localised(suspicionOf(suspect))),
      vscode.l10n.t('The service gets the file, and whoever installs the app may be able to read it.'),
    ].join('\n\n'),
    vscode.l10n.t('Send This File'),
  );
  // The view follows what is allowed.
  await apps.consents.allow(project, suspect);
}

/** Takes back the yes to a file that may hold a secret. */
async function refuseSecret(
  { apps, notifications }: CommandDependencies,
  values: readonly CheckValue[],
): Promise<void> {
  const { project, path, suspect } = suspectOf(apps, values);
  await apps.consents.refuse(project, suspect);
  notifications.done(vscode.l10n.t('{0} is not sent.', path));
}

/** The file of a row that may hold a secret, and its project. @throws InvalidInputError for another row. */
function suspectOf({ preflight }: Apps, [value]: readonly CheckValue[]) {
  if (value?.kind !== 'suspect' || preflight.check === undefined) {
    throw noRow();
  }
  return { project: preflight.check.project, path: value.path, suspect: value.suspect };
}

/** The command was run by something else than the menu of a row. */
function noRow(): InvalidInputError {
  return new InvalidInputError(
    sentence('No file is selected.'),
    sentence('Select one in the view Before the Upload, which the command Show What Will Be Sent opens.'),
    'none',
  );
}
