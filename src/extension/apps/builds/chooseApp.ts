import * as vscode from 'vscode';
import type { SignedInConnection } from '../../auth/connection.ts';
import { listText } from '../../workbench/texts.ts';
import { uriExists } from '../../workbench/exists.ts';
import type { FolderApps, FolderApp } from '../folderApps.ts';
import type { Input } from '../../workbench/input.ts';
import type { AppCalls } from '../calls/appCalls.ts';
import { type App, findApps, isAppAddress } from '../model/app.ts';
import { findOperation } from '../model/operation.ts';
import { appNotFound, createNotOffered, isGone } from '../appErrors.ts';
import type { FoundProject } from '../../../web-project/index.ts';
import type { MaybePromise } from './buildPages.ts';
import { projectPath } from '../../preflight/chooseProject.ts';
import { getProjectTitle } from '../../preflight/knownApp.ts';
import type { BuildProgressStep } from './joinedBuild.ts';

/** The app that a folder is uploaded to. */
export type UploadTarget =
  | { readonly kind: 'create'; readonly title: string }
  | { readonly kind: 'app'; readonly app: App };

/** The apps to choose from for a folder. */
interface AppChoice {
  readonly title: string;
  readonly placeholder: string;
  readonly apps: readonly App[];
  /**
   * Possible names of the folder's app. The list starts with apps that have one of these names, so that the user doesn't create a second
   * one by mistake.
   */
  readonly names: readonly string[];
  /** Returns the names of the other folders that are linked to an app. */
  readonly linkedTo: (app: App) => readonly string[];
}

/** A choice that includes creating an app. */
export interface TargetChoice extends AppChoice {
  /** Title of the app to create. Undefined if the service doesn't offer to create apps. */
  readonly newTitle: string | undefined;
  /** True if the folder was linked to an app that no longer exists. In that case, asks before creating an app. */
  readonly isAgain: boolean;
}

/** The decision about the app of a folder. */
export interface TargetDecisions {
  /** Chooses the app for a folder that isn't linked to one. @returns undefined if there's nothing to choose from. */
  target(choice: TargetChoice): MaybePromise<UploadTarget | undefined>;
}

/** Asks which app to build from a folder. Lists only apps that accept a package. @throws CancelledError if the user closes the list. */
export async function chooseApp(choice: AppChoice, input: Input): Promise<App> {
  const { app } = await input.pick(createItems(choice), getPickOptions(choice));
  return app;
}

/**
 * Like {@link chooseApp}, but also offers to create an app, as the first item unless an app has the folder's name. If the account has no
 * apps, returns the app to create without asking.
 *
 * @returns undefined if there's nothing to choose from.
 * @throws CancelledError if the user closes the list.
 */
export async function chooseTarget(choice: TargetChoice, input: Input): Promise<UploadTarget | undefined> {
  const { apps, newTitle, isAgain } = choice;
  const created = newTitle === undefined ? [] : [{ kind: 'create', title: newTitle } as const];
  if (apps.length === 0 && !isAgain) {
    return created[0];
  }
  const items = createItems(choice).map((item) => ({ ...item, target: { kind: 'app', app: item.app } as const }));
  const create = created.map((target) => ({
    icon: 'add',
    label: vscode.l10n.t('Create an App'),
    description: target.title,
    target,
  }));
  const proposed = items.filter(({ app }) => isNamed(app, choice));
  const all = [...proposed, ...create, ...items.slice(proposed.length)];
  return all.length === 0 ? undefined : (await input.pick(all, getPickOptions(choice))).target;
}

/** Returns list items for the apps that accept a package, starting with apps that have the folder's name. */
function createItems(choice: AppChoice) {
  return choice.apps
    .filter(({ resource }) => findOperation(resource, 'upload') !== undefined)
    .toSorted((left, right) => Number(isNamed(right, choice)) - Number(isNamed(left, choice)))
    .map((app) => {
      const folders = choice.linkedTo(app);
      return {
        icon: 'package',
        label: app.title,
        ...(app.packageId !== undefined && { description: app.packageId }),
        ...(folders.length > 0 && { detail: vscode.l10n.t('Built from the folder {0}', listText(folders)) }),
        app,
      };
    });
}

function isNamed({ packageId, title }: App, { names }: AppChoice): boolean {
  return names.some((name) => name === packageId || name === title);
}

function getPickOptions({ title, placeholder }: AppChoice) {
  return { title, placeholder, ignoreFocusOut: true };
}

/**
 * Asks whether to build a second folder as the same app, because each build would replace the other folder's build.
 *
 * @throws CancelledError if the user declines.
 */
export async function confirmSecondFolder(app: App, folders: readonly string[], input: Input): Promise<void> {
  if (folders.length === 0) {
    return;
  }
  await input.confirmOrCancel(
    vscode.l10n.t('“{0}” is already built from another folder.', app.title),
    vscode.l10n.t('That folder is {0}. Builds from one folder replace builds from the other.', listText(folders)),
    vscode.l10n.t('Link Anyway'),
  );
}

/** Returns the other folders that are linked to apps, by app address. Leaves out folders that no longer exist. */
export async function otherFolders(
  folders: FolderApps,
  folder: vscode.WorkspaceFolder,
  connection: SignedInConnection,
  apps: readonly App[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const entries = apps.map(async ({ url }) => {
    const linked = folders.getFolders(url, connection).filter((uri) => uri.toString() !== folder.uri.toString());
    const there = await Promise.all(linked.map(async (uri) => ((await uriExists(uri)) ? [getUriPath(uri)] : [])));
    return [url, there.flat()] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Returns the path of a folder for display, in the file system's notation if the folder is on disk. */
export function getUriPath(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}

interface TargetContext {
  readonly folder: vscode.WorkspaceFolder;
  readonly project: FoundProject;
  /** The app that the folder is linked to. Undefined if it isn't linked, or if the user asked to choose another app. */
  readonly link: FolderApp | undefined;
  readonly connection: SignedInConnection;
  readonly calls: AppCalls;
  readonly folders: FolderApps;
  readonly decisions: TargetDecisions;
  readonly step: BuildProgressStep;
}

/**
 * Finds an app by its name.
 *
 * @param name title, package ID, number, path, or address.
 * @throws Failure if no app or several apps have the name; BuildServiceError.
 */
export async function namedTarget(name: string, { calls, step }: TargetContext): Promise<UploadTarget> {
  const find = async (signal: AbortSignal): Promise<App> => {
    if (isAppAddress(name)) {
      return calls.get(calls.client.resolve(name), { signal });
    }
    const found = findApps(name, await calls.list({ signal }));
    const [app] = found;
    if (app === undefined || found.length > 1) {
      throw appNotFound(name, found.length);
    }
    return app;
  };
  const title = vscode.l10n.t('Looking for the app “{0}”', name);
  return { kind: 'app', app: await step(title, find) };
}

/**
 * Returns the app that the folder is linked to. If the folder isn't linked, or the app no longer exists, the user chooses one.
 *
 * @throws BuildServiceError; CancelledError if the user closes a question.
 */
export async function linkedTarget(context: TargetContext): Promise<UploadTarget> {
  const { link, connection, calls, step } = context;
  if (link === undefined) {
    return askForTarget(context);
  }
  try {
    const get = (signal: AbortSignal) => calls.get(link.url, { signal });
    return { kind: 'app', app: await step(askingTitle(connection), get) };
  } catch (error) {
    if (isGone(error)) {
      return askForTarget(context);
    }
    throw error;
  }
}

/**
 * Asks the user to choose an app to build or to create. If the folder's link is broken, the question mentions it.
 *
 * @throws Failure if there's nothing to choose from; BuildServiceError; CancelledError if the user closes a question.
 */
export async function askForTarget(context: TargetContext): Promise<UploadTarget> {
  const { folder, project, link, connection, calls, folders, decisions, step } = context;
  const list = (signal: AbortSignal) => calls.appList({ signal });
  const { apps, creations } = await step(askingTitle(connection), list);
  const others = await otherFolders(folders, folder, connection, apps);
  const [name, path] = [getProjectTitle(project), projectPath(folder, project)];
  const target = await decisions.target({
    title: vscode.l10n.t('Build App'),
    placeholder:
      link === undefined
        ? vscode.l10n.t('Which app does {0} build?', path)
        : vscode.l10n.t(
            '“{0}” no longer exists, or {1} can’t access it. Which app does {2} build?',
            ...[link.title, connection.username, path],
          ),
    apps,
    names: [project.facts.id?.value, name].filter((each) => each !== undefined),
    linkedTo: (app) => others.get(app.url) ?? [],
    newTitle: creations.includes('create-from-file') ? name : undefined,
    isAgain: link !== undefined,
  });
  if (target === undefined) {
    throw createNotOffered(connection.service.url.host);
  }
  return target;
}

function askingTitle(connection: SignedInConnection): string {
  return vscode.l10n.t('Connecting to {0}', connection.service.url.host);
}
