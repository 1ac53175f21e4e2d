import * as vscode from 'vscode';
import { createNotOffered } from '../apps/appErrors.ts';
import type { AppCalls } from '../apps/calls/appCalls.ts';
import { type App, startedBuilds } from '../apps/model/app.ts';
import { startBuild } from '../apps/builds/startBuild.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import { findGitRemote } from '../preflight/knownApp.ts';
import { requireAnswer, type Input } from '../workbench/input.ts';
import { withCallProgress } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';
import { askService } from './wizard/subject.ts';
import { packageQuestion, readyToSend, withUploadProgress } from './wizard/formFields.ts';
import { fileStep, runWizard, wizardFields } from './wizard/wizard.ts';

/** Creates an app from a folder, a package, or a repository. Builds and watches it and shows it in the tree. */
export async function createApp(dependencies: CommandDependencies): Promise<void> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = apps.createCalls(connection);
  const items = sourceItems(await askService(connection, (signal) => calls.creations({ signal })));
  if (items.length === 0) {
    throw createNotOffered(connection.service.url.host);
  }
  const answers = await askForNewApp(input, items);
  if (answers.source === 'folder') {
    await createFromFolder(dependencies, connection, requireAnswer(answers.folder));
    return;
  }
  const created = await create(calls, answers);
  const building = startedBuilds(undefined, created);
  const { app } = await startBuild(apps, calls, created, undefined, { building });
  await show(dependencies, app);
}

async function create(calls: AppCalls, answers: NewApp): Promise<App> {
  const fields = { ...(answers.title !== '' && { title: answers.title }), private: answers.private };
  if (answers.source === 'repository' || answers.file === undefined) {
    const tag = answers.tag === '' ? undefined : answers.tag;
    return withCallProgress(vscode.l10n.t('The service fetches the repository'), (signal) =>
      calls.createFromRepository(answers.repository, tag, fields, { signal }),
    );
  }
  const file = await readyToSend(answers.file);
  return withUploadProgress(file, (options) => calls.createFromFile(file, fields, options));
}

/** Builds a folder as another app. Asks first if the folder is linked to one. */
async function createFromFolder(
  dependencies: CommandDependencies,
  connection: SignedInConnection,
  folder: vscode.WorkspaceFolder,
): Promise<void> {
  const { apps, input } = dependencies;
  const linked = apps.folders.get(folder.uri, connection);
  if (linked !== undefined) {
    await input.confirmOrCancel(
      vscode.l10n.t('{0} is already linked to “{1}”.', folder.name, linked.title),
      vscode.l10n.t('That app is kept. The folder will build the other one.'),
      vscode.l10n.t('Choose Another App'),
      'information',
    );
  }
  const { app } = await apps.buildFolder(folder, { target: 'ask' });
  await show(dependencies, app);
}

async function show({ tree, notifications }: CommandDependencies, { url, title }: App): Promise<void> {
  notifications.done(vscode.l10n.t('“{0}” was created.', title));
  await tree.refresh();
  await tree.reveal(url);
}

interface NewApp {
  readonly source: 'folder' | 'file' | 'repository';
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly file: vscode.Uri | undefined;
  readonly repository: string;
  /** Branch or tag. Empty for the default branch. */
  readonly tag: string;
  /** Empty to use the title in config.xml. */
  readonly title: string;
  readonly private: boolean;
}

/**
 * Asks for the source of an app, and then for the details that the source requires.
 *
 * @param items sources to choose from. Must not be empty.
 */
async function askForNewApp(input: Input, items: ReturnType<typeof sourceItems>): Promise<NewApp> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const title = vscode.l10n.t('Create App');
  const remote = items.some(({ value }) => value === 'repository') ? findGitRemote(folders) : undefined;
  const initial: NewApp = {
    source: items[0]?.value ?? 'file',
    folder: folders[0],
    file: undefined,
    repository: remote?.url ?? '',
    tag: '',
    title: '',
    private: true,
  };
  const { choice, text } = wizardFields<NewApp>(input, title);
  return runWizard<NewApp>(initial, [
    choice('source', {
      when: () => items.length > 1,
      placeholder: vscode.l10n.t('What is the app made from?'),
      items,
    }),
    choice('folder', {
      when: ({ source }) => source === 'folder' && folders.length > 1,
      placeholder: vscode.l10n.t('Which folder?'),
      items: folders.map((value) => ({ icon: 'folder', label: value.name, description: value.uri.path, value })),
    }),
    fileStep(
      input,
      packageQuestion(vscode.l10n.t('Package for the App')),
      (file, answers) => ({ ...answers, file }),
      ({ source }) => source === 'file',
    ),
    text('repository', {
      when: ({ source }) => source === 'repository',
      prompt: vscode.l10n.t('Address of the Git repository, or owner/name for GitHub.'),
      placeholder: 'https://code.example.com/ann/tide.git',
      required: vscode.l10n.t('Enter the address of a repository.'),
    }),
    text('tag', {
      when: ({ source }) => source === 'repository',
      prompt: vscode.l10n.t('Branch or tag. Leave it empty for the default branch.'),
      placeholder: remote?.branch ?? 'main',
    }),
    text('title', {
      when: ({ source }) => source !== 'folder',
      prompt: vscode.l10n.t('Title of the app. Leave it empty to use the name in config.xml.'),
      placeholder: vscode.l10n.t('Title'),
    }),
    choice('private', {
      when: ({ source }) => source !== 'folder',
      placeholder: vscode.l10n.t('Who can see the app?'),
      items: [
        {
          icon: 'lock',
          label: vscode.l10n.t('Private'),
          detail: vscode.l10n.t('Only you and its collaborators can see it.'),
          value: true,
        },
        { icon: 'globe', label: vscode.l10n.t('Public'), detail: vscode.l10n.t('Everyone can see it.'), value: false },
      ],
    }),
  ]);
}

/** Returns the sources that both the service and this window offer. */
function sourceItems(creations: readonly string[]) {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [folder, ...others] = folders;
  return [
    {
      icon: 'folder',
      label: vscode.l10n.t('This Folder'),
      description: others.length === 0 ? (folder?.name ?? '') : vscode.l10n.t('one of {0} folders', folders.length),
      detail: vscode.l10n.t('Packed and sent now, and built again whenever you build this folder.'),
      value: 'folder' as const,
      isOffered: folder !== undefined && creations.includes('create-from-file'),
    },
    {
      icon: 'file-zip',
      label: vscode.l10n.t('A Zip File…'),
      detail: vscode.l10n.t('A package with config.xml, or with only index.html.'),
      value: 'file' as const,
      isOffered: creations.includes('create-from-file'),
    },
    {
      icon: 'repo',
      label: vscode.l10n.t('A Git Repository…'),
      detail: vscode.l10n.t('The service fetches it. The repository must be public.'),
      value: 'repository' as const,
      isOffered: creations.includes('create-from-repository'),
    },
  ].filter(({ isOffered }) => isOffered);
}
