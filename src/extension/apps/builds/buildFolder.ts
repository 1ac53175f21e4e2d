import * as vscode from 'vscode';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import type { Input } from '../../workbench/input.ts';
import type { Log } from '../../workbench/log.ts';
import type { Notifications } from '../../workbench/notifications.ts';
import type { AppCalls } from '../calls/appCalls.ts';
import {
  createUserDecisions,
  reportCheck,
  saveFiles,
  type BuildDecisions,
  type RemedyButtons,
  type ShowCheck,
  type SignInSteps,
} from './buildDecisions.ts';
import { requirePages, withPages } from './buildPages.ts';
import { type UploadTarget, askForTarget, linkedTarget, namedTarget } from './chooseApp.ts';
import { projectPath } from '../../preflight/chooseProject.ts';
import { knownApp, lacksId, getProjectTitle } from '../../preflight/knownApp.ts';
import type { FolderApps } from '../folderApps.ts';
import { reportPlan, sendPlan } from './sendPackage.ts';
import { JoinedBuild, type ReportStep } from './joinedBuild.ts';
import { startBuild, type StartedBuild } from './startBuild.ts';
import type { AppPresenter } from './rows/appPresenter.ts';
import { cancellable, throwIfCancelled } from '../../../errors/index.ts';
import {
  findWebProjects,
  type FoundProject,
  type KnownApp,
  PackingError,
  planPackage,
} from '../../../web-project/index.ts';
import type { ProjectAnswers } from '../../preflight/projectAnswers.ts';
import type { SecretConsents } from '../../preflight/secretConsents.ts';
import type { CheckFolder } from '../../preflight/checkFolder.ts';
import type { BuildWatcher } from './watching/buildWatcher.ts';
import type { EndNotification } from './watching/endNotification.ts';

/** A requested build of a folder. */
interface FolderBuild extends StartedBuild {
  /** True if this build linked the folder to the app. */
  readonly isFirst: boolean;
}

interface BuildFolderOptions {
  /** Title or link of an app to build instead of the linked one. */
  readonly app?: string | undefined;
  /** With `ask`, the user chooses the app even if the folder is linked to one. The folder is then linked to the chosen app. */
  readonly target?: 'ask';
  /** Path of the web project in the folder, if the folder has several. */
  readonly project?: string | undefined;
  /** Platforms to build. Defaults to the app's platforms, or to the platforms that the service suggests. */
  readonly platforms?: readonly string[] | undefined;
  readonly signal?: AbortSignal;
  /** Makes the decisions. Defaults to asking the user. */
  readonly decisions?: BuildDecisions;
  /** Builds only the saved files, because the user is still editing the others. Waits for a running build of the folder. */
  readonly onlySaved?: true;
  /** Receives every step, for a terminal. If omitted, the steps appear in a notification. */
  readonly report?: ReportStep;
}

/**
 * Builds a folder and watches the build: finds the project, asks any open questions, packs, uploads, and builds. A second call for the same
 * folder and platforms waits for the first one's build. The build is canceled when all callers have canceled.
 *
 * @throws BuildServiceError; CancelledError if the user closes a question or cancels.
 */
export type BuildFolder = (folder: vscode.WorkspaceFolder, options?: BuildFolderOptions) => Promise<FolderBuild>;

interface BuildFolderDependencies extends SignInSteps {
  readonly connections: Connections;
  readonly folders: FolderApps;
  readonly watcher: BuildWatcher;
  readonly presenter: AppPresenter;
  readonly endNotification: EndNotification;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly log: Log;
  readonly createCalls: (connection: SignedInConnection) => AppCalls;
  readonly consents: SecretConsents;
  readonly answers: ProjectAnswers;
  readonly checkFolder: CheckFolder;
  readonly showCheck: ShowCheck;
  readonly remedies: RemedyButtons;
  /** Adds buttons with remedies to a packing error. */
  readonly withOffers: (error: PackingError, project: FoundProject) => PackingError;
}

/** A build that was requested but hasn't started. */
interface OngoingBuild {
  /**
   * Identifies the platforms and the target. A caller joins a build only if this value is the same. A build with custom decisions has a
   * single caller.
   */
  readonly request: string | BuildDecisions;
  readonly build: JoinedBuild<FolderBuild>;
}

/** Creates the function that builds folders. */
export function createBuildFolder(dependencies: BuildFolderDependencies): BuildFolder {
  const userDecisions = createUserDecisions(dependencies);
  const ongoing = new Map<string, OngoingBuild>();
  return async (folder, options = {}) => {
    const { app: named, project, platforms, target, report, signal } = options;
    throwIfCancelled(signal);
    const start = (decisions: BuildDecisions) =>
      new JoinedBuild<FolderBuild>(report, (build) => runBuild(dependencies, folder, options, decisions, build));
    if (options.decisions !== undefined && options.onlySaved === undefined) {
      // An agent's choices apply only to its own build.
      return start(options.decisions).join(signal);
    }
    const key = JSON.stringify([folder.uri.toString(), named, project]);
    const request = options.decisions ?? JSON.stringify([platforms, target]);
    for (let other = ongoing.get(key); other !== undefined; other = ongoing.get(key)) {
      if (other.request === request && !other.build.signal.aborted) {
        return other.build.join(signal);
      }
      // Two builds at the same time would both ask which app to build, and might create it twice.
      await cancellable(other.build.ended, signal);
    }
    const build = start(options.decisions ?? userDecisions);
    ongoing.set(key, { request, build });
    void build.ended.then(() => ongoing.delete(key));
    return build.join(signal);
  };
}

async function runBuild(
  dependencies: BuildFolderDependencies,
  folder: vscode.WorkspaceFolder,
  { app: named, project: required, platforms, target: requested, onlySaved }: BuildFolderOptions,
  decisions: BuildDecisions,
  build: JoinedBuild<unknown>,
): Promise<FolderBuild> {
  const { folders, answers, notifications, log, createCalls } = dependencies;
  const { step } = build;
  const connection = await decisions.account();
  const calls = createCalls(connection);
  const link = requested === 'ask' ? undefined : folders.get(folder.uri, connection);
  const projects = await step(vscode.l10n.t('Looking for the web project in {0}', folder.name), (inner) =>
    findWebProjects(folder.uri, inner, answers.pages),
  );
  const remembered = [answers.chosen(folder.uri), link?.project];
  const chosen = await decisions.project(folder, projects, { required, remembered });
  if (projects.length > 1 && required === undefined) {
    await answers.choose(folder.uri, chosen);
  }
  const withRemedies = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw error instanceof PackingError ? dependencies.withOffers(error, chosen) : error;
    });
  await withRemedies(requirePages(chosen, answers));
  if (onlySaved === undefined) {
    await saveFiles(chosen.uri, (unsaved) => decisions.saves(unsaved));
  }
  const context = { folder, project: chosen, link, connection, calls, folders, decisions, step };
  const decided = await (named === undefined ? linkedTarget(context) : namedTarget(named, context));
  await requireId(chosen, decided, dependencies, decisions);
  // Building the pages takes time, so ask all other questions first.
  const project = await withRemedies(withPages(chosen, { folder, answers, decisions, step }));
  // The built pages may have a different title from their sources.
  const target = decided.kind === 'create' ? { ...decided, title: getProjectTitle(project) } : decided;
  const known = getKnownApp(project, target, answers);
  const name = projectPath(folder, project);
  const planned = await withRemedies(
    step(vscode.l10n.t('Reading {0}', name), (inner) =>
      planPackage(project, { signal: inner, answers: answers.pages, known }),
    ),
  );
  const agreed = await decisions.files(planned);
  const check = await step(vscode.l10n.t('Checking {0}', name), (inner) => {
    const app = { connection, app: target.kind === 'app' ? target.app : undefined, platforms };
    return dependencies.checkFolder(folder, project, { plan: agreed, app, onlySaved: true, signal: inner });
  });
  const { plan = agreed } = check;
  reportCheck(check, build.report, log);
  await decisions.check(check, platforms);
  await decisions.size(plan, check);
  reportPlan(plan, build.report, notifications);
  const { service } = connection;
  const ask = named === undefined ? () => askForTarget(context) : undefined;
  const { app, building } = await step(
    service.local ? vscode.l10n.t('Building {0}', name) : vscode.l10n.t('Sending {0} to {1}', name, service.url.host),
    (inner, show) => sendPlan(calls, plan, target, ask, inner, show),
    0,
  );
  if (named === undefined) {
    await folders.set(folder.uri, connection, { url: app.url, title: app.title, project: project.path });
  }
  const started = await startBuild(dependencies, calls, app, platforms, { building, signal: build.signal });
  const isFirst = link === undefined && named === undefined;
  dependencies.endNotification.expect(started.app.url, {
    always: isFirst,
    findings: check.findings,
    show: () => dependencies.showCheck(check, 'findings'),
    remedies: dependencies.remedies,
  });
  if (isFirst) {
    dependencies.presenter.refreshLists();
  }
  return { ...started, isFirst };
}

/** Asks for the app's ID if no file sets it. */
async function requireId(
  project: FoundProject,
  target: UploadTarget,
  { answers }: BuildFolderDependencies,
  decisions: BuildDecisions,
): Promise<void> {
  const app = target.kind === 'app' ? target.app : undefined;
  const isGiven = project.layout.config !== undefined || project.facts.id !== undefined;
  if (!isGiven && lacksId(project, app, answers)) {
    const proposal = getKnownApp(project, target, answers).id?.value ?? '';
    await answers.remember(project, { id: await decisions.appId(proposal) });
  }
}

function getKnownApp(project: FoundProject, target: UploadTarget, answers: ProjectAnswers): KnownApp {
  return target.kind === 'app'
    ? knownApp(project, target.app, answers)
    : knownApp(project, undefined, answers, target.title);
}
