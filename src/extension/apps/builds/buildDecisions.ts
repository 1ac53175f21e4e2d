import * as vscode from 'vscode';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import type { Input } from '../../workbench/input.ts';
import {
  type FoundProject,
  getBiggestFiles,
  getPlanSummary,
  getWarningSentence,
  hasTrait,
  leavesBlank,
  type PackagePlan,
  platformName,
  stoppingFindings,
} from '../../../web-project/index.ts';
import type { SecretConsents } from '../../preflight/secretConsents.ts';
import {
  askAboutPages,
  askForPages,
  askForWrittenPages,
  type MaybePromise,
  type PagesDecisions,
} from './buildPages.ts';
import type { ProjectAnswers } from '../../preflight/projectAnswers.ts';
import type { FolderCheck } from '../../preflight/checkFolder.ts';
import type { Log } from '../../workbench/log.ts';
import { localize, type NotificationButton } from '../../workbench/notifications.ts';
import type { ReportStep } from './joinedBuild.ts';
import { chooseTarget, confirmSecondFolder, type TargetDecisions } from './chooseApp.ts';
import { chooseProject, projectPath, type ProjectSelector } from '../../preflight/chooseProject.ts';
import { askForId } from '../../preflight/knownApp.ts';
import { CancelledError, InvalidInputError, sentence } from '../../../errors/index.ts';
import { withProgress } from '../../workbench/progress.ts';
import { listText, paragraph, sizeText } from '../../workbench/texts.ts';
import type { Finding } from '../../preflight/finding.ts';

/** Maximum number of bytes that are uploaded without asking the user. */
export const MAX_UNASKED_BYTES = 50_000_000;

/** Returns the buttons that help with findings, best first. */
export type RemedyButtons = (findings: readonly Finding[]) => readonly NotificationButton[];

/** Shows a check in its view, with the findings or the files selected. */
export type ShowCheck = (check: FolderCheck, part: 'findings' | 'files') => Promise<void>;

/** Decisions to make before a folder is built. A decision throws or rejects to stop the build. */
export interface BuildDecisions extends PagesDecisions, TargetDecisions {
  /** Returns the account that the build uses. */
  account(): MaybePromise<SignedInConnection>;
  /** Returns the project to build. */
  project(
    folder: vscode.WorkspaceFolder,
    projects: readonly FoundProject[],
    wish: ProjectSelector,
  ): MaybePromise<FoundProject>;
  /** Returns the app ID if no file sets one. */
  appId(proposal: string): MaybePromise<string>;
  /** Returns whether to save unsaved files. Called if the user's setting is `prompt`. */
  saves(unsaved: readonly string[]): MaybePromise<boolean>;
  /** Decides which of the files that may contain secrets are sent. Returns the plan without the rejected files. */
  files(plan: PackagePlan): MaybePromise<PackagePlan>;
  /**
   * Decides whether to build even though the check found errors.
   *
   * @param asked the requested platforms, or undefined for all of the app's platforms.
   */
  check(check: FolderCheck, asked: readonly string[] | undefined): MaybePromise<void>;
  /** Decides whether to send a large package. */
  size(plan: PackagePlan, check: FolderCheck): MaybePromise<void>;
}

/** Steps that lead to a signed-in account. */
export interface SignInSteps {
  readonly startLocalService: () => Promise<unknown>;
  /** Signs in to the current service. The local service signs in its owner without asking. Shows failures instead of throwing them. */
  readonly signIn: () => Promise<unknown>;
  /** Runs an action that leads to a sign-in. */
  readonly duringSignIn: <Result>(action: () => Promise<Result>) => Promise<Result>;
}

interface UserDecisionsDependencies extends SignInSteps {
  readonly connections: Connections;
  readonly input: Input;
  readonly consents: SecretConsents;
  readonly answers: ProjectAnswers;
  readonly showCheck: ShowCheck;
  readonly remedies: RemedyButtons;
}

/** Creates the decisions that ask the user. All of them reject with a CancelledError when the user closes the question. */
export function createUserDecisions(dependencies: UserDecisionsDependencies): BuildDecisions {
  const { connections, input, consents, answers, showCheck, remedies } = dependencies;
  return {
    account: () => signInFirst(connections, dependencies),
    project: (folder, projects, wish) => chooseProject(folder, projects, wish, input),
    pagesFolder: (project) => askForPages(project, input),
    writtenPages: (project, folders) => askForWrittenPages(project, folders, input),
    pages: (question) => askAboutPages(question, answers, input),
    appId: (proposal) => askForId(proposal, input),
    target: async (choice) => {
      const target = await chooseTarget(choice, input);
      if (target?.kind === 'app') {
        await confirmSecondFolder(target.app, choice.linkedTo(target.app), input);
      }
      return target;
    },
    saves: (unsaved) => askToSave(unsaved, input),
    files: (plan) => consents.confirm(plan, input),
    check: (check, asked) => confirmCheck(check, asked, input, { showCheck, remedies }),
    size: (plan, check) =>
      confirmSize(plan, projectPath(check.folder, check.project), input, () => showCheck(check, 'files')),
  };
}

/**
 * Returns the signed-in account. If no service is chosen, starts the local service, which doesn't require an existing account. If the user
 * isn't signed in, starts the sign-in.
 *
 * @throws CancelledError if the user doesn't sign in; BuildServiceError if the connection is broken or the local service can't start.
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
 * Saves the unsaved files of a folder, asks, or leaves them unsaved, depending on the user's setting `task.saveBeforeRun`.
 *
 * @param isAgreed receives the paths of the files and returns whether to save them. Called if the setting is `prompt`.
 * @throws InvalidInputError if a file can't be saved; CancelledError if the user closes the question.
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
    (setting === 'prompt' && !(await isAgreed(unsaved.map(getDocumentName))))
  ) {
    return;
  }
  for (const document of unsaved) {
    if (!(await document.save())) {
      throw new InvalidInputError(
        sentence('{0} couldn’t be saved, so nothing was sent.', getDocumentName(document)),
        sentence('Save it, then try again.'),
        'retry',
      );
    }
  }
}

/** Asks whether to save files. @throws CancelledError if the user closes the question. */
async function askToSave(unsaved: readonly string[], input: Input): Promise<boolean> {
  const chosen = await input.pick(
    [
      { icon: 'save', label: vscode.l10n.t('Save and Build'), save: true },
      { icon: 'play', label: vscode.l10n.t('Build Saved Files'), save: false },
    ],
    {
      title: vscode.l10n.t('Build App'),
      placeholder: vscode.l10n.t('Not saved yet: {0}', listText(unsaved)),
    },
  );
  return chosen.save;
}

function getDocumentName({ uri }: vscode.TextDocument): string {
  return vscode.workspace.asRelativePath(uri);
}

/**
 * Asks before a build that would fail.
 *
 * @param asked the requested platforms, or undefined for all of the app's platforms.
 * @throws CancelledError unless the user chooses to build anyway.
 */
async function confirmCheck(
  check: FolderCheck,
  asked: readonly string[] | undefined,
  input: Input,
  { showCheck, remedies }: Pick<UserDecisionsDependencies, 'showCheck' | 'remedies'>,
): Promise<void> {
  const findings = stoppingFindings(check, asked);
  if (findings.length === 0) {
    return;
  }
  const [showProblems, buildAnyway] = [vscode.l10n.t('Show Problems'), vscode.l10n.t('Build Anyway')];
  const buttons = remedies(findings).slice(0, 2);
  const named = findings.slice(0, 5).map(formatFinding);
  const others = findings.length - named.length;
  const name = projectPath(check.folder, check.project);
  const answer = await input.decide(
    leavesBlank(findings)
      ? vscode.l10n.t('The app from {0} would show a blank page.', name)
      : vscode.l10n.t('The build of {0} would fail.', name),
    [...named, ...(others > 0 ? [vscode.l10n.t('… and {0} more.', others)] : [])].join('\n\n'),
    [...buttons.map(({ title }) => title), showProblems, buildAnyway],
  );
  if (answer === buildAnyway) {
    return;
  }
  if (answer === showProblems) {
    await showCheck(check, 'findings');
  }
  await buttons.find(({ title }) => title === answer)?.run();
  throw new CancelledError();
}

/**
 * Reports the findings that would or might make the build fail, except those that the package plan reports.
 *
 * @param report receives the findings. If undefined, they go to the log.
 */
export function reportCheck({ findings }: FolderCheck, report: ReportStep | undefined, log: Log): void {
  for (const finding of findings) {
    if (finding.verdict !== 'fine' && !hasTrait(finding.code, 'plan')) {
      const text = formatFinding(finding);
      if (report === undefined) {
        log.warn(text);
      } else {
        report(text);
      }
    }
  }
}

/** Describes a finding on one line: location, problem, and next step. */
function formatFinding({ message, next, location, platform }: Finding): string {
  const what = paragraph([message, next].filter((part) => part !== undefined).map(localize));
  const line = location?.range === undefined ? undefined : location.range.start.line + 1;
  const file = location === undefined ? undefined : vscode.workspace.asRelativePath(location.uri);
  if (file !== undefined && line !== undefined) {
    return vscode.l10n.t('{0}, line {1}: {2}', file, line, what);
  }
  return platform === undefined ? what : vscode.l10n.t('{0}: {1}', platformName(platform), what);
}

/**
 * Asks before sending a large package and lists its largest files.
 *
 * @param name name of the folder.
 * @param show shows all files, so that the user can exclude some from the next build.
 * @throws CancelledError if the user declines or looks at the files first.
 */
export async function confirmSize(
  plan: PackagePlan,
  name: string,
  input: Input,
  show: () => Promise<void>,
): Promise<void> {
  if (plan.totalBytes <= MAX_UNASKED_BYTES) {
    return;
  }
  const send = vscode.l10n.t('Send');
  const look = vscode.l10n.t('Show Package Contents');
  const chosen = await input.decide(
    vscode.l10n.t('Send {0} of {1}?', sizeText(plan.totalBytes), name),
    [
      vscode.l10n.t('{0}. The largest:', localize(getPlanSummary(plan))),
      getBiggestFiles(plan).map(localize).join('\n'),
      vscode.l10n.t('In .appbuildignore, list the files that the app doesn’t need.'),
      ...plan.warnings.map((warning) => localize(getWarningSentence(warning))),
    ].join('\n\n'),
    [send, look],
    'information',
  );
  if (chosen === look) {
    await show();
  }
  if (chosen !== send) {
    throw new CancelledError();
  }
}
