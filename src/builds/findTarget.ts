import * as vscode from 'vscode';
import type { SignedInConnection } from '../auth/connection.ts';
import { CALL_PROGRESS_DELAY_MS } from '../workbench/limits.ts';
import { createNotOffered, isGone } from '../apps/appErrors.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import type { App } from '../apps/model/app.ts';
import type { FoundProject } from '../projects/projectSearch.ts';
import type { BuildDecisions } from './buildDecisions.ts';
import { appOfTask, otherFolders, type UploadTarget } from './chooseApp.ts';
import { projectPath } from '../projects/chooseProject.ts';
import { titleOfProject } from '../projects/knownApp.ts';
import type { FolderApp, FolderApps } from '../apps/folderApps.ts';
import type { Step } from './joinedBuild.ts';

export interface TargetContext {
  readonly folder: vscode.WorkspaceFolder;
  readonly project: FoundProject;
  /** The app that the folder is linked to; undefined also where another one is asked for. */
  readonly link: FolderApp | undefined;
  readonly connection: SignedInConnection;
  readonly calls: AppCalls;
  readonly folders: FolderApps;
  readonly decisions: Pick<BuildDecisions, 'target'>;
  readonly step: Step;
}

/** The app that is named. @param name title, package, path or address. Fails when there is none, or more than one */
export async function namedTarget(name: string, { calls, step }: TargetContext): Promise<UploadTarget> {
  const title = vscode.l10n.t('Looking for the app “{0}”', name);
  return { kind: 'app', app: await step(title, (signal) => appOfTask(calls, name, signal), CALL_PROGRESS_DELAY_MS) };
}

/**
 * The app that a folder is linked to; the one that the person chooses where there is none, or where it is gone.
 *
 * @throws BuildServiceError; CancelledError when the person closes a question.
 */
export async function linkedTarget(context: TargetContext): Promise<UploadTarget> {
  const { link, connection, calls, step } = context;
  if (link === undefined) {
    return chosenTarget(context);
  }
  try {
    const get = (signal: AbortSignal) => calls.get(link.url, { signal });
    return { kind: 'app', app: await step(askingTitle(connection), get, CALL_PROGRESS_DELAY_MS) };
  } catch (error) {
    if (isGone(error)) {
      return chosenTarget(context);
    }
    throw error;
  }
}

/**
 * The app, or the one to create, that is decided on. A link that the folder has leads nowhere, which the question says.
 *
 * @throws createNotOffered when there is nothing to choose; BuildServiceError; CancelledError when the person closes a
 *   question.
 */
export async function chosenTarget(context: TargetContext): Promise<UploadTarget> {
  const { folder, project, link, connection, calls, folders, decisions, step } = context;
  const list = (signal: AbortSignal) => calls.appList({ signal });
  const { apps, creations } = await step(askingTitle(connection), list, CALL_PROGRESS_DELAY_MS);
  const others = await otherFolders(folders, folder, connection, apps);
  const linkedTo = (app: App) => others.get(app.url) ?? [];
  const name = titleOfProject(project);
  const question = {
    title: vscode.l10n.t('Build This Folder'),
    isAgain: link !== undefined,
    placeholder: placeholderOf(context),
    names: [project.facts.id?.value, name].filter((each) => each !== undefined),
    linkedTo,
  };
  const newTitle = creations.includes('create-from-file') ? name : undefined;
  const target = await decisions.target({ apps, newTitle, question });
  if (target === undefined) {
    throw createNotOffered(connection.service.url.host);
  }
  return target;
}

function placeholderOf({ folder, project, link, connection }: TargetContext): string {
  const name = projectPath(folder, project);
  return link === undefined
    ? vscode.l10n.t('Which app is {0} built as?', name)
    : vscode.l10n.t(
        '“{0}” is no longer at the service, or {1} does not see it. Which app is {2} built as?',
        link.title,
        connection.username,
        name,
      );
}

function askingTitle(connection: SignedInConnection): string {
  return vscode.l10n.t('Asking {0}', connection.service.url.host);
}
