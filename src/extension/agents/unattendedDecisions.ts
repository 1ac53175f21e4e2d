import type * as vscode from 'vscode';
import { formatValue } from '../../errors/index.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import { type BuildDecisions, MAX_UNASKED_BYTES } from '../apps/builds/buildDecisions.ts';
import type { TargetChoice, UploadTarget } from '../apps/builds/chooseApp.ts';
import type { PagesDecision, PagesQuestion } from '../apps/builds/buildPages.ts';
import type { ProjectSelector } from '../preflight/chooseProject.ts';
import {
  findWrittenPages,
  type FoundProject,
  leavesBlank,
  type PackagePlan,
  projectFolder,
  stoppingFindings,
} from '../../web-project/index.ts';
import type { App } from '../apps/model/app.ts';
import { findOperation } from '../apps/model/operation.ts';
import type { SecretConsents } from '../preflight/secretConsents.ts';
import type { FolderCheck } from '../preflight/checkFolder.ts';
import { formatList, quoted, quotedPath, sentenceAbout, findProject } from './toolSubjects.ts';
import { toRelativePath, oneLine, sentenceReport } from './report.ts';
import { ToolError } from './toolInput.ts';
import type { Finding } from '../preflight/finding.ts';

/** Arguments of an agent's call. */
interface UnattendedChoices {
  readonly connection: SignedInConnection;
  readonly consents: SecretConsents;
  /** App to build if the folder isn't linked to one. */
  readonly app: App | undefined;
  readonly mayCreate: boolean;
  readonly ignoresCheck: boolean;
  readonly project: string | undefined;
}

/**
 * Makes a build's decisions based on the arguments of an agent's call, without asking the user. If only the user can decide, the build
 * fails with an error that names the missing argument or the user's next step.
 */
export class UnattendedDecisions implements BuildDecisions {
  readonly #choices: UnattendedChoices;
  /** Files to send. Undefined before the decision. */
  sent: PackagePlan | undefined;

  constructor(choices: UnattendedChoices) {
    this.#choices = choices;
  }

  account(): SignedInConnection {
    return this.#choices.connection;
  }

  project(
    _folder: vscode.WorkspaceFolder,
    projects: readonly FoundProject[],
    { remembered }: Pick<ProjectSelector, 'remembered'>,
  ): FoundProject {
    return findProject(projects, this.#choices.project, remembered);
  }

  pagesFolder({ layout: { state } }: FoundProject): never {
    const file = state.kind === 'unknown' ? oneLine(state.file, 200) : '';
    const why =
      state.kind === 'unknown' && state.isBroken === true
        ? `${quoted(file)} can't be read, so the folder of the built pages is unknown. Fix its syntax`
        : `${quoted(file)} sets the folder of the built pages with an expression, and this tool doesn't run code. Write the folder as a plain string`;
    throw new ToolError(
      `Nothing was sent: ${why}. Or ask the user to run “App Build: Build App” once and enter the folder.`,
    );
  }

  writtenPages(_project: FoundProject, folders: readonly string[]): never {
    throw new ToolError(`Nothing was sent: ${inOtherFolders(folders)}`);
  }

  async pages({ project, step, newer }: PagesQuestion): Promise<PagesDecision> {
    const { layout } = project;
    if (newer !== undefined && this.#choices.ignoresCheck) {
      return 'asTheyAre';
    }
    const reason =
      newer === undefined
        ? "the pages aren't built yet"
        : `the pages in ${quoted(layout.pages)} are older than ${quoted(newer)}`;
    const others = newer === undefined ? await findWrittenPages(projectFolder(project)) : [];
    if (others.length > 0) {
      throw new ToolError(
        `Nothing was sent: ${reason}. Run ${quoted(step.command)} in the project's folder, then call again. If that's done, ${inOtherFolders(others)}`,
      );
    }
    const otherwise = newer === undefined ? '' : ' Or call with "ignore_check": true to send them anyway.';
    throw new ToolError(
      `Nothing was sent: ${reason}. Run ${quoted(step.command)} in the project's folder, then call again.${otherwise}`,
    );
  }

  /** Uses the proposed ID. The user sees it in the confirmation. */
  appId(proposal: string): string {
    return proposal;
  }

  target({ apps, newTitle, names, linkedTo }: TargetChoice): UploadTarget | undefined {
    const { app, mayCreate } = this.#choices;
    if (app !== undefined) {
      const folders = linkedTo(app);
      if (folders.length > 0) {
        throw new ToolError(
          `${quoted(app.title)} is already built from another folder: ${formatList(folders.map(quoted))}. Each build would replace the other's. Ask the user to run “App Build: Link Folder to App…” if they want that.`,
        );
      }
      return { kind: 'app', app };
    }
    const uploadable = apps.filter(({ resource }) => findOperation(resource, 'upload') !== undefined);
    if (newTitle === undefined && uploadable.length === 0) {
      return undefined;
    }
    const alike = uploadable.filter(({ packageId, title }) => names.some((name) => [packageId, title].includes(name)));
    if (newTitle !== undefined && mayCreate && alike.length === 0) {
      return { kind: 'create', title: newTitle };
    }
    if (newTitle !== undefined && mayCreate) {
      throw new ToolError(
        `An app with the same name or package already exists. ${sentenceAbout(alike)} Only the user can create a second one, with “App Build: Build App”.`,
      );
    }
    const create =
      newTitle === undefined
        ? ''
        : ` Or call again with "create": true to create the app ${quoted(newTitle)} from this folder.`;
    throw new ToolError(
      `This folder isn't linked to an app yet. ${uploadable.length === 0 ? 'The account has no app that accepts uploads.' : sentenceAbout(alike.length > 0 ? alike : uploadable)}${create}`,
    );
  }

  saves(unsaved: readonly string[]): never {
    throw new ToolError(
      `Some files have unsaved changes, and the settings require a question before saving: ${formatList(unsaved.map(quoted))}. Ask the user to save them, then call again.`,
    );
  }

  files(plan: PackagePlan): PackagePlan {
    const { consents } = this.#choices;
    const open = consents.open(plan);
    if (open.length > 0) {
      throw new ToolError(
        `Nothing was sent: these files may contain a secret, and only the user can decide to send them: ${formatList(open.map(({ file }) => quoted(file.path)))}. Remove the secrets, list the files in .appbuildignore, or ask the user to run “App Build: Build App” once, which asks about each file.`,
      );
    }
    const sendable = consents.sendable(plan);
    this.sent = sendable;
    return sendable;
  }

  check(check: FolderCheck, asked: readonly string[] | undefined): void {
    const findings = stoppingFindings(check, asked);
    if (findings.length === 0 || this.#choices.ignoresCheck) {
      return;
    }
    const named = findings.slice(0, 5).map((finding) => formatFinding(finding, check.folder.uri.path));
    throw new ToolError(
      `Nothing was sent: ${leavesBlank(findings) ? 'the app would show a blank page' : 'the build would fail'}. ${named.join(' ')} appBuild_check_folder lists all findings. Fix them and call again. To build anyway, if the user wants that, call with "ignore_check": true.`,
    );
  }

  size({ totalBytes, files }: PackagePlan): void {
    if (totalBytes <= MAX_UNASKED_BYTES) {
      return;
    }
    const biggest = files
      .toSorted((left, right) => right.sizeBytes - left.sizeBytes)
      .slice(0, 5)
      .map(({ path, sizeBytes }) => `${quoted(path)} (${sizeInEnglish(sizeBytes)})`);
    throw new ToolError(
      `Nothing was sent: the folder has ${sizeInEnglish(totalBytes)}, and the user must confirm more than ${sizeInEnglish(MAX_UNASKED_BYTES)}. The largest files: ${biggest.join(', ')}. List unneeded files in .appbuildignore and call again, or ask the user to run “App Build: Build App”.`,
    );
  }
}

/** Describes pages in folders that the configuration doesn't name, with the user's next step. */
function inOtherFolders(folders: readonly string[]): string {
  return `the build may have written the pages to another folder: ${formatList(folders.map(quotedPath))}. Ask the user to run “App Build: Build App” once and choose it.`;
}

function formatFinding({ message, location }: Finding, folder: string): string {
  const line = location?.range === undefined ? '' : `, line ${location.range.start.line + 1}`;
  const where = location === undefined ? '' : `${quotedPath(toRelativePath(folder, location.uri.path))}${line}: `;
  return `${where}${sentenceReport(message, oneLine).text}`;
}

function sizeInEnglish(bytes: number): string {
  return formatValue({ bytes }, 'en');
}
