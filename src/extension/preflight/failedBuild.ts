import type { Sentence } from '../../errors/index.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import type { LinkedFolder } from '../apps/folderApps.ts';
import type { App, PlatformBuild } from '../apps/model/app.ts';
import { noWebProject, rememberedProject } from './chooseProject.ts';
import type { ProjectAnswers } from './projectAnswers.ts';
import { findBuildProblem, findWebProjects, getFindingCodes, isOutsideFolder } from '../../web-project/index.ts';
import type { CheckFolder, FolderCheck } from './checkFolder.ts';
import type { Finding } from './finding.ts';

/** The cause of a failed build, if the app's folder shows it. */
interface FailureCheck {
  readonly check: FolderCheck;
  /** The findings that explain the failure, the most likely first. */
  readonly about: readonly Finding[];
  /** The problem, worded as in a check. Undefined if the error message is unknown. */
  readonly problem: Sentence | undefined;
  /** Whether the cause of the failure is outside the folder. */
  readonly isOutsideFolder: boolean;
}

/** Checks the folder of an app for the cause of a failed build. @throws BuildServiceError, CancelledError */
export async function checkFailedBuild(
  { folder, app: linked }: LinkedFolder,
  { connection, app, build }: { connection: SignedInConnection; app: App; build: PlatformBuild },
  { checkFolder, answers }: { checkFolder: CheckFolder; answers: ProjectAnswers },
  signal: AbortSignal,
): Promise<FailureCheck> {
  const { error = '', platform } = build;
  const codes = getFindingCodes(error);
  const projects = await findWebProjects(folder.uri, signal, answers.pages);
  const project = rememberedProject(projects, [answers.chosen(folder.uri), linked.project]) ?? projects[0];
  if (project === undefined) {
    throw noWebProject(folder.name, projects.searchedOnly);
  }
  const check = await checkFolder(folder, project, { app: { connection, app, platforms: [platform] }, signal });
  return {
    check,
    about: findingsAbout(check.findings, build),
    problem: findBuildProblem(error),
    isOutsideFolder: isOutsideFolder(codes),
  };
}

/** Returns the findings that explain a failed build. */
export function findingsAbout(
  findings: readonly Finding[],
  { error = '', platform }: Pick<PlatformBuild, 'error' | 'platform'>,
): readonly Finding[] {
  const codes = getFindingCodes(error);
  return findings.filter(
    ({ code, verdict, platform: own }) =>
      verdict !== 'fine' && codes.includes(code) && (own === undefined || own === platform),
  );
}
