import * as vscode from 'vscode';
import { Failure } from '../api/errors/buildServiceError.ts';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { sentence, type Sentence } from '../api/errors/sentence.ts';
import { absentPages, PackingError } from '../projects/packing/packingError.ts';
import { buildStepOf, newerSource, type BuildStep } from '../projects/buildStep.ts';
import type { ProjectAnswers } from '../projects/projectAnswers.ts';
import { projectFolder, readProject, type FoundProject } from '../projects/projectSearch.ts';
import type { Input, PickItem } from '../workbench/input.ts';
import { localised } from '../workbench/notifications.ts';
import type { Step } from './joinedBuild.ts';

/** Pages that are absent, or older than what they are made of. */
export interface PagesQuestion {
  readonly project: FoundProject;
  readonly step: BuildStep;
  /** The source that is newer, below the project; undefined when there are no pages. */
  readonly newer: string | undefined;
}

export type PagesDecision = 'build' | 'asTheyAre';

/** A decision: a user is asked, an agent has decided before. */
export type Decided<T> = T | Promise<T>;

/** The decisions about the pages of a project. Each throws, or rejects, when the build is not to go on. */
export interface PagesDecisions {
  /** The folder of the pages, below the project. Needed if a configuration sets it with an expression, or can't be read. */
  pagesFolder(project: FoundProject): Decided<string>;
  /** Whether pages that are absent or old are built first. */
  pages(question: PagesQuestion): Decided<PagesDecision>;
}

interface PagesContext {
  readonly folder: vscode.WorkspaceFolder;
  readonly answers: ProjectAnswers;
  readonly decisions: PagesDecisions;
  readonly step: Step;
}

function pagesBuildFailure(what: Sentence): Failure {
  return new Failure('pagesBuild', {
    what,
    next: sentence('Its terminal and the Problems view say why.'),
    remedy: 'retry',
  });
}

/** Pages that a script can make: the project has none that can be sent. */
interface MissingPages {
  readonly step: BuildStep;
  readonly failure: PackingError;
}

export async function missingPages({ layout, ...project }: FoundProject): Promise<MissingPages | undefined> {
  const { kind } = layout.state;
  const isMissing = kind === 'notBuilt' || kind === 'source';
  const step = isMissing ? await buildStepOf(projectFolder(project), layout.kind) : undefined;
  return step && { step, failure: PackingError.withoutPages(layout, step) };
}

/**
 * @throws PackingError if the pages are missing and their build script may not run, because the folder isn't trusted; or if the page
 * loads source code, and no script and no other folder gives another
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
 * The project with pages that are up to date, as far as the person wants that: a script of its package.json builds them. Nothing is
 * run in a folder that is not trusted, and nothing without a yes.
 *
 * @returns the project as it is then; it may still have no pages
 * @throws Failure; PackingError in a folder that is not trusted; CancelledError
 */
export async function withPages(found: FoundProject, context: PagesContext): Promise<FoundProject> {
  const { answers, decisions } = context;
  let project = found;
  if (project.layout.state.kind === 'unknown') {
    await answers.keepPages(project.uri, await decisions.pagesFolder(project));
    project = await readProject(projectFolder(project), project, answers.pages);
  }
  const { state, kind } = project.layout;
  const step = state.kind === 'none' ? undefined : await buildStepOf(projectFolder(project), kind);
  if (state.kind !== 'built' && step === undefined) {
    const wasNamed = answers.pages(project.uri) !== undefined;
    // A folder that was named by mistake is asked for again.
    await answers.keepPages(project.uri, undefined);
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
 * Runs the script that builds the pages of a project, in tasks.
 *
 * @returns the project with its pages
 * @throws Failure, CancelledError
 */
export async function buildPages(
  project: FoundProject,
  step: BuildStep,
  { answers, folder, step: show }: Pick<PagesContext, 'answers' | 'folder' | 'step'>,
): Promise<FoundProject> {
  for (const command of commandsOf(step)) {
    await show(vscode.l10n.t('Running “{0}”', command), (signal) => run(command, project.uri, folder, signal), 0);
  }
  const built = await readProject(projectFolder(project), project, answers.pages);
  if (built.layout.state.kind === 'notBuilt') {
    await answers.keepPages(project.uri, undefined);
    throw pagesBuildFailure(
      sentence('“{0}” has made no index.html in {1}, so nothing was sent.', step.command, built.layout.pages),
    );
  }
  return built;
}

/** What is run one after the other: the packages that the script needs are installed first. */
export function commandsOf({ needsInstall, manager, command }: BuildStep): readonly string[] {
  return [...(needsInstall ? [`${manager} install`] : []), command];
}

/** Asks whether pages that are absent or old are built first. @throws CancelledError */
export async function askAboutPages(
  { project, step, newer }: PagesQuestion,
  answers: ProjectAnswers,
  input: Input,
): Promise<PagesDecision> {
  if (answers.of(project).buildsPages === 'always') {
    return 'build';
  }
  const commands = commandsOf(step).join(' && ');
  const { pages } = project.layout;
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
            label: vscode.l10n.t('Send the Pages as They Are'),
            decision: 'asTheyAre',
            always: false,
          } as const,
        ]),
  ];
  const chosen = await input.pick(items, {
    title: vscode.l10n.t('Build App'),
    placeholder:
      newer === undefined
        ? localised(absentPages(pages))
        : vscode.l10n.t('The pages in {0} are older than {1}.', pages, newer),
    ignoreFocusOut: true,
  });
  if (chosen.always) {
    await answers.keep(project, { buildsPages: 'always' });
  }
  return chosen.decision;
}

/** Asks where the pages are. @returns a folder below the project @throws CancelledError */
export async function askForPages({ layout: { pages, state } }: FoundProject, input: Input): Promise<string> {
  const { file, isBroken } = state.kind === 'unknown' ? state : { file: '' };
  const folder = await input.askText({
    title: vscode.l10n.t('Build App'),
    prompt:
      isBroken === undefined
        ? vscode.l10n.t(
            'Folder into which the tool builds the pages. {0} sets it with an expression, which isn’t run.',
            file,
          )
        : vscode.l10n.t(
            'Folder into which the tool builds the pages. {0} can’t be read. Check it for a syntax error.',
            file,
          ),
    placeholder: 'dist',
    value: pages,
    validate: (text) =>
      /^[^\\/:]/.test(text) && !text.split('/').includes('..')
        ? undefined
        : vscode.l10n.t('Name a folder below that of the project, such as dist.'),
  });
  return folder.replace(/^(?:\.\/)+|(?<!\/)\/+$/g, '');
}

/** Runs a command as a task, so that its output and its problems show as those of any task. @throws Failure, CancelledError */
async function run(
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
    // Before its process is there, a task cannot be ended.
    vscode.tasks.onDidStartTaskProcess(stopIfCancelled),
    vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => codes.set(execution, exitCode)),
    // Comes after the end of its process, and alone when no process was started.
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
          ? sentence('“{0}” could not be run, so nothing was sent.', command)
          : sentence('“{0}” ended with the code {1}, so nothing was sent.', command, String(code)),
      );
    }
  } finally {
    signal.removeEventListener('abort', stopIfCancelled);
    vscode.Disposable.from(...listeners).dispose();
  }
}
