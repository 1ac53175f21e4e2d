import path from 'node:path';
import * as vscode from 'vscode';
import { sentence } from '../../errors/index.ts';
import { idFault, proposedId, toWebAddress } from '../../config-xml/index.ts';
import type { Input } from '../workbench/input.ts';
import { localize } from '../workbench/notifications.ts';
import { hasIcon, type App } from '../apps/model/app.ts';
import type { AppFact, KnownApp, WebProject } from '../../web-project/index.ts';
import type { ProjectAnswers } from './projectAnswers.ts';

/** Matches names of folders that tools create and that don't describe the app. */
const NAMELESS = /^(?:www|dist|build|out|public|src|browser)$/i;

/**
 * Returns facts about an app from sources other than the files of its project.
 *
 * @param app the app that receives the project. Undefined for a new app, or if the user isn't signed in.
 * @param title the title of a new app
 */
export function knownApp(
  project: WebProject,
  app: App | undefined,
  answers: ProjectAnswers,
  title = getProjectTitle(project),
): KnownApp {
  return {
    id: knownId(project, app, answers) ?? {
      value: proposedId(findGitRemote([project])?.url, title),
      from: sentence('Proposed: the first build asks for it'),
    },
    title: app === undefined ? { value: title, from: sentence('Name of the app') } : atService(app.title),
    version: app?.version === undefined ? undefined : atService(app.version),
    hasIcon: app !== undefined && hasIcon(app),
  };
}

/** Reports whether to ask the user for the ID of an app. */
export function lacksId(project: WebProject, app: App | undefined, answers: ProjectAnswers): boolean {
  return knownId(project, app, answers) === undefined;
}

/** Asks the user for an app ID. @throws CancelledError if the user closes the box */
export async function askForId(proposal: string, input: Input): Promise<string> {
  return input.askText({
    title: vscode.l10n.t('Build App'),
    prompt: vscode.l10n.t('App ID. It identifies your app on phones and in app stores, and can’t be changed later.'),
    placeholder: 'com.example.app',
    value: proposal,
    validate: (text) => {
      const fault = idFault(text);
      return fault && localize(fault);
    },
  });
}

/** Returns the app's title from the project's files, or else from its folder's name. Skips folders such as `dist`. */
export function getProjectTitle({ name, uri }: WebProject): string {
  const folders = uri.path.split('/').filter((part) => part !== '');
  return name ?? folders.findLast((folder) => !NAMELESS.test(folder)) ?? path.posix.basename(uri.path);
}

function knownId(project: WebProject, app: App | undefined, answers: ProjectAnswers): AppFact | undefined {
  const { id } = answers.get(project);
  const appId = app?.packageId === undefined ? undefined : atService(app.packageId);
  return id === undefined ? appId : { value: id, from: sentence('As in the first build') };
}

function atService(value: string): AppFact {
  return { value, from: sentence('The app at the service') };
}

/** The part of the API of VS Code's Git extension that is used here (`extensions/git/src/api/git.d.ts`). */
interface GitExtension {
  /** @throws Error if `git.enabled` is off or Git is missing */
  getAPI(version: 1): {
    getRepository(uri: vscode.Uri): {
      readonly state: {
        readonly HEAD: { readonly name?: string } | undefined;
        readonly remotes: readonly { readonly name: string; readonly fetchUrl?: string }[];
      };
    } | null;
  };
}

/** A remote repository that the service could fetch a folder's files from. */
interface GitRemote {
  /** URL without credentials. */
  readonly url: string;
  /** The current branch, or undefined if there is none. */
  readonly branch: string | undefined;
}

/**
 * Returns the remote of the first folder that has one: `origin`, or else its first remote. Returns undefined if VS
 * Code's Git extension finds none.
 */
export function findGitRemote(folders: readonly Pick<vscode.WorkspaceFolder, 'uri'>[]): GitRemote | undefined {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension?.isActive !== true) {
    return undefined;
  }
  try {
    const git = extension.exports.getAPI(1);
    for (const { uri } of folders) {
      const { HEAD, remotes } = git.getRepository(uri)?.state ?? { HEAD: undefined, remotes: [] };
      const { fetchUrl = '' } = remotes.find(({ name }) => name === 'origin') ?? remotes[0] ?? {};
      const url = toWebAddress(fetchUrl);
      if (url !== undefined) {
        return { url, branch: HEAD?.name };
      }
    }
  } catch {
    // Git is disabled in VS Code.
  }
  return undefined;
}
