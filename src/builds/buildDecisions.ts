import * as vscode from 'vscode';
import type { Connections, SignedInConnection } from '../auth/connection.ts';
import type { Input } from '../workbench/input.ts';
import type { PackagePlan } from '../projects/packing/packageContents.ts';
import type { SecretConsents } from '../projects/packing/secretConsents.ts';
import { askAboutPages, askForPages, type Decided, type PagesDecisions } from './buildPages.ts';
import type { ProjectAnswers } from '../projects/projectAnswers.ts';
import type { FoundProject } from '../projects/projectSearch.ts';
import { confirmCheck, confirmSize, type ShowCheck } from './confirmCheck.ts';
import type { FolderCheck } from '../projects/preflight/checkFolder.ts';
import { chooseTarget, confirmSecondFolder, type TargetDecisions } from './chooseApp.ts';
import { chooseProject, projectPath, type ProjectWish } from '../projects/chooseProject.ts';
import { askForId } from '../projects/knownApp.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { withProgress } from '../workbench/progress.ts';
import { InvalidInputError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { listText } from '../workbench/texts.ts';

/** The decisions on the way from a folder to a build. Each throws, or rejects, when the build is not to go on. */
export interface BuildDecisions extends PagesDecisions, TargetDecisions {
  account(): Decided<SignedInConnection>;
  project(folder: vscode.WorkspaceFolder, projects: readonly FoundProject[], wish: ProjectWish): Decided<FoundProject>;
  /** The ID of an app that nothing gives one. */
  appId(proposal: string): Decided<string>;
  /** Whether files with unsaved changes are saved, where the person's setting is to ask. */
  saves(unsaved: readonly string[]): Decided<boolean>;
  /** Which of the files that may hold a secret are sent. */
  files(plan: PackagePlan): Decided<PackagePlan>;
  /** Whether a build that cannot work goes on. @param asked platforms; undefined for all that the app has. */
  check(check: FolderCheck, asked: readonly string[] | undefined): Decided<void>;
  /** Whether a large package is sent. */
  size(plan: PackagePlan, check: FolderCheck): Decided<void>;
}

/** How a person gets an account. */
export interface SignInSteps {
  readonly startLocalService: () => Promise<unknown>;
  /** Signs in at the service in use: at the local one as its owner, which asks nothing. Failures are shown there. */
  readonly signIn: () => Promise<unknown>;
  /** Does what ends with a sign-in. */
  readonly duringSignIn: <Result>(action: () => Promise<Result>) => Promise<Result>;
}

interface PersonDependencies extends SignInSteps {
  readonly connections: Connections;
  readonly input: Input;
  readonly consents: SecretConsents;
  readonly answers: ProjectAnswers;
  readonly showCheck: ShowCheck;
}

/** Asks the person in front of the window. Each rejects with CancelledError when a question is closed. */
export function personDecisions(dependencies: PersonDependencies): BuildDecisions {
  const { connections, input, consents, answers, showCheck } = dependencies;
  return {
    account: () => signInFirst(connections, dependencies),
    project: (folder, projects, wish) => chooseProject(folder, projects, wish, input),
    pagesFolder: (project) => askForPages(project, input),
    pages: (question) => askAboutPages(question, answers, input),
    appId: (proposal) => askForId(proposal, input),
    target: async ({ apps, newTitle, question }) => {
      const target = await chooseTarget(apps, newTitle, question, input);
      if (target?.kind === 'app') {
        await confirmSecondFolder(target.app, question.linkedTo(target.app), input);
      }
      return target;
    },
    saves: (unsaved) => askToSave(unsaved, input),
    files: (plan) => consents.confirm(plan, input),
    check: (check, asked) => confirmCheck(check, asked, input, showCheck),
    size: (plan, check) =>
      confirmSize(plan, projectPath(check.folder, check.project), input, () => showCheck(check, 'files')),
  };
}

/**
 * The signed-in account. Where no service is chosen, the local one is started: a person who builds a folder wants an app, and it
 * needs no account elsewhere. Then the person is signed in, where that is missing.
 *
 * @throws CancelledError when the person does not sign in; BuildServiceError when the connection is broken, or the local service does
 * not start.
 */
async function signInFirst(
  connections: Connections,
  { startLocalService, signIn, duringSignIn }: SignInSteps,
): Promise<SignedInConnection> {
  await duringSignIn(async () => {
    const { kind } = await connections.current();
    if (kind === 'unconfigured') {
      await withProgress({ view: 'appBuild.resources' }, () => startLocalService());
    }
    if (await isSignedOut(connections)) {
      await signIn();
      if (await isSignedOut(connections)) {
        throw new CancelledError();
      }
    }
  });
  return connections.requireSignedIn();
}

async function isSignedOut(connections: Connections): Promise<boolean> {
  return (await connections.current()).kind === 'signedOut';
}

/**
 * Saves the files of a folder that have unsaved changes, asks, or leaves them, depending on the user's setting
 * `task.saveBeforeRun`.
 *
 * @param isAgreed whether they are saved, where the setting is to ask; gets their paths.
 * @throws InvalidInputError when one cannot be saved; CancelledError when the question is closed.
 */
export async function saveFiles(
  folder: vscode.Uri,
  isAgreed: (unsaved: readonly string[]) => boolean | Promise<boolean>,
): Promise<void> {
  const prefix = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, uri }) =>
      isDirty && uri.scheme === folder.scheme && uri.authority === folder.authority && uri.path.startsWith(prefix),
  );
  const setting = vscode.workspace.getConfiguration('task').get('saveBeforeRun');
  if (
    unsaved.length === 0 ||
    setting === 'never' ||
    (setting === 'prompt' && !(await isAgreed(unsaved.map(nameOfDocument))))
  ) {
    return;
  }
  for (const document of unsaved) {
    if (!(await document.save())) {
      throw new InvalidInputError(
        sentence('{0} could not be saved, so nothing was sent.', nameOfDocument(document)),
        sentence('Save it, then try again.'),
        'retry',
      );
    }
  }
}

/** Asks whether files are saved. @throws CancelledError when the question is closed. */
async function askToSave(unsaved: readonly string[], input: Input): Promise<boolean> {
  const chosen = await input.pick(
    [
      { icon: 'save', label: vscode.l10n.t('Save and Build'), save: true },
      { icon: 'play', label: vscode.l10n.t('Build What Is on the Disk'), save: false },
    ],
    {
      title: vscode.l10n.t('Build This Folder'),
      placeholder: vscode.l10n.t('Not saved yet: {0}', listText(unsaved)),
    },
  );
  return chosen.save;
}

function nameOfDocument({ uri }: vscode.TextDocument): string {
  return vscode.workspace.asRelativePath(uri);
}
