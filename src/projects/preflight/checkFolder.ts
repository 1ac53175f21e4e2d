import * as vscode from 'vscode';
import { sentence } from '../../api/errors/sentence.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import type { AppCalls } from '../../apps/calls/appCalls.ts';
import type { KeyExpiry } from '../../apps/keyExpiry.ts';
import type { KeyFactsStore } from '../../apps/keyFacts.ts';
import { DiskTree } from '../packing/diskTree.ts';
import { planPackage, treeOf } from '../packing/folderPlan.ts';
import type { PackagePlan } from '../packing/packageContents.ts';
import { uriBelow } from '../packing/paths.ts';
import type { SecretConsents } from '../packing/secretConsents.ts';
import { knownApp } from '../knownApp.ts';
import type { App } from '../../apps/model/app.ts';
import type { ProjectAnswers } from '../projectAnswers.ts';
import type { WebProject } from '../projectSearch.ts';
import { capacitorFindings } from './capacitorCheck.ts';
import { checkProjectConfig } from './configCheck.ts';
import { ageFindings, checkStartPage } from './pageCheck.ts';
import type { Finding, FindingPlace, Verdict } from './finding.ts';
import type { CheckFolder } from './folderCheck.ts';
import { packageFindings, packingFailure, planFor } from './packageCheck.ts';
import { CONFIG_FILE, madeConfigUri } from '../madeConfig.ts';
import type { ProjectFinding, ProjectPlace } from './projectFinding.ts';
import { askService, serviceFindings } from './serviceCheck.ts';

export interface CheckFolderDependencies {
  readonly consents: SecretConsents;
  readonly answers: ProjectAnswers;
  readonly keyFacts: Pick<KeyFactsStore, 'complete'>;
  readonly keyExpiry: Pick<KeyExpiry, 'readAll'>;
  readonly callsOf: (connection: SignedInConnection) => AppCalls;
}

const VERDICTS: readonly Verdict[] = ['fails', 'mayFail', 'fine'];

/** Makes the function that checks folders. */
export function createCheckFolder({
  consents,
  answers,
  keyFacts,
  keyExpiry,
  callsOf,
}: CheckFolderDependencies): CheckFolder {
  return async (folder, project, { plan: given, app: checked, onlySaved, signal } = {}) => {
    const asking =
      checked && askService({ calls: callsOf(checked.connection), app: checked.app, asked: checked.platforms, signal });
    // Who awaits it comes later, and may not come at all.
    asking?.catch(() => undefined);
    const { plan, failure } =
      given === undefined ? await planned(project, { consents, answers, app: checked?.app, signal }) : { plan: given };
    const unsavedText = (path: string) => (onlySaved === true ? undefined : unsavedTextOf(uriBelow(project.uri, path)));
    const tree = new DiskTree(project.uri.fsPath);
    const config = await checkProjectConfig({ tree, plan, unsavedText, signal });
    const pages =
      plan === undefined
        ? []
        : [
            ...(await checkStartPage(tree, plan, config.facts?.startPage, signal)),
            ...(await capacitorFindings(treeOf(project), plan, signal)),
            ...(await ageFindings(treeOf(project), plan, signal)),
          ];
    const answer = await asking;
    if (answer?.keys !== undefined) {
      keyExpiry.readAll(answer.keys);
    }
    const findings = [
      ...(failure === undefined ? [] : [failure]),
      ...config.findings,
      ...pages,
      ...(plan === undefined
        ? []
        : packageFindings(planFor(plan, answer?.support?.builder), {
            isAnswered: (suspect) => consents.answer(project, suspect) !== undefined,
            isLocalService: checked?.connection.service.local === true,
          })),
      ...(answer === undefined ? [notAsked()] : serviceFindings(answer, config.facts, (key) => keyFacts.complete(key))),
    ];
    return {
      folder,
      project,
      plan: plan && planFor(plan, answer?.support?.builder),
      findings: VERDICTS.flatMap((verdict) => findings.filter((each) => each.verdict === verdict)).map((each) =>
        toFinding(each, project, plan?.config !== undefined),
      ),
      ...(answer && { platforms: answer.platforms }),
    };
  };
}

interface PlanContext extends Pick<CheckFolderDependencies, 'consents' | 'answers'> {
  /** That the project is sent to; undefined when it is created. */
  readonly app: App | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What would be sent, or why nothing can be. @throws CancelledError */
async function planned(
  project: WebProject,
  { consents, answers, app, signal }: PlanContext,
): Promise<{ readonly plan: PackagePlan | undefined; readonly failure?: ProjectFinding }> {
  try {
    const known = knownApp(project, app, answers);
    return { plan: consents.applied(await planPackage(project, { signal, answers: answers.pages, known })) };
  } catch (error) {
    return { plan: undefined, failure: packingFailure(error) };
  }
}

/** The text of a file in an editor that has changes which are not saved. */
function unsavedTextOf(uri: vscode.Uri): string | undefined {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  return document?.isDirty === true ? document.getText() : undefined;
}

function notAsked(): ProjectFinding {
  return {
    code: 'service',
    verdict: 'mayFail',
    message: sentence('Signing keys, platforms and plugins were not checked.'),
    next: sentence('They are when you are signed in.'),
  };
}

/** @param isMade whether config.xml is in no folder */
function toFinding({ place, ...finding }: ProjectFinding, project: WebProject, isMade: boolean): Finding {
  return { ...finding, ...(place && { place: toPlace(place, project, isMade) }) };
}

function toPlace({ path, start, end = start }: ProjectPlace, project: WebProject, isMade: boolean): FindingPlace {
  const uri = isMade && path === CONFIG_FILE ? madeConfigUri(project.uri) : uriBelow(project.uri, path);
  return start === undefined || end === undefined
    ? { uri }
    : { uri, range: new vscode.Range(start.line, start.character, end.line, end.character) };
}
