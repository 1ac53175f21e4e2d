import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Input } from '../../workbench/input.ts';
import { askForPackage } from '../wizard/files.ts';
import { findGitRemote, type GitRemote } from '../../projects/gitRemote.ts';
import { runWizard, type Position, type WizardStep } from '../wizard/wizard.ts';

/** What an app is made from. */
export type AppSource = 'folder' | 'file' | 'repository';

/** What a person said of an app that is to be created. */
export interface NewApp {
  readonly source: AppSource;
  readonly folder: vscode.WorkspaceFolder | undefined;
  /** The package. */
  readonly file: vscode.Uri | undefined;
  readonly repository: string;
  /** Branch or tag; empty for the default branch. */
  readonly tag: string;
  /** Empty: as in config.xml. */
  readonly title: string;
  readonly private: boolean;
}

/**
 * Asks what an app is made from, then only what that needs.
 *
 * @param sources those that the service and this window offer; not empty.
 * @throws CancelledError when the person closes a question.
 */
export async function askForNewApp(input: Input, sources: readonly AppSource[]): Promise<NewApp> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const remote = sources.includes('repository') ? findGitRemote(folders) : undefined;
  const initial: NewApp = {
    source: sources[0] ?? 'file',
    folder: folders[0],
    file: undefined,
    repository: remote?.url ?? '',
    tag: '',
    title: '',
    private: true,
  };
  return runWizard(initial, [
    sourceStep(input, sources, folders),
    folderStep(input, folders),
    fileStep(input),
    repositoryStep(input),
    tagStep(input, remote),
    titleStep(input),
    privateStep(input),
  ]);
}

function title(): string {
  return vscode.l10n.t('Create App');
}

function sourceStep(
  input: Input,
  sources: readonly AppSource[],
  folders: readonly vscode.WorkspaceFolder[],
): WizardStep<NewApp> {
  const [folder, ...others] = folders;
  const items = [
    {
      icon: 'folder',
      label: vscode.l10n.t('This Folder'),
      description: others.length === 0 ? (folder?.name ?? '') : vscode.l10n.t('one of {0} folders', folders.length),
      detail: vscode.l10n.t('It is packed and sent, and built again whenever you build this folder.'),
      source: 'folder' as const,
    },
    {
      icon: 'file-zip',
      label: vscode.l10n.t('A Zip File…'),
      detail: vscode.l10n.t('A package with config.xml, or with index.html alone.'),
      source: 'file' as const,
    },
    {
      icon: 'repo',
      label: vscode.l10n.t('A Git Repository…'),
      detail: vscode.l10n.t('The service fetches it itself. It must be public.'),
      source: 'repository' as const,
    },
  ].filter(({ source }) => sources.includes(source));
  return {
    applies: () => items.length > 1,
    ask: async (answers, position) => {
      const answer = await input.askChoice<(typeof items)[number]>({
        ...position,
        title: title(),
        placeholder: vscode.l10n.t('What is the app made from?'),
        items,
        active: items.find(({ source }) => source === answers.source),
      });
      return answer === 'back' ? answer : { ...answers, source: answer.item.source };
    },
  };
}

function folderStep(input: Input, folders: readonly vscode.WorkspaceFolder[]): WizardStep<NewApp> {
  const items = folders.map((folder) => ({ icon: 'folder', label: folder.name, description: folder.uri.path, folder }));
  return {
    applies: ({ source }) => source === 'folder' && folders.length > 1,
    ask: async (answers, position) => {
      const answer = await input.askChoice<(typeof items)[number]>({
        ...position,
        title: title(),
        placeholder: vscode.l10n.t('Which folder?'),
        items,
        active: items.find(({ folder }) => folder === answers.folder),
      });
      return answer === 'back' ? answer : { ...answers, folder: answer.item.folder };
    },
  };
}

function fileStep(input: Input): WizardStep<NewApp> {
  return {
    applies: ({ source }) => source === 'file',
    ask: async (answers, { step }) => {
      const file = await askForPackage(input, vscode.l10n.t('Package of the App'));
      if (file !== undefined) {
        return { ...answers, file };
      }
      // A dialog has no button that leads back.
      if (step === 1) {
        throw new CancelledError();
      }
      return 'back';
    },
  };
}

function repositoryStep(input: Input): WizardStep<NewApp> {
  return textStep(input, 'repository', {
    applies: ({ source }) => source === 'repository',
    prompt: vscode.l10n.t('Address of the Git repository, or owner/name of one at GitHub.'),
    placeholder: 'https://code.example.com/ann/tide.git',
    validate: (text) => (text === '' ? vscode.l10n.t('Enter the address of a repository.') : undefined),
  });
}

function tagStep(input: Input, remote: GitRemote | undefined): WizardStep<NewApp> {
  return textStep(input, 'tag', {
    applies: ({ source }) => source === 'repository',
    prompt: vscode.l10n.t('Branch or tag. Leave it empty for the default branch.'),
    placeholder: remote?.branch ?? 'main',
  });
}

function titleStep(input: Input): WizardStep<NewApp> {
  return textStep(input, 'title', {
    applies: ({ source }) => source !== 'folder',
    prompt: vscode.l10n.t('Title of the app. Leave it empty to use the name in config.xml.'),
    placeholder: vscode.l10n.t('Title'),
  });
}

function textStep(
  input: Input,
  name: 'repository' | 'tag' | 'title',
  {
    applies,
    ...question
  }: Pick<WizardStep<NewApp>, 'applies'> & {
    readonly prompt: string;
    readonly placeholder: string;
    readonly validate?: (text: string) => string | undefined;
  },
): WizardStep<NewApp> {
  return {
    ...(applies !== undefined && { applies }),
    ask: async (answers: NewApp, position: Position) => {
      const answer = await input.askText({ ...position, ...question, title: title(), value: answers[name] });
      return answer === 'back' ? answer : { ...answers, [name]: answer.text };
    },
  };
}

function privateStep(input: Input): WizardStep<NewApp> {
  const items = [
    {
      icon: 'lock',
      label: vscode.l10n.t('Private'),
      detail: vscode.l10n.t('You and its collaborators see it.'),
      private: true,
    },
    { icon: 'globe', label: vscode.l10n.t('Public'), detail: vscode.l10n.t('Everybody sees it.'), private: false },
  ];
  return {
    applies: ({ source }) => source !== 'folder',
    ask: async (answers, position) => {
      const answer = await input.askChoice<(typeof items)[number]>({
        ...position,
        title: title(),
        placeholder: vscode.l10n.t('Who sees the app?'),
        items,
        active: items.find((item) => item.private === answers.private),
      });
      return answer === 'back' ? answer : { ...answers, private: answer.item.private };
    },
  };
}
