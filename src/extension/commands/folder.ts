import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import type { LinkedFolder } from '../apps/folderApps.ts';
import { askForWrittenPages, buildPages, getCommands, missingPages } from '../apps/builds/buildPages.ts';
import { chooseApp, confirmSecondFolder, otherFolders } from '../apps/builds/chooseApp.ts';
import { withDefaultBuild } from '../apps/builds/task/tasksJson.ts';
import type { CommandDependencies, CommandHandlers } from './dependencies.ts';
import { getArgumentAddress, askService, readArgument } from './wizard/subject.ts';
import { chooseFolder, chooseProject, getArgumentFolder, projectPath } from '../preflight/chooseProject.ts';
import { findWebProjects, type FoundProject } from '../../web-project/index.ts';
import { createFile } from '../resources/downloads/diskFile.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import { writeIntoFolder } from '../resources/downloads/writeIntoFolder.ts';
import { uriExists } from '../workbench/exists.ts';
import { localize, withCommandProgress } from '../workbench/notifications.ts';
import { withCallProgress, withProgress } from '../workbench/progress.ts';
import { requireAnswer } from '../workbench/input.ts';
import { listText } from '../workbench/texts.ts';

/** Uploads a folder to its app and builds it. Requires neither a trusted folder nor a task. */
export async function buildFolder(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const folder = await resolveFolder(dependencies, argument, vscode.l10n.t('Build App'));
  await dependencies.apps.buildFolder(folder);
}

/** Returns the button that builds a folder. */
export function buildButton(dependencies: CommandDependencies, folder: vscode.WorkspaceFolder | vscode.Uri) {
  const title = vscode.l10n.t('Build App');
  const run = () => withCommandProgress(title, dependencies.tree.view, () => buildFolder(dependencies, folder));
  return { title, run };
}

/**
 * Makes a task in tasks.json the default build, so that the shortcut for VS Code's build task starts it immediately. Without an
 * entry in tasks.json, VS Code would ask which task to run.
 *
 * @throws InvalidInputError if the folder isn't trusted.
 */
export async function configureDefaultBuild({ input }: CommandDependencies, argument: unknown): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    throw new InvalidInputError(
      sentence('VS Code doesn’t run tasks in a folder that isn’t trusted.'),
      sentence('Trust the folder, or run Build App, which doesn’t need a task.'),
    );
  }
  const title = vscode.l10n.t('Configure Default Build');
  const folder = getArgumentFolder(argument) ?? (await chooseFolder(input, title));
  const uri = vscode.Uri.joinPath(folder.uri, TASKS_FILE);
  const withTask = (text: string) => withDefaultBuild(text, vscode.l10n.t('App Build: {0}', folder.name));
  const { others } = withTask(await readEditorText(uri));
  if (others.length > 0) {
    const replace = { icon: 'check', label: vscode.l10n.t('Build with App Build by Default') };
    const keep = { icon: 'close', label: vscode.l10n.t('Keep “{0}”', listText(others)) };
    const chosen = await input.pick([replace, keep], {
      title,
      placeholder: vscode.l10n.t('“{0}” is the default build of {1}.', listText(others), folder.name),
    });
    if (chosen !== replace) {
      return;
    }
  }
  await writeIntoFolder(folder.uri, TASKS_FILE, (text) => withTask(text).text);
  await vscode.window.showTextDocument(uri);
}

/** File in which VS Code stores the tasks of a folder. */
const TASKS_FILE = '.vscode/tasks.json';

/** Returns a file's text, including unsaved changes, or an empty string if the file doesn't exist. */
async function readEditorText(uri: vscode.Uri): Promise<string> {
  return (await uriExists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : '';
}

/** Links a folder to an app. @param argument a folder, or the row of an app to link it to. */
export async function linkFolder(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, connections, input, notifications } = dependencies;
  const title = vscode.l10n.t('Link Folder to App');
  const connection = await connections.requireSignedIn();
  const calls = apps.createCalls(connection);
  const named = getArgumentFolder(argument);
  const folder = named ?? (await chooseFolder(input, title));
  // The row of a folder also identifies the folder's current app.
  const url = named === undefined ? readArgument(argument).url : undefined;
  const candidates = await askService(connection, async (signal) =>
    url === undefined ? calls.list({ signal }) : [await calls.get(url, { signal })],
  );
  const others = await otherFolders(apps.folders, folder, connection, candidates);
  const linkedTo = (app: { readonly url: string }) => others.get(app.url) ?? [];
  const placeholder = vscode.l10n.t('Which app does {0} build?', folder.name);
  const choice = { title, placeholder, apps: candidates, names: [folder.name], linkedTo };
  const app = url === undefined ? await chooseApp(choice, input) : requireAnswer(candidates[0]);
  await confirmSecondFolder(app, linkedTo(app), input);
  const project = apps.folders.get(folder.uri, connection)?.project ?? '';
  await apps.folders.set(folder.uri, connection, { url: app.url, title: app.title, project });
  const text = vscode.l10n.t('{0} is now linked to “{1}”.', folder.name, app.title);
  notifications.information(text, buildButton(dependencies, folder));
}

/** Unlinks a folder from its app. The app stays on the service. @param argument a folder, or the row of the app that it's linked to. */
export async function unlinkFolder(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, connections, input, notifications } = dependencies;
  const connection = await connections.requireSignedIn();
  const linked = await linkedFolders(dependencies, argument);
  if (linked.length === 0) {
    notifications.information(vscode.l10n.t('No folder in this window is linked to an app.'));
    return;
  }
  const folder = await chooseFolder(
    input,
    vscode.l10n.t('Unlink Folder from App'),
    linked.map((each) => each.folder),
  );
  const app = apps.folders.get(folder.uri, connection);
  await apps.folders.set(folder.uri, connection, undefined);
  await apps.answers.forgetChoice(folder.uri);
  notifications.information(vscode.l10n.t('{0} is no longer linked to “{1}”.', folder.name, app?.title ?? ''), {
    title: vscode.l10n.t('Undo'),
    run: () => apps.folders.set(folder.uri, connection, app),
  });
}

/**
 * Returns the folder specified by the argument, or a folder that is linked to the specified app. If the argument specifies neither, asks
 * the user to pick one.
 */
export async function resolveFolder(
  dependencies: CommandDependencies,
  argument: unknown,
  title: string,
): Promise<vscode.WorkspaceFolder> {
  const linked = getArgumentAddress(argument) === undefined ? [] : await linkedFolders(dependencies, argument);
  return (
    getArgumentFolder(argument) ??
    chooseFolder(dependencies.input, title, linked.length === 0 ? undefined : linked.map(({ folder }) => folder))
  );
}

/** Returns the linked folders for an argument: one folder, or the folders of an app. Without an argument, returns all linked folders. */
export async function linkedFolders(
  { apps, connections }: CommandDependencies,
  argument: unknown,
): Promise<readonly LinkedFolder[]> {
  const connection = await connections.current();
  if (connection.kind !== 'signedIn') {
    return [];
  }
  const url = getArgumentAddress(argument);
  const named = getArgumentFolder(argument);
  return apps.folders
    .all(connection)
    .filter(({ folder, app }) => (named === undefined || folder === named) && (url === undefined || app.url === url));
}

/** Creates the commands for checking a folder and for showing the files that would be sent. */
export function preflightCommands(dependencies: CommandDependencies) {
  const { preflight } = dependencies.apps;
  const checkTitle = vscode.l10n.t('Check');
  const packageTitle = vscode.l10n.t('Show Package Contents');
  return {
    'appBuild.checkFolder': (argument) => checkFolder(dependencies, argument, 'findings', checkTitle),
    'appBuild.showPackage': (argument) => checkFolder(dependencies, argument, 'files', packageTitle),
    'appBuild.toggleFile': (argument) => preflight.rows.toggle(argument),
    'appBuild.saveConfig': () => saveConfig(dependencies),
    'appBuild.refreshPreflight': () => preflight.refresh(),
    'appBuild.closePreflight': () => preflight.close(),
  } satisfies CommandHandlers;
}

/** Checks a folder and shows the result. Doesn't require a sign-in. */
async function checkFolder(
  dependencies: CommandDependencies,
  argument: unknown,
  part: 'findings' | 'files',
  title: string,
): Promise<void> {
  const { apps } = dependencies;
  const folder = await resolveFolder(dependencies, argument, title);
  const project = await resolveProject(dependencies, folder, title);
  const check = await withCallProgress(vscode.l10n.t('Checking {0}', projectPath(folder, project)), (signal) =>
    apps.checkLinkedFolder(folder, project, signal),
  );
  await apps.preflight.show(check, part);
  await offerPages(dependencies, folder, project, () => apps.preflight.refresh());
}

/** Returns a folder's web project. If the folder has several, returns the one used last, or asks the user to pick one. */
export async function resolveProject(
  { apps, connections, input }: CommandDependencies,
  folder: vscode.WorkspaceFolder,
  title: string,
): Promise<FoundProject> {
  const connection = await connections.current();
  const link = connection.kind === 'signedIn' ? apps.folders.get(folder.uri, connection) : undefined;
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
  return project;
}

/**
 * Offers to run the script that builds a project's missing pages.
 *
 * @param then called when the pages exist.
 * @returns whether a script can build the pages.
 */
export async function offerPages(
  { apps, input, notifications }: CommandDependencies,
  folder: vscode.WorkspaceFolder,
  project: FoundProject,
  then: () => Promise<unknown>,
): Promise<boolean> {
  const missing = vscode.workspace.isTrusted ? await missingPages(project) : undefined;
  if (missing === undefined) {
    return false;
  }
  const { step, failure } = missing;
  notifications.information(localize(failure.what), {
    title: vscode.l10n.t('Run “{0}”', getCommands(step).join(' && ')),
    run: async () => {
      await buildPages(project, step, {
        answers: apps.answers,
        folder,
        decisions: { writtenPages: (built, folders) => askForWrittenPages(built, folders, input) },
        step: (title, work) => withProgress({ notification: title }, (signal) => work(signal, () => undefined)),
      });
      await then();
    },
  });
  return true;
}

/** Saves the generated config.xml, and the files that it refers to, in the project's folder. */
async function saveConfig({ apps }: CommandDependencies): Promise<void> {
  const { preflight } = apps;
  const plan = preflight.check?.plan;
  if (plan?.config === undefined) {
    throw new InvalidInputError(
      sentence('No config.xml has been generated for a package.'),
      sentence('Run “Show Package Contents” on a folder without a config.xml first.'),
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
