import * as vscode from 'vscode';
import { CancelledError, Failure, sentence, type Sentence } from '../../../errors/index.ts';
import {
  absentPages,
  type BuildStep,
  findBuildStep,
  findWrittenPages,
  type FoundProject,
  newerSource,
  PackingError,
  projectFolder,
  readProject,
} from '../../../web-project/index.ts';
import type { ProjectAnswers } from '../../preflight/projectAnswers.ts';
import type { Input, PickItem } from '../../workbench/input.ts';
import { localize } from '../../workbench/notifications.ts';
import { MAX_TIMESTAMP_ERROR_MS } from './limits.ts';
import type { BuildProgressStep } from './joinedBuild.ts';

/** Pages that are missing, or older than their sources. */
export interface PagesQuestion {
  readonly project: FoundProject;
  readonly step: BuildStep;
  /** Path of a source that is newer than the pages, relative to the project. Undefined if there are no pages. */
  readonly newer: string | undefined;
}

/** Whether to build the pages first, or to send them unchanged. */
export type PagesDecision = 'build' | 'asTheyAre';

/** A decision, or a promise if the user must be asked. */
export type MaybePromise<T> = T | Promise<T>;

/** Decisions about the pages of a project. A decision throws or rejects to stop the build. */
export interface PagesDecisions {
  /** Returns the pages folder, relative to the project. Called if a configuration file computes it, or can't be read. */
  pagesFolder(project: FoundProject): MaybePromise<string>;
  /** Returns the pages folder if a build wrote an index.html only to these folders, relative to the project. */
  writtenPages(project: FoundProject, folders: readonly string[]): MaybePromise<string>;
  /** Returns whether to build missing or outdated pages first. */
  pages(question: PagesQuestion): MaybePromise<PagesDecision>;
}

interface PagesContext {
  readonly folder: vscode.WorkspaceFolder;
  readonly answers: ProjectAnswers;
  readonly decisions: PagesDecisions;
  readonly step: BuildProgressStep;
}

function pagesBuildFailure(what: Sentence): Failure {
  return new Failure('pagesBuild', {
    what,
    next: sentence('See its terminal and the Problems view for the reason.'),
    remedy: 'retry',
  });
}

/** Pages that are missing, with the script that builds them. */
interface MissingPages {
  readonly step: BuildStep;
  readonly failure: PackingError;
}

/** Returns the script that would build a project's missing pages, or undefined if the pages exist or no script builds them. */
export async function missingPages({ layout, ...project }: FoundProject): Promise<MissingPages | undefined> {
  const { kind } = layout.state;
  const isMissing = kind === 'notBuilt' || kind === 'source';
  const step = isMissing ? await findBuildStep(projectFolder(project), layout.kind) : undefined;
  return step && { step, failure: PackingError.withoutPages(layout, step) };
}

/**
 * Checks that the project has pages, or can build them.
 *
 * @throws PackingError if the pages are missing and their script can't run, because the folder isn't trusted. Also thrown if the page loads
 * source code, and neither a script nor another folder provides built pages.
 */
export async function requirePages(project: FoundProject, { pages }: Pick<ProjectAnswers, 'pages'>): Promise<void> {
  const missing = await missingPages(project);
  if (missing !== undefined && !vscode.workspace.isTrusted) {
    throw missing.failure;
  }
  if (missing === undefined && project.layout.state.kind === 'source' && pages(project.uri) === undefined) {
    throw PackingError.withoutPages(project.layout, undefined);
  }
}

/**
 * If pages are missing or outdated, builds them with a script in package.json after the user agrees. Never runs a script in an untrusted
 * folder.
 *
 * @returns the project, read again. The project may still have no pages.
 * @throws Failure if the script fails; PackingError if the folder isn't trusted; CancelledError.
 */
export async function withPages(found: FoundProject, context: PagesContext): Promise<FoundProject> {
  const { answers, decisions } = context;
  let project = found;
  if (project.layout.state.kind === 'unknown') {
    await answers.setPagesFolder(project.uri, await decisions.pagesFolder(project));
    project = await readProject(projectFolder(project), project, answers.pages);
  }
  const { state, kind } = project.layout;
  const step = state.kind === 'none' ? undefined : await findBuildStep(projectFolder(project), kind);
  if (state.kind !== 'built' && step === undefined) {
    const wasNamed = answers.pages(project.uri) !== undefined;
    // Forget the folder, so that the user is asked again if they entered a wrong one.
    await answers.setPagesFolder(project.uri, undefined);
    if (wasNamed) {
      throw PackingError.withoutPages(project.layout, undefined);
    }
  }
  if (step === undefined) {
    return project;
  }
  const newer = state.kind === 'built' ? await newerSource(projectFolder(project), project.layout) : undefined;
  if (state.kind === 'built' && newer === undefined) {
    return project;
  }
  await requirePages(project, answers);
  const mayBuild = vscode.workspace.isTrusted && (await decisions.pages({ project, step, newer })) === 'build';
  return mayBuild ? buildPages(project, step, context) : project;
}

/**
 * Runs the script that builds a project's pages, as tasks.
 *
 * @returns the project with its pages.
 * @throws Failure if a command fails or creates no page; CancelledError.
 */
export async function buildPages(
  project: FoundProject,
  step: BuildStep,
  {
    answers,
    folder,
    step: show,
    decisions,
  }: Omit<PagesContext, 'decisions'> & { readonly decisions: Pick<PagesDecisions, 'writtenPages'> },
): Promise<FoundProject> {
  const startMs = Date.now() - MAX_TIMESTAMP_ERROR_MS;
  for (const command of getCommands(step)) {
    await show(vscode.l10n.t('Running “{0}”', command), (signal) => runTask(command, project.uri, folder, signal), 0);
  }
  const built = await readProject(projectFolder(project), project, answers.pages);
  const hasNoPages = built.app === undefined && ['notBuilt', 'source'].includes(built.layout.state.kind);
  const written = hasNoPages ? await findWrittenPages(projectFolder(project), startMs) : [];
  if (written.length > 0) {
    await answers.setPagesFolder(project.uri, await decisions.writtenPages(built, written));
    return readProject(projectFolder(project), project, answers.pages);
  }
  if (built.layout.state.kind === 'notBuilt') {
    await answers.setPagesFolder(project.uri, undefined);
    throw pagesBuildFailure(
      sentence('“{0}” didn’t create index.html in {1}, so nothing was sent.', step.command, built.layout.pages),
    );
  }
  return built;
}

/** Returns the commands to run in order. The first one installs packages if the script needs them. */
export function getCommands({ needsInstall, manager, command }: BuildStep): readonly string[] {
  return [...(needsInstall ? [`${manager} install`] : []), command];
}

/** Asks whether to build missing or outdated pages first. @throws CancelledError */
export async function askAboutPages(
  { project, step, newer }: PagesQuestion,
  answers: ProjectAnswers,
  input: Input,
): Promise<PagesDecision> {
  if (answers.get(project).buildsPages === 'always') {
    return 'build';
  }
  const commands = getCommands(step).join(' && ');
  const { pages, state } = project.layout;
  const items: readonly (PickItem & { readonly decision: PagesDecision; readonly always: boolean })[] = [
    { icon: 'play', label: vscode.l10n.t('Run “{0}” First', commands), decision: 'build', always: false },
    {
      icon: 'sync',
      label: vscode.l10n.t('Always Run “{0}” Before a Build', commands),
      decision: 'build',
      always: true,
    },
    ...(newer === undefined
      ? []
      : [
          {
            icon: 'package',
            label: vscode.l10n.t('Send the Existing Pages'),
            decision: 'asTheyAre',
            always: false,
          } as const,
        ]),
  ];
  const chosen = await input.pick(items, {
    title: vscode.l10n.t('Build App'),
    placeholder:
      newer === undefined
        ? localize(absentPages(pages, state))
        : vscode.l10n.t('The pages in {0} are older than {1}.', pages, newer),
    ignoreFocusOut: true,
  });
  if (chosen.always) {
    await answers.remember(project, { buildsPages: 'always' });
  }
  return chosen.decision;
}

/**
 * Asks for the pages folder.
 *
 * @returns the folder, relative to the project.
 * @throws CancelledError
 */
export async function askForPages({ layout: { pages, state } }: FoundProject, input: Input): Promise<string> {
  const { file, isBroken } = state.kind === 'unknown' ? state : { file: '' };
  const folder = await input.askText({
    title: vscode.l10n.t('Build App'),
    prompt:
      isBroken === undefined
        ? vscode.l10n.t('Output folder of your build tool. {0} sets it with an expression, which isn’t run.', file)
        : vscode.l10n.t('Output folder of your build tool. {0} can’t be read. Check it for a syntax error.', file),
    placeholder: 'dist',
    value: pages,
    validate: (text) =>
      /^[^\\/:]/.test(text) && !text.split('/').includes('..')
        ? undefined
        : vscode.l10n.t('Enter a folder in the project’s folder, such as dist.'),
  });
  return folder.replace(/^(?:\.\/)+|(?<!\/)\/+$/g, '');
}

/** Asks which of the folders that a build wrote an index.html to is the pages folder. @throws CancelledError */
export async function askForWrittenPages(
  { layout: { pages } }: FoundProject,
  folders: readonly string[],
  input: Input,
): Promise<string> {
  const items = folders.map((folder) => ({ icon: 'folder', label: folder, folder }));
  const chosen = await input.pick(items, {
    title: vscode.l10n.t('Build App'),
    placeholder: vscode.l10n.t(
      'The build wrote no index.html to {0}. Choose the folder with the app.',
      pages === '' ? '.' : pages,
    ),
    ignoreFocusOut: true,
  });
  return chosen.folder;
}

/** Runs a command as a task, so that the terminal shows its output and the Problems view its problems. @throws Failure; CancelledError */
async function runTask(
  command: string,
  cwd: vscode.Uri,
  folder: vscode.WorkspaceFolder,
  signal: AbortSignal,
): Promise<void> {
  const shell = new vscode.ShellExecution(command, { cwd: cwd.fsPath });
  const task = new vscode.Task({ type: 'shell' }, folder, command, 'App Build', shell, ['$tsc']);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
  const codes = new Map<vscode.TaskExecution, number | undefined>();
  const ended = new vscode.EventEmitter<void>();
  let running: vscode.TaskExecution | undefined;
  const stopIfCancelled = () => {
    if (signal.aborted) {
      running?.terminate();
    }
  };
  const listeners = [
    ended,
    // A task can't be terminated before its process has started.
    vscode.tasks.onDidStartTaskProcess(stopIfCancelled),
    vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => codes.set(execution, exitCode)),
    // Fires after the process has ended, or if none was started.
    vscode.tasks.onDidEndTask(({ execution }) => {
      codes.set(execution, codes.get(execution));
      ended.fire();
    }),
  ];
  signal.addEventListener('abort', stopIfCancelled, { once: true });
  try {
    running = await vscode.tasks.executeTask(task);
    stopIfCancelled();
    while (!codes.has(running)) {
      await new Promise<void>((resolve) => ended.event(resolve));
    }
    if (signal.aborted) {
      throw new CancelledError();
    }
    const code = codes.get(running);
    if (code !== 0) {
      throw pagesBuildFailure(
        code === undefined
          ? sentence('“{0}” couldn’t be run, so nothing was sent.', command)
          : sentence('“{0}” exited with code {1}, so nothing was sent.', command, String(code)),
      );
    }
  } finally {
    signal.removeEventListener('abort', stopIfCancelled);
    vscode.Disposable.from(...listeners).dispose();
  }
}
