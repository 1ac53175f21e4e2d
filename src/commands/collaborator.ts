import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { OperationNotOfferedError } from '../apps/appErrors.ts';
import type { Apps } from '../builds/apps.ts';
import { CollaboratorCalls, type CollaboratorRole } from '../apps/calls/collaboratorCalls.ts';
import type { App } from '../apps/model/app.ts';
import { readCollaborators, type Collaborator } from '../apps/model/collaborator.ts';
import { findOperation, offersForms } from '../apps/model/operation.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../workbench/progress.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies } from './dependencies.ts';
import { appSubjectOf } from './wizard/appSubject.ts';
import { runWizard, type WizardStep } from './wizard/wizard.ts';

export interface CollaboratorDependencies extends Pick<CommandDependencies, 'connections' | 'input' | 'notifications'> {
  readonly apps: Apps;
}

/** Commands about the people who work on an app. */
export function collaboratorCommands(dependencies: CollaboratorDependencies) {
  return {
    'appBuild.addCollaborator': (argument) => addCollaborator(dependencies, argument),
    'appBuild.changeCollaboratorRole': (argument) => changeRole(dependencies, argument),
    'appBuild.removeCollaborator': (argument) => removeCollaborator(dependencies, argument),
  } satisfies Handlers;
}

/** RFC 5321 §4.5.3.1.3, without the brackets. */
const MAX_EMAIL_LENGTH = 254;

interface Invitation {
  readonly email: string;
  readonly role: CollaboratorRole;
}

/** @param argument a row of an app or of its collaborators; or none. */
async function addCollaborator(dependencies: CollaboratorDependencies, argument: unknown): Promise<void> {
  const { apps, connections, input, notifications } = dependencies;
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Add Collaborator');
  const app = await appOf(dependencies, connection, argument, title);
  if (findOperation(app.resource, 'add-collaborator') === undefined) {
    throw new OperationNotOfferedError(app.title);
  }
  const email: WizardStep<Invitation> = {
    ask: async (answers, position) => {
      const answer = await input.askText({
        ...position,
        title,
        prompt: vscode.l10n.t('Who is to work on {0}?', app.title),
        placeholder: vscode.l10n.t('E-mail address'),
        value: answers.email,
        validate: (text) => (isEmail(text) ? undefined : vscode.l10n.t('Enter an e-mail address.')),
      });
      return answer === 'back' ? answer : { ...answers, email: answer.text };
    },
  };
  const role: WizardStep<Invitation> = {
    ask: async (answers, position) => {
      const items = roleItems();
      const answer = await input.askChoice({
        ...position,
        title,
        placeholder: vscode.l10n.t('What may {0} do?', answers.email),
        items,
        active: items.find((item) => item.role === answers.role),
      });
      return answer === 'back' ? answer : { ...answers, role: answer.item.role };
    },
  };
  const invitation = await runWizard<Invitation>({ email: '', role: 'tester' }, [email, role]);
  const calls = new CollaboratorCalls(apps.callsOf(connection));
  const outcome = await withProgress(
    { notification: vscode.l10n.t('Adding {0} to {1}', invitation.email, app.title), delayMs: CALL_PROGRESS_DELAY_MS },
    (signal) => calls.add(app, invitation.email, invitation.role, { signal }),
  );
  apps.presenter.changed(app.url);
  notifications.done(
    outcome === 'added'
      ? vscode.l10n.t('{0} works on {1}.', invitation.email, app.title)
      : vscode.l10n.t('{0} is invited to {1}.', invitation.email, app.title),
  );
}

/** @param argument a row of a collaborator; or none. */
async function changeRole(dependencies: CollaboratorDependencies, argument: unknown): Promise<void> {
  const { apps, connections, input, notifications } = dependencies;
  const connection = await connections.requireSignedIn();
  const title = vscode.l10n.t('Change Role of Collaborator');
  const { app, collaborator } = await subjectOf(dependencies, connection, argument, title);
  const { person } = collaborator;
  const items = roleItems();
  const answer = await input.askChoice({
    title,
    placeholder: vscode.l10n.t('What may {0} do?', person),
    items,
    active: items.find(({ role }) => collaborator.role.startsWith(role)),
  });
  if (answer === 'back') {
    return;
  }
  const calls = new CollaboratorCalls(apps.callsOf(connection));
  await withProgress(
    { notification: vscode.l10n.t('Changing the role of {0}', person), delayMs: CALL_PROGRESS_DELAY_MS },
    (signal) => calls.changeRole(collaborator, answer.item.role, { signal }),
  );
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('{0} has another role: {1}.', person, answer.item.label));
}

/** @param argument a row of a collaborator; or none. */
async function removeCollaborator(dependencies: CollaboratorDependencies, argument: unknown): Promise<void> {
  const { apps, connections, input, notifications } = dependencies;
  const connection = await connections.requireSignedIn();
  const { app, collaborator } = await subjectOf(
    dependencies,
    connection,
    argument,
    vscode.l10n.t('Remove Collaborator'),
  );
  const { person } = collaborator;
  const question = vscode.l10n.t('Remove {0} from {1}?', person, app.title);
  const detail = collaborator.pending
    ? vscode.l10n.t('The invitation ends.')
    : vscode.l10n.t('They can no longer see or build the app.');
  if (!(await input.confirm(question, detail, vscode.l10n.t('Remove')))) {
    throw new CancelledError();
  }
  const calls = new CollaboratorCalls(apps.callsOf(connection));
  await withProgress(
    { notification: vscode.l10n.t('Removing {0} from {1}', person, app.title), delayMs: CALL_PROGRESS_DELAY_MS },
    (signal) => calls.remove(collaborator, { signal }),
  );
  apps.presenter.changed(app.url);
  notifications.done(vscode.l10n.t('{0} is removed from {1}.', person, app.title));
}

function roleItems() {
  return [
    {
      icon: 'tools',
      label: vscode.l10n.t('Developer'),
      detail: vscode.l10n.t('Changes, builds and downloads the app.'),
      role: 'dev' as const,
    },
    {
      icon: 'device-mobile',
      label: vscode.l10n.t('Tester'),
      detail: vscode.l10n.t('Downloads the app.'),
      role: 'tester' as const,
    },
  ];
}

/** As far as a service can agree: something on both sides of one `@`. */
function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && /^[^\s@:\p{C}]+@[^\s@:\p{C}]+$/u.test(text);
}

/** @throws CancelledError when the list of apps is closed; what {@link appSubjectOf} throws. */
async function appOf(
  { apps, input }: CollaboratorDependencies,
  connection: SignedInConnection,
  argument: unknown,
  title: string,
): Promise<App> {
  const subject = await appSubjectOf(withAppUrl(argument), { apps, connection, input, title });
  if (subject === undefined) {
    throw new CancelledError();
  }
  return subject.app;
}

/** A row of a collaborator, or of the list of them, knows the app by its own address, which is below that of the app. */
function withAppUrl(argument: unknown): unknown {
  const { url, appUrl } = Object(argument) as { readonly url?: unknown; readonly appUrl?: unknown };
  if (appUrl !== undefined || typeof url !== 'string') {
    return argument;
  }
  return { appUrl: url.replace(/\/collaborators(\/[^/?#]*)?\/?([?#].*)?$/, '') };
}

/**
 * The collaborator that an argument names by its address, else the one that the person picks.
 *
 * @throws CancelledError when a list is closed; InvalidInputError when nobody else works on the app; OperationNotOfferedError for
 * one who is invited, where the service has no address for an invitation.
 */
async function subjectOf(
  dependencies: CollaboratorDependencies,
  connection: SignedInConnection,
  argument: unknown,
  title: string,
): Promise<{ readonly app: App; readonly collaborator: Collaborator }> {
  const subject = await namedOrPicked(dependencies, connection, argument, title);
  const { url, resource, person } = subject.collaborator;
  if (url === undefined && !offersForms(resource)) {
    throw new OperationNotOfferedError(person);
  }
  return subject;
}

async function namedOrPicked(
  dependencies: CollaboratorDependencies,
  connection: SignedInConnection,
  argument: unknown,
  title: string,
): Promise<{ readonly app: App; readonly collaborator: Collaborator }> {
  const app = await appOf(dependencies, connection, argument, title);
  const { url, person } = Object(argument) as { readonly url?: unknown; readonly person?: unknown };
  const all = readCollaborators(app.resource);
  const named = all.find((each) => (typeof url === 'string' && each.url === url) || each.person === person);
  if (named !== undefined) {
    return { app, collaborator: named };
  }
  const others = all.filter(({ role }) => role !== 'admin' && role !== 'owner');
  if (others.length === 0) {
    throw new InvalidInputError(
      sentence('Nobody else works on {0}.', app.title),
      sentence('Add somebody with the command Add Collaborator.'),
    );
  }
  const items = others.map((collaborator) => ({
    icon: 'person',
    label: collaborator.person,
    description: collaborator.role,
    ...(collaborator.pending && { detail: vscode.l10n.t('invited') }),
    collaborator,
  }));
  const chosen = await dependencies.input.pick(items, { title, placeholder: vscode.l10n.t('Who?') });
  if (chosen === undefined) {
    throw new CancelledError();
  }
  return { app, collaborator: chosen.collaborator };
}
