import * as vscode from 'vscode';
import type { SignedInConnection } from '../auth/connection.ts';
import { listText } from '../workbench/texts.ts';
import { exists } from '../workbench/exists.ts';
import type { FolderApps, FolderApp } from '../apps/folderApps.ts';
import type { Input } from '../workbench/input.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import { type App, findApps, isAppAddress } from '../apps/model/app.ts';
import { findOperation } from '../apps/model/operation.ts';
import { appNotFound, createNotOffered, isGone } from '../apps/appErrors.ts';
import type { FoundProject } from '../projects/projectSearch.ts';
import type { Decided } from './buildPages.ts';
import { projectPath } from '../projects/chooseProject.ts';
import { titleOfProject } from '../projects/knownApp.ts';
import type { Step } from './joinedBuild.ts';

/** The app that a folder is sent to. */
export type UploadTarget =
  | { readonly kind: 'create'; readonly title: string }
  | { readonly kind: 'app'; readonly app: App };

/** The apps that a folder can be built as. */
interface AppChoice {
  readonly title: string;
  readonly placeholder: string;
  /** The account's. */
  readonly apps: readonly App[];
  /** Of the folder: an app that shares one of them is proposed first, so that no second one is created by mistake. */
  readonly names: readonly string[];
  /** Names of the other folders that are linked to an app. */
  readonly linkedTo: (app: App) => readonly string[];
}

export interface TargetChoice extends AppChoice {
  /** Title of one that is created; undefined where the service offers to create none. */
  readonly newTitle: string | undefined;
  /** True where the folder had an app, which is gone: none is created in its place without a question. */
  readonly isAgain: boolean;
}

export interface TargetDecisions {
  /** The app of a folder that has none. @returns undefined when there is nothing to choose. */
  target(choice: TargetChoice): Decided<UploadTarget | undefined>;
}

/** Asks which app a folder is built as: one of those that a package may be uploaded to. @throws CancelledError when the list is closed */
export async function chooseApp(choice: AppChoice, input: Input): Promise<App> {
  const { app } = await input.pick(itemsOf(choice), optionsOf(choice));
  return app;
}

/**
 * As {@link chooseApp}, with one that is created: the first in the list, unless an app of that name is there. Where there is no app
 * yet, nothing is asked.
 *
 * @returns undefined when there is nothing to choose.
 */
export async function chooseTarget(choice: TargetChoice, input: Input): Promise<UploadTarget | undefined> {
  const { apps, newTitle, isAgain } = choice;
  const created = newTitle === undefined ? [] : [{ kind: 'create', title: newTitle } as const];
  if (apps.length === 0 && !isAgain) {
    return created[0];
  }
  const items = itemsOf(choice).map((item) => ({ ...item, target: { kind: 'app', app: item.app } as const }));
  const create = created.map((target) => ({
    icon: 'add',
    label: vscode.l10n.t('Create an App'),
    description: target.title,
    target,
  }));
  const proposed = items.filter(({ app }) => isOf(app, choice));
  const all = [...proposed, ...create, ...items.slice(proposed.length)];
  return all.length === 0 ? undefined : (await input.pick(all, optionsOf(choice))).target;
}

/** The apps that can be chosen, those of the folder's own name first. */
function itemsOf(choice: AppChoice) {
  return choice.apps
    .filter(({ resource }) => findOperation(resource, 'upload') !== undefined)
    .toSorted((left, right) => Number(isOf(right, choice)) - Number(isOf(left, choice)))
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

function isOf({ packageId, title }: App, { names }: AppChoice): boolean {
  return names.some((name) => name === packageId || name === title);
}

function optionsOf({ title, placeholder }: AppChoice) {
  return { title, placeholder, ignoreFocusOut: true };
}

/** Asks whether a second folder may be built as the same app, each in place of the other. @throws CancelledError */
export async function confirmSecondFolder(app: App, folders: readonly string[], input: Input): Promise<void> {
  if (folders.length === 0) {
    return;
  }
  await input.confirmOrCancel(
    vscode.l10n.t('“{0}” is built from another folder already.', app.title),
    vscode.l10n.t(
      'It is {0}. What is built from one folder takes the place of what came from the other.',
      listText(folders),
    ),
    vscode.l10n.t('Link Anyway'),
  );
}

/** The other folders that apps are built from, by the address of the app. One that is gone does not count. */
export async function otherFolders(
  folders: FolderApps,
  folder: vscode.WorkspaceFolder,
  connection: SignedInConnection,
  apps: readonly App[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const entries = apps.map(async ({ url }) => {
    const linked = folders.foldersOf(url, connection).filter((uri) => uri.toString() !== folder.uri.toString());
    const there = await Promise.all(linked.map(async (uri) => ((await exists(uri)) ? [pathOfUri(uri)] : [])));
    return [url, there.flat()] as const;
  });
  return new Map(await Promise.all(entries));
}

/** A path as people write it, where there is one. */
export function pathOfUri(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}

interface TargetContext {
  readonly folder: vscode.WorkspaceFolder;
  readonly project: FoundProject;
  /** The app that the folder is linked to; undefined also where another one is asked for. */
  readonly link: FolderApp | undefined;
  readonly connection: SignedInConnection;
  readonly calls: AppCalls;
  readonly folders: FolderApps;
  readonly decisions: TargetDecisions;
  readonly step: Step;
}

/** The app that is named. @param name title, package, number, path or address. @throws appNotFound; BuildServiceError */
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
 * The app that a folder is linked to. If there is none, or it's gone, the user chooses one.
 *
 * @throws BuildServiceError; CancelledError when the user closes a question.
 */
export async function linkedTarget(context: TargetContext): Promise<UploadTarget> {
  const { link, connection, calls, step } = context;
  if (link === undefined) {
    return chosenTarget(context);
  }
  try {
    const get = (signal: AbortSignal) => calls.get(link.url, { signal });
    return { kind: 'app', app: await step(askingTitle(connection), get) };
  } catch (error) {
    if (isGone(error)) {
      return chosenTarget(context);
    }
    throw error;
  }
}

/**
 * The app to build, or to create. The question mentions a link of the folder that leads nowhere.
 *
 * @throws createNotOffered when there is nothing to choose; BuildServiceError; CancelledError when the user closes a
 *   question.
 */
export async function chosenTarget(context: TargetContext): Promise<UploadTarget> {
  const { folder, project, link, connection, calls, folders, decisions, step } = context;
  const list = (signal: AbortSignal) => calls.appList({ signal });
  const { apps, creations } = await step(askingTitle(connection), list);
  const others = await otherFolders(folders, folder, connection, apps);
  const [name, path] = [titleOfProject(project), projectPath(folder, project)];
  const target = await decisions.target({
    title: vscode.l10n.t('Build App'),
    placeholder:
      link === undefined
        ? vscode.l10n.t('Which app does {0} build?', path)
        : vscode.l10n.t(
            '“{0}” is gone, or {1} can’t see it. Which app does {2} build?',
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
  return vscode.l10n.t('Asking {0}', connection.service.url.host);
}
