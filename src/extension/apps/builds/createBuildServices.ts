import type * as vscode from 'vscode';
import type { Redactor } from '../../../service-client/index.ts';
import type { Connections, SignedInConnection } from '../../auth/connection.ts';
import type { ServiceSelection } from '../../auth/serviceSelection.ts';
import type { Input } from '../../workbench/input.ts';
import type { Log } from '../../workbench/log.ts';
import type { Notifications } from '../../workbench/notifications.ts';
import type { Configuration } from '../../workbench/configuration.ts';
import { completeMilestone } from '../../workbench/milestones.ts';
import { AppCalls } from '../calls/appCalls.ts';
import { createBuildFolder } from './buildFolder.ts';
import { buildSavedChanges } from './buildSavedChanges.ts';
import { BuildInputs } from './buildInputs.ts';
import { FolderApps } from '../folderApps.ts';
import type { SignInSteps } from './buildDecisions.ts';
import { KeyExpiry } from '../keyExpiry.ts';
import { KeyFactsStore, KeyPasswordStore } from '../rememberedKeys.ts';
import { BuildLogs } from './logs/buildLogs.ts';
import { SecretConsents } from '../../preflight/secretConsents.ts';
import { ProjectAnswers } from '../../preflight/projectAnswers.ts';
import { createFolderChecks, toFinding } from '../../preflight/checkFolder.ts';
import { FindingProblems } from '../../preflight/findingProblems.ts';
import { packingFailure } from '../../../web-project/index.ts';
import { type ApplyRemedy, remedyButtons } from '../../preflight/remedies.ts';
import { PreflightView } from '../../preflight/preflightView.ts';
import { AppPresenter } from './rows/appPresenter.ts';
import { BuildTasks } from './task/buildTasks.ts';
import type { BuildSubject, RunBuildCommand } from './watching/buildProgress.ts';
import { showBuildStatus, type BuildBadge } from './watching/buildStatus.ts';
import { BuildWatcher } from './watching/buildWatcher.ts';
import { EachBuild } from './watching/eachBuild.ts';
import { EndNotification } from './watching/endNotification.ts';
import type { Finding } from '../../preflight/finding.ts';

/** Commands that this code calls. They're passed in, because the commands depend on this code. */
interface BuildServicesCommands {
  readonly applyRemedy: ApplyRemedy;
  /** Installs a build on the device that was used last. Shows failures instead of throwing them. */
  installOnLastDevice(subject: BuildSubject): Promise<void>;
}

interface BuildServicesDependencies extends SignInSteps {
  readonly connections: Connections;
  readonly selection: ServiceSelection;
  readonly redactor: Redactor;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly secrets: vscode.SecretStorage;
  readonly configuration: Configuration;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly log: Log;
  /** Runs the command of a button in a notification or a list. */
  readonly runBuildCommand: RunBuildCommand;
  /** Loads the commands for builds and findings. */
  readonly loadCommands: () => Promise<BuildServicesCommands>;
  readonly setBadge: (badge: BuildBadge | undefined) => void;
}

/** Services for apps and builds. Each window creates them once. */
export type BuildServices = ReturnType<typeof createBuildServices>;

/**
 * Creates the objects of {@link BuildServices}. Called when the tree becomes visible, when a command or task runs, or when a build from
 * before a reload is resumed.
 */
export function createBuildServices(
  dependencies: BuildServicesDependencies,
  register: <T extends vscode.Disposable>(disposable: T) => T,
) {
  const { connections, globalState, setBadge, loadCommands, runBuildCommand } = dependencies;
  const createCalls = ({ client }: SignedInConnection) => new AppCalls(client);
  const folders = register(new FolderApps(globalState));
  const watcher = register(new BuildWatcher(dependencies));
  register(showBuildStatus({ watcher, folders, connections, setBadge }));
  const endNotification = register(new EndNotification({ ...dependencies, watcher }));
  const eachBuild = register(
    new EachBuild({
      ...dependencies,
      watcher,
      installOnLastDevice: async (subject) => (await loadCommands()).installOnLastDevice(subject),
    }),
  );
  register(
    watcher.onDidEnd(({ end }) => {
      if (end.kind === 'ended' && end.progress.builds.some(({ state }) => state === 'complete')) {
        completeMilestone('appBuild.hasBuilt');
      }
    }),
  );
  const logs = register(new BuildLogs({ ...dependencies, folders, watcher }));
  const keyFacts = new KeyFactsStore(globalState, dependencies.selection);
  const keyExpiry = register(new KeyExpiry(connections, keyFacts));
  /** Creates the tree's rows. Commands report changes to it. */
  const presenter = register(
    new AppPresenter({ connections, folders, watcher, eachBuild, createCalls, keyFacts, keyExpiry }),
  );
  const consents = register(new SecretConsents(dependencies.workspaceState));
  const answers = new ProjectAnswers(dependencies.workspaceState);
  const applyRemedy: ApplyRemedy = async (remedy, finding) => (await loadCommands()).applyRemedy(remedy, finding);
  const remedies = (findings: readonly Finding[]) => remedyButtons(findings, applyRemedy);
  const { checkFolder, checkLinkedFolder } = createFolderChecks({
    connections,
    folders,
    consents,
    answers,
    keyFacts,
    keyExpiry,
    createCalls,
    onDidCheck: (check) => problems.show(check),
  });
  const problems = register(new FindingProblems({ ...dependencies, answers, check: checkLinkedFolder }));
  const preflight = register(new PreflightView({ ...dependencies, check: checkLinkedFolder, consents, folders }));
  const buildFolder = createBuildFolder({
    ...dependencies,
    folders,
    watcher,
    presenter,
    endNotification,
    createCalls,
    consents,
    answers,
    checkFolder,
    showCheck: (check, part) => preflight.show(check, part),
    remedies,
    withOffers: (error, project) => error.withOffers(remedies([toFinding(packingFailure(error), project, false)])),
  });
  register(buildSavedChanges({ ...dependencies, folders, eachBuild, answers, consents, buildFolder }));
  return {
    folders,
    watcher,
    runBuildCommand,
    eachBuild,
    logs,
    presenter,
    buildFolder,
    buildInputs: new BuildInputs(globalState),
    tasks: new BuildTasks({ ...dependencies, folders, watcher, buildFolder }),
    keyPasswords: new KeyPasswordStore(dependencies.secrets, dependencies.selection),
    keyFacts,
    keyExpiry,
    consents,
    answers,
    checkFolder,
    checkLinkedFolder,
    preflight,
    problems,
    createCalls,
  };
}
