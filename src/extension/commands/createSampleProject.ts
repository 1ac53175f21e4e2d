import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { SAMPLE_KEY } from '../apps/builds/names.ts';
import { findWebProjects, PackingError } from '../../web-project/index.ts';
import { getProjectTitle } from '../preflight/knownApp.ts';
import { type SampleKind, writeSampleProject } from './sampleFiles.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import { RESOURCES_VIEW_ID } from '../resources/tree/resourceTree.ts';
import { requireAnswer, type PickItem } from '../workbench/input.ts';
import { localize, withCommandProgress } from '../workbench/notifications.ts';
import { read } from '../workbench/readStored.ts';
import type { CommandDependencies } from './dependencies.ts';
import { buildButton } from './folder.ts';
import { preview } from './preview.ts';

/** A sample project that a window is about to open, as stored in the global state. */
const OPENED_SAMPLE = z.object({
  /** URIs of the project's folder and its start page. */
  folder: z.string(),
  page: z.string(),
});

/**
 * Creates a small project in a folder that the user picks. Opens it, shows its start page and the Resources view, and suggests the next
 * steps.
 */
export async function createSampleProject(dependencies: CommandDependencies): Promise<void> {
  const { input } = dependencies;
  const title = vscode.l10n.t('Create Sample Project');
  const sample = await input.pick(sampleItems(), {
    title,
    placeholder: vscode.l10n.t('Which kind of project do you want?'),
  });
  const parent = requireAnswer(await input.openFolder(title, vscode.l10n.t('Create Here'), besideOpenFolder()));
  if (parent.scheme !== 'file') {
    throw PackingError.notOnDisk(path.posix.basename(parent.path));
  }
  await confirmNestedFolder(parent, dependencies);
  const { folder, page } = await writeSampleProject(parent.fsPath, sample.kind, {
    // No translation is loaded for English, or for a language without one.
    language: vscode.l10n.bundle === undefined ? 'en' : vscode.env.language,
    toText: localize,
  }).catch((error: unknown) => {
    throw fileFailure(error, path.posix.basename(parent.path));
  });
  await openSample(vscode.Uri.file(folder), vscode.Uri.file(page), dependencies);
}

/** Returns the parent of the open folder. The dialog starts there, so that the sample isn't created in another app. */
function besideOpenFolder(): vscode.Uri | undefined {
  const uri = vscode.workspace.workspaceFolders?.[0]?.uri;
  return uri?.scheme === 'file' ? vscode.Uri.joinPath(uri, '..') : undefined;
}

/** Asks before creating a sample in an open folder, because the folder's app would include it. */
async function confirmNestedFolder(parent: vscode.Uri, { input }: CommandDependencies): Promise<void> {
  const around = vscode.workspace.getWorkspaceFolder(parent);
  if (around !== undefined && (await vscode.workspace.fs.readDirectory(around.uri)).length > 0) {
    await input.confirmOrCancel(
      vscode.l10n.t('Create the sample project in {0}?', around.name),
      vscode.l10n.t('It becomes part of this folder and its app.'),
      vscode.l10n.t('Create Anyway'),
    );
  }
}

/** Opens a sample in the window that the user chooses. That window then calls {@link showOpenedSample}. */
async function openSample(folder: vscode.Uri, page: vscode.Uri, dependencies: CommandDependencies): Promise<void> {
  const { globalState, input, notifications } = dependencies;
  if (vscode.workspace.getWorkspaceFolder(folder) !== undefined) {
    return showSample(folder, page, dependencies);
  }
  const thisWindow = { icon: 'window', label: vscode.l10n.t('Open in This Window') };
  const newWindow = { icon: 'multiple-windows', label: vscode.l10n.t('Open in a New Window') };
  const isEmpty = (vscode.workspace.workspaceFolders ?? []).length === 0;
  const question = {
    title: vscode.l10n.t('Create Sample Project'),
    placeholder: vscode.l10n.t('Where should {0} open?', path.posix.basename(folder.path)),
    ignoreFocusOut: true,
  };
  const where = isEmpty
    ? thisWindow
    : await input.pick([thisWindow, newWindow], question).catch((error: unknown) => {
        notifications.information(vscode.l10n.t('The sample project is in {0}.', folder.fsPath));
        throw error;
      });
  const opened: z.infer<typeof OPENED_SAMPLE> = { folder: folder.toString(), page: page.toString() };
  await globalState.update(SAMPLE_KEY, opened);
  const options = { forceNewWindow: where === newWindow, forceReuseWindow: where === thisWindow };
  await vscode.commands.executeCommand('vscode.openFolder', folder, options);
}

/**
 * Shows the sample project if its folder is open in this window. The first window that starts after the sample was created deletes the
 * stored entry.
 */
export async function showOpenedSample(dependencies: CommandDependencies): Promise<void> {
  const { globalState } = dependencies;
  const opened = read(OPENED_SAMPLE, globalState.get(SAMPLE_KEY));
  await globalState.update(SAMPLE_KEY, undefined);
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.toString() === opened?.folder)?.uri;
  if (opened !== undefined && folder !== undefined) {
    await showSample(folder, vscode.Uri.parse(opened.page), dependencies);
  }
}

/** Opens the start page and the Resources view, and suggests the next steps. */
async function showSample(folder: vscode.Uri, page: vscode.Uri, dependencies: CommandDependencies): Promise<void> {
  await vscode.window.showTextDocument(page, { preview: false });
  await vscode.commands.executeCommand(`${RESOURCES_VIEW_ID}.focus`);
  const [project] = await findWebProjects(folder);
  const title = project === undefined ? path.posix.basename(folder.path) : getProjectTitle(project);
  const previewTitle = vscode.l10n.t('Preview');
  dependencies.notifications.information(vscode.l10n.t('{0} is ready.', title), buildButton(dependencies, folder), {
    title: previewTitle,
    run: () => withCommandProgress(previewTitle, dependencies.tree.view, () => preview(dependencies, folder)),
  });
}

function sampleItems(): readonly (PickItem & { readonly kind: SampleKind })[] {
  return [
    {
      icon: 'browser',
      label: vscode.l10n.t('Web Page'),
      detail: vscode.l10n.t('A tally counter in HTML, CSS, and JavaScript.'),
      kind: 'page',
    },
    {
      icon: 'globe',
      label: vscode.l10n.t('Web App with a Manifest (PWA)'),
      detail: vscode.l10n.t('A shopping list with its own icon, name, and colors. It also works offline.'),
      kind: 'pwa',
    },
    {
      icon: 'device-mobile',
      label: vscode.l10n.t('Cordova Project'),
      detail: vscode.l10n.t('A greeting with a config.xml. Start here for an app with plugins.'),
      kind: 'cordova',
    },
    {
      icon: 'checklist',
      label: vscode.l10n.t('Device Check'),
      detail: vscode.l10n.t('Tests device features on your phone, and creates a report that you can copy.'),
      kind: 'device',
    },
  ];
}
