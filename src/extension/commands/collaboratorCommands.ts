import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import { OperationNotOfferedError } from '../apps/appErrors.ts';
import type { AppCalls, CollaboratorRole } from '../apps/calls/appCalls.ts';
import type { App } from '../apps/model/app.ts';
import { type Collaborator, readCollaborators } from '../apps/model/collaborator.ts';
import { offersForms, requireOperation } from '../apps/model/operation.ts';
import type { CommandDependencies } from './dependencies.ts';
import { askForApp, readArgument } from './wizard/subject.ts';
import { runWizard, wizardFields } from './wizard/wizard.ts';
import { withCallProgress } from '../workbench/progress.ts';

interface NewCollaborator {
  readonly email: string;
  readonly role: CollaboratorRole;
}

/** Adds a collaborator to an app. */
export async function addCollaborator(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, input, notifications } = dependencies;
  const title = vscode.l10n.t('Add Collaborator');
  const { app, calls } = await askForApp(dependencies, argument, title);
  requireOperation(app, 'add-collaborator');
  const { choice, text } = wizardFields<NewCollaborator>(input, title);
  const { email, role } = await runWizard<NewCollaborator>({ email: '', role: 'tester' }, [
    text('email', {
      prompt: vscode.l10n.t('Who do you want to add to {0}?', app.title),
      placeholder: vscode.l10n.t('Email address'),
      validate: (text) => (isEmail(text) ? undefined : vscode.l10n.t('Enter an email address.')),
    }),
    choice('role', {
      placeholder: (answers) => vscode.l10n.t('What can {0} do?', answers.email),
      items: roleItems(),
    }),
  ]);
  const outcome = await withCallProgress(vscode.l10n.t('Adding {0} to {1}', email, app.title), (signal) =>
    calls.addCollaborator(app, email, role, { signal }),
  );
  apps.presenter.changed(app.url);
  notifications.done(
    outcome === 'added'
      ? vscode.l10n.t('{0} now works on {1}.', email, app.title)
      : vscode.l10n.t('{0} was invited to {1}.', email, app.title),
  );
}

/** Changes the role of a collaborator. */
export async function changeRole(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, input, notifications } = dependencies;
  const title = vscode.l10n.t('Change Role of Collaborator');
  const { app, calls, collaborator } = await askForCollaborator(dependencies, argument, title);
  const { person } = collaborator;
  const items = roleItems();
  const { value, label } = await input.pick(items, {
    title,
    placeholder: vscode.l10n.t('What can {0} do?', person),
    active: items.find(({ value }) => collaborator.role.startsWith(value)),
  });
  await withCallProgress(vscode.l10n.t('Changing the role of {0}', person), (signal) =>
    calls.changeRole(collaborator, value, { signal }),
  );
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('{0} now has the role {1}.', person, label));
}

/** Removes a collaborator from an app, if the user agrees. */
export async function removeCollaborator(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, input, notifications } = dependencies;
  const title = vscode.l10n.t('Remove Collaborator');
  const { app, calls, collaborator } = await askForCollaborator(dependencies, argument, title);
  const { person } = collaborator;
  const question = vscode.l10n.t('Remove {0} from {1}?', person, app.title);
  const detail = collaborator.pending
    ? vscode.l10n.t('The invitation is withdrawn.')
    : vscode.l10n.t('They can no longer see or build the app.');
  await input.confirmOrCancel(question, detail, vscode.l10n.t('Remove'));
  await withCallProgress(vscode.l10n.t('Removing {0} from {1}', person, app.title), (signal) =>
    calls.removeCollaborator(collaborator, { signal }),
  );
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('{0} was removed from {1}.', person, app.title));
}

function roleItems() {
  return [
    {
      icon: 'tools',
      label: vscode.l10n.t('Developer'),
      detail: vscode.l10n.t('Changes, builds, and downloads the app.'),
      value: 'dev' as const,
    },
    {
      icon: 'device-mobile',
      label: vscode.l10n.t('Tester'),
      detail: vscode.l10n.t('Downloads the app.'),
      value: 'tester' as const,
    },
  ];
}

/** Checks only the minimum that any service requires: text on both sides of a single `@`. */
function isEmail(text: string): boolean {
  return /^[^\s@:\p{C}]+@[^\s@:\p{C}]+$/u.test(text);
}

interface CollaboratorSubject {
  readonly app: App;
  readonly calls: AppCalls;
  readonly collaborator: Collaborator;
}

/** Returns the collaborator that the argument identifies by address or name, or the one that the user picks. */
async function askForCollaborator(
  dependencies: CommandDependencies,
  argument: unknown,
  title: string,
): Promise<CollaboratorSubject> {
  const { app, calls } = await askForApp(dependencies, argument, title);
  const named = readArgument(argument);
  const all = readCollaborators(app.resource);
  const collaborator =
    all.find(({ url, person }) => (url !== undefined && url === named.url) || person === named.person) ??
    (await pickCollaborator(dependencies, app, all, title));
  const { url, resource, person } = collaborator;
  if (url === undefined && !offersForms(resource)) {
    throw new OperationNotOfferedError(person);
  }
  return { app, calls, collaborator };
}

async function pickCollaborator(
  { input }: CommandDependencies,
  app: App,
  all: readonly Collaborator[],
  title: string,
): Promise<Collaborator> {
  const others = all.filter(({ role }) => role !== 'admin' && role !== 'owner');
  if (others.length === 0) {
    throw new InvalidInputError(
      sentence('{0} has no other collaborators.', app.title),
      sentence('Add one with Add Collaborator.'),
    );
  }
  const items = others.map((collaborator) => ({
    icon: 'person',
    label: collaborator.person,
    description: collaborator.role,
    ...(collaborator.pending && { detail: vscode.l10n.t('invited') }),
    collaborator,
  }));
  return (await input.pick(items, { title, placeholder: vscode.l10n.t('Which collaborator?') })).collaborator;
}
