import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { KeyCalls } from '../apps/calls/keyCalls.ts';
import type { SigningKey } from '../apps/model/signingKey.ts';
import { CALL_PROGRESS_DELAY_MS, withProgress } from '../workbench/progress.ts';
import type { Handlers } from './commandRegistry.ts';
import type { CommandDependencies, WizardDependencies } from './dependencies.ts';
import { selectedRows, type SelectedRows, nameList, runEach, tellNothingToDo, tellOutcome } from './severalRows.ts';
import { secretsIn, unlockKey, withSecrets, type UnlockDependencies } from './unlockKey.ts';
import { DOCUMENTED_KEY_PLATFORMS } from './wizard/keyDraft.ts';
import { askForKey } from './wizard/newKey.ts';
import { KeyNode } from '../apps/rows/keyNode.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import { sentence } from '../api/errors/sentence.ts';
import type { SignedInConnection } from '../auth/connection.ts';
import { urlAtService } from './wizard/requestSubject.ts';

export { unlockKey };
export type KeyDependencies = UnlockDependencies & Pick<CommandDependencies, 'log'>;

/** Commands about signing keys. */
export function keyCommands(dependencies: KeyDependencies) {
  return {
    'appBuild.addKey': (argument) => addKey(dependencies, argument),
    'appBuild.unlockKey': (argument) => unlock(dependencies, argument),
    'appBuild.lockKey': (argument) => lockKey(dependencies, argument),
    'appBuild.setDefaultKey': (argument) => setDefaultKey(dependencies, argument),
    'appBuild.deleteKey': (argument, selected) => {
      const several = selectedRows(argument, selected, /^key;(.*;)?delete;/);
      return several === undefined ? deleteKey(dependencies, argument) : deleteKeys(dependencies, several);
    },
  } satisfies Handlers;
}

/** @param argument a row of the keys of a platform; or none. */
async function addKey(dependencies: KeyDependencies, argument: unknown): Promise<void> {
  const { apps, connections, notifications, redactor } = dependencies;
  const calls = new KeyCalls(apps.callsOf(await connections.requireSignedIn()));
  const platform = platformOf(argument);
  const named = platform === undefined ? await calls.platforms() : [];
  const { key, facts } = await askForKey(platform, named.length === 0 ? DOCUMENTED_KEY_PLATFORMS : named, dependencies);
  const added = await withSecrets(redactor, secretsIn(key.passwords), () =>
    withProgress(
      { notification: vscode.l10n.t('Adding signing key {0}', key.title), delayMs: CALL_PROGRESS_DELAY_MS },
      (signal) => calls.add(key, { signal }),
    ),
  );
  await apps.keyFacts.remember(added.url, facts);
  apps.presenter.listsChanged();
  if (added.locked === true) {
    notifications.information(vscode.l10n.t('The signing key {0} is added, and locked.', added.title), {
      title: vscode.l10n.t('Unlock…'),
      run: () => unlockKey(dependencies, added),
    });
  } else {
    notifications.done(vscode.l10n.t('The signing key {0} is added.', added.title));
  }
}

/** The platform of a row of keys: as it says, or the last step of its address. */
function platformOf(argument: unknown): string | undefined {
  const { platform, url } = Object(argument) as { readonly platform?: unknown; readonly url?: unknown };
  if (typeof platform === 'string' && platform !== '') {
    return platform;
  }
  const address = typeof argument === 'string' ? argument : url;
  return typeof address === 'string' ? /\/keys\/([\w-]+)\/?(?:[?#]|$)/.exec(address)?.[1] : undefined;
}

async function unlock(dependencies: KeyDependencies, argument: unknown): Promise<void> {
  const key = await subjectOf(dependencies, argument, vscode.l10n.t('Unlock Signing Key'), ({ locked }) => {
    return locked !== false;
  });
  await unlockKey(dependencies, key);
}

async function lockKey(dependencies: KeyDependencies, argument: unknown): Promise<void> {
  const { apps, notifications } = dependencies;
  const key = await subjectOf(dependencies, argument, vscode.l10n.t('Lock Signing Key'), ({ locked }) => {
    return locked !== true;
  });
  await change(dependencies, vscode.l10n.t('Locking {0}', key.title), (calls, signal) => calls.lock(key, { signal }));
  apps.presenter.changed(key.url);
  if ((await apps.keyPasswords.find(key)) === undefined) {
    notifications.done(vscode.l10n.t('{0} is locked.', key.title));
    return;
  }
  notifications.information(
    vscode.l10n.t('{0} is locked. Its password is still kept in this computer’s keychain.', key.title),
    { title: vscode.l10n.t('Forget Password'), run: () => apps.keyPasswords.forget(key) },
  );
}

async function setDefaultKey(dependencies: KeyDependencies, argument: unknown): Promise<void> {
  const { apps, notifications } = dependencies;
  const title = vscode.l10n.t('Use Signing Key by Default');
  const key = await subjectOf(dependencies, argument, title, ({ isDefault }) => !isDefault);
  await change(dependencies, vscode.l10n.t('Changing {0}', key.title), (calls, signal) =>
    calls.setDefault(key, { signal }),
  );
  // The one that was the default before has changed, too.
  apps.presenter.listsChanged();
  notifications.done(vscode.l10n.t('{0} is used for every {1} app without a key.', key.title, key.platform));
}

async function deleteKey(dependencies: KeyDependencies, argument: unknown): Promise<void> {
  const { apps, input, notifications } = dependencies;
  const key = await subjectOf(dependencies, argument, vscode.l10n.t('Delete Signing Key'));
  const question = vscode.l10n.t('Delete the signing key “{0}” for {1}?', key.title, key.platform);
  const detail = vscode.l10n.t(
    'Apps that use it can no longer be built with it. The service does not give its files back: keep your own.',
  );
  if (!(await input.confirm(question, detail, vscode.l10n.t('Delete')))) {
    throw new CancelledError();
  }
  await change(dependencies, vscode.l10n.t('Deleting {0}', key.title), (calls, signal) =>
    calls.delete(key, { signal }),
  );
  await apps.keyFacts.forget(key.url);
  apps.keyExpiry.forget(key.url);
  apps.presenter.listsChanged();
  notifications.done(vscode.l10n.t('The signing key {0} is deleted.', key.title));
  await apps.keyPasswords.forget(key);
}

/** @throws CancelledError when the list is closed; what {@link keySubjectOf} throws. */
async function subjectOf(
  { apps, connections, input }: KeyDependencies,
  argument: unknown,
  title: string,
  filter?: (key: SigningKey) => boolean,
): Promise<SigningKey> {
  const connection = await connections.requireSignedIn();
  const calls = new KeyCalls(apps.callsOf(connection));
  const key = await keySubjectOf(argument, { calls, connection, input, title, ...(filter && { filter }) });
  if (key === undefined) {
    throw new CancelledError();
  }
  return key;
}

async function change<T>(
  { apps, connections }: KeyDependencies,
  title: string,
  call: (calls: KeyCalls, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const calls = new KeyCalls(apps.callsOf(await connections.requireSignedIn()));
  return withProgress({ notification: title, delayMs: CALL_PROGRESS_DELAY_MS }, (signal) => call(calls, signal));
}

type DeleteKeysDependencies = Pick<CommandDependencies, 'apps' | 'connections' | 'input' | 'log' | 'notifications'>;

/**
 * Deletes the signing keys of some rows, when the person agrees, and what is remembered of them on this machine.
 *
 * @throws CancelledError; BuildServiceError
 */
export async function deleteKeys(dependencies: DeleteKeysDependencies, { rows, leftOut }: SelectedRows): Promise<void> {
  const { connections, apps, input } = dependencies;
  const connection = await connections.requireSignedIn();
  // A key stands in the list of keys and below each app that is signed with it.
  const chosen = new Map(rows.flatMap((row) => (row instanceof KeyNode ? [[row.url, nameOf(row)]] : [])));
  if (chosen.size === 0) {
    tellNothingToDo(dependencies);
    return;
  }
  const question =
    chosen.size === 1
      ? vscode.l10n.t('Delete the signing key “{0}”?', [...chosen.values()].join(''))
      : vscode.l10n.t('Delete {0} signing keys?', chosen.size);
  const detail = [
    nameList([...chosen.values()]),
    vscode.l10n.t(
      'Apps that use them can no longer be built with them. The service does not give their files back: keep your own.',
    ),
  ];
  if (!(await input.confirm(question, detail.join('\n\n'), vscode.l10n.t('Delete')))) {
    return;
  }
  const calls = new KeyCalls(apps.callsOf(connection));
  const tasks = [...chosen].map(([url, name]) => ({
    name,
    run: async (signal: AbortSignal) => {
      const key = await calls.get(url);
      await calls.delete(key, { signal });
      await apps.keyFacts.forget(key.url);
      apps.keyExpiry.forget(key.url);
      await apps.keyPasswords.forget(key);
      return url;
    },
  }));
  const outcome = await runEach(vscode.l10n.t('Deleting signing keys'), tasks);
  apps.presenter.listsChanged();
  const text = vscode.l10n.t('Signing keys deleted: {0} of {1}.', outcome.results.length, outcome.total);
  tellOutcome(dependencies, outcome, { text, leftOut });
}

function nameOf({ signingKey, value }: KeyNode): string {
  return signingKey === undefined ? value.label : vscode.l10n.t('{0} for {1}', signingKey.title, signingKey.platform);
}

interface KeyQuestion {
  readonly calls: KeyCalls;
  readonly connection: SignedInConnection;
  readonly input: WizardDependencies['input'];
  /** Of the list. */
  readonly title: string;
  /** False for a key that the command does nothing with. */
  readonly filter?: (key: SigningKey) => boolean;
}

/**
 * The signing key that a command's argument names: a row of the tree, or an address. Without one the person picks it.
 *
 * @returns undefined when the list is closed.
 * @throws InvalidInputError when the argument names none, or there is none; BuildServiceError
 */
export async function keySubjectOf(
  argument: unknown,
  { calls, connection, input, title, filter = () => true }: KeyQuestion,
): Promise<SigningKey | undefined> {
  if (argument !== undefined) {
    const url = addressOf(argument);
    if (url === undefined) {
      throw new InvalidInputError(
        sentence('There is no signing key to act on.'),
        sentence('Choose a key in the Resources view.'),
      );
    }
    return calls.get(urlAtService(connection.client, url));
  }
  const keys = (await calls.list()).filter(filter);
  if (keys.length === 0) {
    throw new InvalidInputError(
      sentence('You have no signing key at this service that this can be done with.'),
      sentence('Add one with the command Add Signing Key.'),
    );
  }
  const items = keys.map((key) => ({ icon: 'key', label: key.title, description: key.platform, key }));
  const chosen = await input.pick(items, {
    title,
    placeholder: vscode.l10n.t('Which signing key?'),
    matchOnDescription: true,
  });
  // In a list a key is shortened: what can be done with it is said by the key itself.
  return chosen && calls.get(chosen.key.url);
}

function addressOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') {
    return argument;
  }
  const { url } = Object(argument) as { readonly url?: unknown };
  return typeof url === 'string' ? url : undefined;
}
