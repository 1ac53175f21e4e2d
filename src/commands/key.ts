import * as vscode from 'vscode';
import { InvalidInputError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { KeyCalls } from '../apps/calls/keyCalls.ts';
import type { SigningKey } from '../apps/model/signingKey.ts';
import { KeyNode } from '../apps/rows/keyNode.ts';
import { withCallProgress } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';
import { deleteEach, nameList, selectedRows, showNothingToDo } from './severalRows.ts';
import { secretsIn, unlockKey, withSecrets } from './unlockKey.ts';
import { addressOfArgument, askService } from './wizard/appSubject.ts';
import { askForKey, DOCUMENTED_KEY_PLATFORMS } from './wizard/newKey.ts';
import { urlAtService } from './wizard/requestSubject.ts';

interface KeySubject {
  readonly calls: KeyCalls;
  readonly key: SigningKey;
}

export async function addKey(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, connections, input, notifications, redactor } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = new KeyCalls(apps.callsOf(connection));
  const platform = platformOf(argument);
  const offered = platform === undefined ? await askService(connection, (signal) => calls.platforms({ signal })) : [];
  const { key, facts } = await askForKey(platform, offered.length === 0 ? DOCUMENTED_KEY_PLATFORMS : offered, input);
  const added = await withSecrets(redactor, secretsIn(key.passwords), () =>
    withCallProgress(vscode.l10n.t('Adding signing key {0}', key.title), (signal) => calls.add(key, { signal })),
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

export async function unlockNamedKey(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Unlock Signing Key');
  const { key } = await askForKeySubject(dependencies, argument, title, ({ locked }) => locked !== false);
  await unlockKey(dependencies, key);
}

export async function lockKey(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, notifications } = dependencies;
  const title = vscode.l10n.t('Lock Signing Key');
  const { calls, key } = await askForKeySubject(dependencies, argument, title, ({ locked }) => locked !== true);
  await withCallProgress(vscode.l10n.t('Locking {0}', key.title), (signal) => calls.lock(key, { signal }));
  apps.presenter.changed(key.url);
  if ((await apps.keyPasswords.find(key.url)) === undefined) {
    notifications.done(vscode.l10n.t('{0} is locked.', key.title));
    return;
  }
  notifications.information(
    vscode.l10n.t('{0} is locked. Its password is still kept in this computer’s keychain.', key.title),
    { title: vscode.l10n.t('Forget Password'), run: () => apps.keyPasswords.forget(key.url) },
  );
}

export async function setDefaultKey(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, notifications } = dependencies;
  const title = vscode.l10n.t('Use Signing Key by Default');
  const { calls, key } = await askForKeySubject(dependencies, argument, title, ({ isDefault }) => !isDefault);
  await withCallProgress(vscode.l10n.t('Changing {0}', key.title), (signal) => calls.setDefault(key, { signal }));
  // The one that was the default before has changed, too.
  apps.presenter.listsChanged();
  notifications.done(vscode.l10n.t('{0} is used for every {1} app without a key.', key.title, key.platform));
}

/** Deletes a signing key, or the keys of several rows, if the user agrees, with their stored facts and passwords. */
export async function deleteKeys(
  dependencies: CommandDependencies,
  argument: unknown,
  selected: unknown,
): Promise<void> {
  const { connections, apps } = dependencies;
  const selection = selectedRows(argument, selected, /^key;(.*;)?delete;/);
  const calls = new KeyCalls(apps.callsOf(await connections.requireSignedIn()));
  const names =
    selection === undefined
      ? await nameOfNamedKey(dependencies, argument)
      : // A key stands in the list of keys and below each app that is signed with it.
        new Map(selection.rows.flatMap((row) => (row instanceof KeyNode ? [[row.url, nameOfRow(row)]] : [])));
  if (names.size === 0) {
    showNothingToDo(dependencies);
    return;
  }
  const [first = ''] = names.values();
  const isOne = names.size === 1;
  const question = isOne
    ? vscode.l10n.t('Delete the signing key “{0}”?', first)
    : vscode.l10n.t('Delete {0} signing keys?', names.size);
  const loss = isOne
    ? vscode.l10n.t(
        'Apps that use it can no longer be built with it. The service does not give its files back: keep your own.',
      )
    : vscode.l10n.t(
        'Apps that use them can no longer be built with them. The service does not give their files back: keep your own.',
      );
  const detail = isOne ? loss : [nameList([...names.values()]), loss].join('\n\n');
  await deleteEach(dependencies, {
    names,
    leftOut: selection?.leftOut ?? 0,
    question,
    detail,
    action: vscode.l10n.t('Delete'),
    title: isOne ? vscode.l10n.t('Deleting {0}', first) : vscode.l10n.t('Deleting signing keys'),
    done: (deleted: number) =>
      isOne
        ? vscode.l10n.t('The signing key {0} is deleted.', first)
        : vscode.l10n.t('Signing keys deleted: {0} of {1}.', deleted, names.size),
    remove: async (url, signal) => {
      const key = await calls.get(url, { signal });
      await calls.delete(key, { signal });
      await apps.keyFacts.forget(key.url);
      apps.keyExpiry.forget(key.url);
      await apps.keyPasswords.forget(key.url);
    },
  });
}

async function nameOfNamedKey(
  dependencies: CommandDependencies,
  argument: unknown,
): Promise<ReadonlyMap<string, string>> {
  const { key } = await askForKeySubject(dependencies, argument, vscode.l10n.t('Delete Signing Key'));
  return new Map([[key.url, nameOfKey(key)]]);
}

function nameOfRow({ signingKey, value }: KeyNode): string {
  return signingKey === undefined ? value.label : nameOfKey(signingKey);
}

function nameOfKey({ title, platform }: SigningKey): string {
  return vscode.l10n.t('{0} for {1}', title, platform);
}

/**
 * The signing key that a command's argument names: a row of the tree, or an address. Without one the person picks it.
 *
 * @param filter false for a key that the command does nothing with.
 */
async function askForKeySubject(
  { apps, connections, input }: CommandDependencies,
  argument: unknown,
  title: string,
  filter: (key: SigningKey) => boolean = () => true,
): Promise<KeySubject> {
  const connection = await connections.requireSignedIn();
  const calls = new KeyCalls(apps.callsOf(connection));
  const get = (url: string) => askService(connection, (signal) => calls.get(url, { signal }));
  if (argument !== undefined) {
    const url = addressOfArgument(argument);
    if (url === undefined) {
      throw new InvalidInputError(
        sentence('There is no signing key to act on.'),
        sentence('Choose a key in the Resources view.'),
      );
    }
    return { calls, key: await get(urlAtService(connection.client, url)) };
  }
  const keys = (await askService(connection, (signal) => calls.list(undefined, { signal }))).filter(filter);
  if (keys.length === 0) {
    throw new InvalidInputError(
      sentence('You have no signing key at this service that this can be done with.'),
      sentence('Add one with the command Add Signing Key.'),
    );
  }
  const items = keys.map((key) => ({ icon: 'key', label: key.title, description: key.platform, key }));
  const placeholder = vscode.l10n.t('Which signing key?');
  const { key } = await input.pick(items, { title, placeholder });
  // Keys in a list lack their forms.
  return { calls, key: await get(key.url) };
}
