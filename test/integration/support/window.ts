/** The window in which all test files run: its state before each test, and the state that no file may leave behind. */
import { existsSync, readdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../../src/service-client/index.ts';
import type { TestAccess } from '../../../src/extension.ts';
import { configure, extensionId, until } from './extension.ts';
import { dirtyDocuments, openFolder, revertDocuments } from './webProject.ts';

/** Setting sections that tests change. All their settings are checked. */
const SECTIONS = ['appBuild', 'chat', 'files', 'http', 'task', 'tasks', 'xml'];

/**
 * Restores the state that a test may change: settings, sessions, open editors, watched builds, linked folders, filter and order of the
 * view, and the clipboard. It's fast if nothing has changed. The service URL is kept within a file, because the file has its own service
 * and writing a setting takes 200 ms.
 */
export async function resetWindow(): Promise<void> {
  const access = activeExtension();
  if (access === undefined) {
    // The extension hasn't run yet.
    return;
  }
  await forgetBuilds(access);
  for (const { id } of await access.sessions.all()) {
    await access.sessions.remove(id);
  }
  await configure({ clientId: undefined, callbackUrl: undefined });
  await closeEditors();
  if ((await vscode.env.clipboard.readText()) !== '') {
    await vscode.env.clipboard.writeText('');
  }
}

/** Prefix of the key of a folder's link. */
const FOLDER_APP = 'folderApp/';

/** Stops watching builds and unlinks folders from apps. */
async function forgetBuilds({ globalState, loadBuildServices }: TestAccess): Promise<void> {
  const { folders, watcher } = await loadBuildServices();
  for (const { appUrl } of watcher.all) {
    watcher.stop(appUrl);
  }
  for (const key of globalState.keys().filter((name) => name.startsWith(FOLDER_APP))) {
    const [service = '', folder = ''] = key.slice(FOLDER_APP.length).split('|');
    const local = service === 'local' || service === 'local-demo';
    const url = parseServiceUrl(local ? 'http://127.0.0.1' : service);
    const demo = service === 'local-demo';
    await folders.set(vscode.Uri.parse(folder), { service: { local, demo, url } }, undefined);
  }
}

/** Restores the remaining state after a test file: the extension's memory, such as the consent to a file that may contain a secret. */
export async function leaveWindow(): Promise<void> {
  await resetWindow();
  const access = activeExtension();
  for (const state of access === undefined ? [] : [access.globalState, access.context.workspaceState]) {
    for (const key of state.keys()) {
      await state.update(key, undefined);
    }
  }
  await configure({ serviceUrl: undefined });
  if (!existsSync(vscode.Uri.joinPath(openFolder().uri, '.vscode').fsPath)) {
    // VS Code notices the change with a delay, and would run this file's task in the next file.
    const tasks = () => vscode.workspace.getConfiguration('tasks', openFolder()).get<unknown[]>('tasks') ?? [];
    await until(vscode.workspace.onDidChangeConfiguration, () => tasks().length === 0);
  }
  await vscode.commands.executeCommand('notifications.clearAll');
  // While the App Build view is visible, VS Code also sends requests to the tree, which the tests would count.
  await vscode.commands.executeCommand('workbench.view.explorer');
}

/** Closes every editor and reverts unsaved changes. */
async function closeEditors(): Promise<void> {
  await revertDocuments();
  if (tabs().length > 0) {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
}

/** The observable state of the window, by name. */
type WindowState = ReadonlyMap<string, string>;

/** Returns the state that tests may change and must restore. */
export function windowState(): WindowState {
  const files = readdirSync(openFolder().uri.fsPath, { recursive: true, encoding: 'utf8' });
  return new Map([
    ...SECTIONS.map((name): [string, string] => [`settings of ${name}`, setIn(name)]),
    ...files.map((name): [string, string] => [`the file ${name}`, 'there']),
    // VS Code adds its own variables later.
    ...Object.entries(process.env)
      .filter(([name]) => !name.startsWith('VSCODE_'))
      .map(([name, value = '']): [string, string] => [`the variable ${name}`, value]),
    ...replaceableFunctions(),
  ]);
}

/** Returns the settings in a section without defaults, because VS Code adds its own later. */
function setIn(section: string): string {
  const found = vscode.workspace.getConfiguration(undefined, openFolder()).inspect(section);
  const { globalValue = {}, workspaceValue = {}, workspaceFolderValue = {} } = found ?? {};
  return JSON.stringify({ globalValue, workspaceValue, workspaceFolderValue });
}

/** Returns the changes that a test file has made to the window's state since `found` was recorded. */
export async function leftovers(found: WindowState): Promise<readonly string[]> {
  const state = windowState();
  const changed = [...new Set([...found.keys(), ...state.keys()])].filter(
    (name) => found.get(name) !== state.get(name),
  );
  const told = changed.map((name) => `${name}: ${state.get(name) ?? 'gone'}, was ${found.get(name) ?? 'not there'}`);
  return [...told, ...(await unfinished())];
}

/** Returns the state that a new window wouldn't have. */
async function unfinished(): Promise<readonly string[]> {
  const access = activeExtension();
  if (access === undefined) {
    return [];
  }
  const all: Readonly<Record<string, readonly string[]>> = {
    editors: tabs().map(({ label }) => label),
    'unsaved documents': dirtyDocuments().map(({ uri }) => uri.path),
    'a clipboard': [await vscode.env.clipboard.readText()],
    sessions: (await access.sessions.all()).map(({ id }) => id),
    secrets: await access.context.secrets.keys(),
    'a sign-in that waits': [access.callbacks.pending.page() ?? ''],
    'a local service that runs': access.localService.isRunning ? ['here'] : [],
    'watched builds': (await access.loadBuildServices()).watcher.all.map(({ appUrl }) => appUrl),
  };
  return Object.entries(all)
    .filter(([, names]) => names.some((name) => name !== ''))
    .map(([name, names]) => `${name}: ${names.join(', ')}`);
}

function activeExtension(): TestAccess | undefined {
  const extension = vscode.extensions.getExtension<TestAccess>(extensionId);
  return extension?.isActive === true ? extension.exports : undefined;
}

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

const numbers = new Map<unknown, number>();

/** Returns the functions of VS Code that tests replace, each with a unique number. */
function replaceableFunctions(): readonly [string, string][] {
  const { authentication, commands, env, languages, lm, tasks, window, workspace } = vscode;
  return Object.entries({ authentication, commands, env, languages, lm, tasks, window, workspace }).flatMap(
    ([owner, object]) =>
      Object.entries<{ readonly get?: unknown; readonly value?: unknown }>(
        Object.getOwnPropertyDescriptors(object),
      ).map(([name, { get, value }]): [string, string] => {
        const is = get ?? value;
        numbers.set(is, numbers.get(is) ?? numbers.size);
        return [`vscode.${owner}.${name}`, String(numbers.get(is))];
      }),
  );
}
