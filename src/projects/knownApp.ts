import path from 'node:path';
import * as vscode from 'vscode';
import { sentence } from '../api/errors/sentence.ts';
import { idFault, proposedId, webAddressOf } from '../configXml/checks/appId.ts';
import type { Input } from '../workbench/input.ts';
import { localised } from '../workbench/notifications.ts';
import { hasIcon, type App } from '../apps/model/app.ts';
import type { Fact } from './appFacts.ts';
import type { KnownApp } from './madeConfig.ts';
import type { ProjectAnswers } from './projectAnswers.ts';
import type { WebProject } from './projectSearch.ts';

/** Folders whose name says what a tool has put there, and nothing of the app. */
const NAMELESS = /^(?:www|dist|build|out|public|src|browser)$/i;

/**
 * Facts about an app that do not come from the files of its project.
 *
 * @param app that the project is sent to; undefined for one that is created, or when the person is not signed in
 * @param title of the app that is created
 */
export function knownApp(
  project: WebProject,
  app: App | undefined,
  answers: ProjectAnswers,
  title = titleOfProject(project),
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

/** Whether a person is to be asked for the ID of an app. */
export function lacksId(project: WebProject, app: App | undefined, answers: ProjectAnswers): boolean {
  return knownId(project, app, answers) === undefined;
}

/** Asks for the ID of an app that nothing gives one. @throws CancelledError when the box is closed */
export async function askForId(proposal: string, input: Input): Promise<string> {
  return input.askText({
    title: vscode.l10n.t('Build App'),
    prompt: vscode.l10n.t('App ID. It identifies your app on phones and in app stores, and can’t be changed later.'),
    placeholder: 'com.example.app',
    value: proposal,
    validate: (text) => {
      const fault = idFault(text);
      return fault && localised(fault);
    },
  });
}

/** The title of the app: from the files of the project, else from its folder, but not from one like `dist`. */
export function titleOfProject({ name, uri }: WebProject): string {
  const folders = uri.path.split('/').filter((part) => part !== '');
  return name ?? folders.findLast((folder) => !NAMELESS.test(folder)) ?? path.posix.basename(uri.path);
}

function knownId(project: WebProject, app: App | undefined, answers: ProjectAnswers): Fact | undefined {
  const { id } = answers.of(project);
  const ofApp = app?.packageId === undefined ? undefined : atService(app.packageId);
  return id === undefined ? ofApp : { value: id, from: sentence('As in the first build') };
}

function atService(value: string): Fact {
  return { value, from: sentence('The app at the service') };
}

/** The part of the API of VS Code's own Git extension that is used (`extensions/git/src/api/git.d.ts`). */
interface GitExtension {
  /** @throws Error when `git.enabled` is off, or there is no git. */
  getAPI(version: 1): {
    getRepository(uri: vscode.Uri): {
      readonly state: {
        readonly HEAD: { readonly name?: string } | undefined;
        readonly remotes: readonly { readonly name: string; readonly fetchUrl?: string }[];
      };
    } | null;
  };
}

/** Where a folder's files are kept, as the service could fetch them. */
interface GitRemote {
  /** Without credentials. */
  readonly url: string;
  /** The branch that is checked out; undefined when there is none. */
  readonly branch: string | undefined;
}

/** The remote of the first folder that has one: `origin`, else its first. Undefined where VS Code's Git extension knows none. */
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
      const url = webAddressOf(fetchUrl);
      if (url !== undefined) {
        return { url, branch: HEAD?.name };
      }
    }
  } catch {
    // Git is switched off.
  }
  return undefined;
}
