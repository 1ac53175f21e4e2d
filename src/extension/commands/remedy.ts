import * as vscode from 'vscode';
import { askForPages } from '../apps/builds/buildPages.ts';
import { type FindingRemedy, findWebProjects } from '../../web-project/index.ts';
import { findEnclosingProject } from '../preflight/findingProblems.ts';
import { withoutPlugin } from '../preflight/remedies.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import { changeInFolder } from '../resources/downloads/writeIntoFolder.ts';
import { requireAnswer } from '../workbench/input.ts';
import { installBuildEngine } from './buildEngine.ts';
import type { CommandDependencies, CommandHandlers } from './dependencies.ts';
import { addKey, unlockNamedKey } from './key.ts';
import type { Finding } from '../preflight/finding.ts';

/** Creates the commands for the rows and quick fixes of findings. */
export function remedyCommands(dependencies: CommandDependencies) {
  const { preflight } = dependencies.apps;
  return {
    'appBuild.removePlugin': async (argument) => {
      const value = preflight.rows.getRowValue(argument);
      if (value?.kind === 'finding') {
        await removePlugin(dependencies, value.finding);
      }
    },
    'appBuild.choosePages': (argument) =>
      choosePages(dependencies, argument instanceof vscode.Uri ? argument : preflight.check?.project.uri),
  } satisfies CommandHandlers;
}

/** Applies a remedy from a notification's button. */
export async function applyRemedy(
  dependencies: CommandDependencies,
  remedy: FindingRemedy,
  finding: Finding,
): Promise<void> {
  switch (remedy) {
    case 'installEngine':
      await installBuildEngine(dependencies);
      break;
    case 'removePlugin':
      await removePlugin(dependencies, finding);
      break;
    case 'choosePages':
      await choosePages(dependencies, finding.location?.uri);
      break;
    case 'addKey':
      await addKey(dependencies, { platform: finding.platform });
      break;
    case 'unlockKey':
      await unlockNamedKey(dependencies, undefined);
      break;
  }
}

/** Removes a plugin's elements from config.xml and saves the file. Opens it in an editor, so that the user can undo the edit. */
async function removePlugin({ apps }: CommandDependencies, { about, location }: Finding): Promise<void> {
  const folder = location && vscode.workspace.getWorkspaceFolder(location.uri);
  if (location === undefined || folder === undefined || typeof about !== 'string') {
    return;
  }
  await vscode.window.showTextDocument(location.uri);
  const name = location.uri.path.slice(folder.uri.path.length + 1);
  await changeInFolder(folder.uri, name, (text) => withoutPlugin(text, about)).catch((error: unknown) => {
    throw fileFailure(error, name);
  });
  await apps.preflight.refresh();
}

/** Asks for a project's pages folder if no file specifies it. @param file a file of the project, or its folder. */
async function choosePages({ apps, input }: CommandDependencies, file: vscode.Uri | undefined): Promise<void> {
  const folder = file && vscode.workspace.getWorkspaceFolder(file);
  if (file === undefined || folder === undefined) {
    return;
  }
  const projects = await findWebProjects(folder.uri, undefined, apps.answers.pages);
  const project = requireAnswer(findEnclosingProject(projects, file));
  await apps.answers.setPagesFolder(project.uri, await askForPages(project, input));
  await apps.preflight.refresh();
}
