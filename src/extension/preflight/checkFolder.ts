import * as vscode from 'vscode';
import { BuildServiceError, CancelledError, sentence } from '../../errors/index.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import type { FolderApps } from '../apps/folderApps.ts';
import { isGone } from '../apps/appErrors.ts';
import type { KeyExpiry } from '../apps/keyExpiry.ts';
import type { KeyFactsStore } from '../apps/rememberedKeys.ts';
import type { App } from '../apps/model/app.ts';
import type { Connections, SignedInConnection } from '../auth/connection.ts';
import { knownApp } from './knownApp.ts';
import {
  ageFindings,
  type BuilderSupport,
  BUILTIN_BUILDER,
  capacitorFindings,
  checkProjectConfig,
  checkStartPage,
  CONFIG_FILE,
  getBuilder,
  mayFail,
  packageFindings,
  type PackagePermission,
  type PackagePlan,
  packingFailure,
  planFor,
  planPackage,
  type ProjectFinding,
  projectFolder,
  type ProjectLocation,
  scanPages,
  type SuspectFile,
  joinUri,
  type WebProject,
} from '../../web-project/index.ts';
import type { SecretConsents } from './secretConsents.ts';
import type { ProjectAnswers } from './projectAnswers.ts';
import { askService, serviceFindings } from './serviceCheck.ts';
import { type Finding, type FindingLocation, VERDICTS } from './finding.ts';
import { madeConfigUri } from './packageRows.ts';

/** The result of checking a folder before an upload. */
export interface FolderCheck {
  readonly folder: vscode.WorkspaceFolder;
  readonly project: WebProject;
  /** The package that would be sent. Undefined if a finding explains why nothing can be sent. */
  readonly plan: PackagePlan | undefined;
  /** Findings, the most important first. */
  readonly findings: readonly Finding[];
  /**
   * Permissions that the Android package declares for its pages. Undefined if the service doesn't use the built-in
   * builder.
   */
  readonly permissions?: readonly PackagePermission[] | undefined;
  /** Platforms that would be built. Undefined if no service was queried. */
  readonly platforms?: readonly string[];
  /** Support information of the service. Undefined if no service was queried or it provides none. */
  readonly support?: BuilderSupport | undefined;
}

/** The app whose signing keys and service are checked. Without it, only the files on this computer are checked. */
interface CheckedApp {
  readonly connection: SignedInConnection;
  /** Undefined for an app that the upload creates. */
  readonly app: App | undefined;
  /** Platforms to build. Defaults to the platforms of the app. */
  readonly platforms?: readonly string[] | undefined;
}

interface FolderCheckOptions {
  /** An existing plan. */
  readonly plan?: PackagePlan | undefined;
  readonly app?: CheckedApp | undefined;
  /** Whether to check only the saved files and ignore unsaved changes in editors. */
  readonly onlySaved?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks a web project: its config.xml and the files to send. For an app, also checks its signing keys and the
 * platforms that the service can build. If a service doesn't respond, the result contains a finding.
 *
 * @throws CancelledError
 */
export type CheckFolder = (
  folder: vscode.WorkspaceFolder,
  project: WebProject,
  options?: FolderCheckOptions,
) => Promise<FolderCheck>;

/**
 * Checks a web project for the app that its folder is linked to, if the user is signed in. Never prompts. If the app
 * can't be read, the result contains a finding.
 *
 * @throws CancelledError
 */
export type CheckLinkedFolder = (
  folder: vscode.WorkspaceFolder,
  project: WebProject,
  signal?: AbortSignal,
) => Promise<FolderCheck>;

interface FolderCheckDependencies {
  readonly connections: Connections;
  readonly folders: FolderApps;
  readonly consents: SecretConsents;
  readonly answers: ProjectAnswers;
  readonly keyFacts: KeyFactsStore;
  readonly keyExpiry: KeyExpiry;
  readonly createCalls: (connection: SignedInConnection) => AppCalls;
  /** Called with the result of every check. */
  readonly onDidCheck: (check: FolderCheck) => unknown;
}

/** Creates the functions that check folders. */
export function createFolderChecks(dependencies: FolderCheckDependencies): {
  readonly checkFolder: CheckFolder;
  readonly checkLinkedFolder: CheckLinkedFolder;
} {
  const checkFolder: CheckFolder = async (folder, project, options = {}) => {
    const checked = await check(dependencies, folder, project, options);
    dependencies.onDidCheck(checked);
    return checked;
  };
  return {
    checkFolder,
    checkLinkedFolder: async (folder, project, signal) => {
      const { app, finding } = await linkedApp(dependencies, folder, signal);
      const checked = await checkFolder(folder, project, { app, signal });
      // This finding replaces the one that the check adds for a user who isn't signed in.
      const others = checked.findings.filter(({ code }) => code !== finding?.code);
      return finding === undefined
        ? checked
        : { ...checked, findings: [...others, toFinding(finding, project, false)] };
    },
  };
}

async function check(
  dependencies: FolderCheckDependencies,
  folder: vscode.WorkspaceFolder,
  project: WebProject,
  { plan: given, app: checked, onlySaved, signal }: FolderCheckOptions,
): Promise<FolderCheck> {
  const { consents, keyFacts, keyExpiry, createCalls } = dependencies;
  const asking =
    checked &&
    askService({ calls: createCalls(checked.connection), app: checked.app, requested: checked.platforms, signal });
  // The promise is awaited later, or not at all if something else fails first.
  asking?.catch(() => undefined);
  const { plan, failure } =
    given === undefined ? await planned(dependencies, project, checked?.app, signal) : { plan: given };
  const unsavedText = (path: string) => (onlySaved === true ? undefined : getUnsavedText(joinUri(project.uri, path)));
  const files = projectFolder(project, signal);
  const config = await checkProjectConfig({ folder: files, plan, unsavedText });
  const pages =
    plan === undefined
      ? []
      : [
          ...(await checkStartPage(files, plan, config.facts?.startPage)),
          ...(await capacitorFindings(files, plan)),
          ...(await ageFindings(files, plan)),
        ];
  const scan = plan && (await scanPages(files, plan, config.facts));
  const answer = await asking;
  const builder = answer?.support && getBuilder(answer.support, 'android');
  const sent = plan && planFor(plan, builder);
  if (answer?.keys !== undefined) {
    keyExpiry.readAll(answer.keys);
  }
  const isAnswered = (suspect: SuspectFile) => consents.getAnswer(project, suspect) !== undefined;
  const findings = [
    ...(failure === undefined ? [] : [failure]),
    ...config.findings,
    ...pages,
    ...(scan?.findings ?? []),
    ...(sent === undefined ? [] : packageFindings(sent, isAnswered, checked?.connection.service.local === true)),
    ...(answer === undefined
      ? [mayFail('service', NOT_ASKED, { next: sentence('Sign in to check them.') })]
      : serviceFindings(answer, config.facts, (key) => keyFacts.complete(key), scan?.plugins)),
  ];
  return {
    folder,
    project,
    plan: sent,
    findings: VERDICTS.flatMap((verdict) => findings.filter((each) => each.verdict === verdict)).map((each) =>
      toFinding(each, project, plan?.config !== undefined),
    ),
    permissions: answer === undefined || builder === BUILTIN_BUILDER ? scan?.permissions : undefined,
    ...(answer && { platforms: answer.platforms, support: answer.support }),
  };
}

/**
 * Returns the package that would be sent, or the finding that explains why nothing can be sent.
 *
 * @param app the app, or undefined if the upload creates it
 * @throws CancelledError
 */
async function planned(
  { consents, answers }: FolderCheckDependencies,
  project: WebProject,
  app: App | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly plan: PackagePlan | undefined; readonly failure?: ProjectFinding }> {
  try {
    const known = knownApp(project, app, answers);
    return { plan: consents.applyTo(await planPackage(project, { signal, answers: answers.pages, known })) };
  } catch (error) {
    return { plan: undefined, failure: packingFailure(error) };
  }
}

const NOT_ASKED = sentence('Signing keys, platforms, and plugins weren’t checked.');

/** Returns the text of a file from an editor with unsaved changes, or undefined if there's none. */
function getUnsavedText(uri: vscode.Uri): string | undefined {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  return document?.isDirty === true ? document.getText() : undefined;
}

/**
 * Converts the location of a finding to a URI and a range.
 *
 * @param isMade whether config.xml is generated and therefore isn't in any folder
 */
export function toFinding({ location, ...finding }: ProjectFinding, project: WebProject, isMade: boolean): Finding {
  return { ...finding, ...(location && { location: toLocation(location, project, isMade) }) };
}

function toLocation(
  { path, start, end = start }: ProjectLocation,
  project: WebProject,
  isMade: boolean,
): FindingLocation {
  const uri = isMade && path === CONFIG_FILE ? madeConfigUri(project.uri) : joinUri(project.uri, path);
  return start === undefined || end === undefined
    ? { uri }
    : { uri, range: new vscode.Range(start.line, start.character, end.line, end.character) };
}

/** Returns the app that a folder is linked to, or the app that a build of the folder would create. */
async function linkedApp(
  { connections, folders, createCalls }: FolderCheckDependencies,
  folder: vscode.WorkspaceFolder,
  signal: AbortSignal | undefined,
): Promise<{ readonly app?: CheckedApp; readonly finding?: ProjectFinding }> {
  const connection = await connections.current();
  if (connection.kind !== 'signedIn') {
    return {};
  }
  const link = folders.get(folder.uri, connection);
  if (link === undefined) {
    return { app: { connection, app: undefined } };
  }
  try {
    const app: App = await createCalls(connection).get(link.url, { ...(signal && { signal }) });
    return { app: { connection, app } };
  } catch (error) {
    if (!(error instanceof BuildServiceError) || error instanceof CancelledError) {
      throw error;
    }
    const message = isGone(error)
      ? sentence('This folder’s app “{0}” no longer exists.', link.title)
      : sentence('The app “{0}” can’t be read, so its keys and platforms weren’t checked.', link.title);
    const next = isGone(error)
      ? sentence('The next build asks for the app.')
      : sentence('Check your connection to the service, then check again.');
    return { finding: mayFail('service', message, { next }) };
  }
}
