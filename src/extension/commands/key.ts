import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import { type Redactor, ServiceError } from '../../service-client/index.ts';
import { OperationNotOfferedError } from '../apps/appErrors.ts';
import { KeyCalls, type KeyPasswords } from '../apps/calls/keyCalls.ts';
import { findOperation } from '../apps/model/operation.ts';
import type { Fingerprints } from '../apps/model/members.ts';
import { mayShowFingerprints, type SigningKey } from '../apps/model/signingKey.ts';
import { KeyNode } from '../apps/rows/keyNode.ts';
import { PlatformNode } from '../apps/builds/rows/platformNode.ts';
import type { CommandDependencies } from './dependencies.ts';
import { deleteEach, selectedRows } from './severalRows.ts';
import { DOCUMENTED_KEY_PLATFORMS, askForKey, getKeyKind, toKeyPasswords } from './wizard/newKey.ts';
import { getArgumentAddress, askService, readArgument, urlAtService } from './wizard/subject.ts';
import { runWizard, wizardFields } from './wizard/wizard.ts';
import type { Input } from '../workbench/input.ts';
import { describeFailure } from '../workbench/notifications.ts';
import { withCallProgress } from '../workbench/progress.ts';
import { platformName } from '../../web-project/index.ts';

interface KeySubject {
  readonly calls: KeyCalls;
  readonly key: SigningKey;
}

/** Asks for a signing key and uploads it. */
export async function addKey(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, connections, input, notifications, redactor } = dependencies;
  const connection = await connections.requireSignedIn();
  const calls = new KeyCalls(apps.createCalls(connection));
  const { platform } = readArgument(argument);
  const offered = platform === undefined ? await askService(connection, (signal) => calls.platforms({ signal })) : [];
  const { key, facts } = await askForKey(platform, offered.length === 0 ? DOCUMENTED_KEY_PLATFORMS : offered, input);
  const added = await withHidden(redactor, key.passwords, () =>
    withCallProgress(vscode.l10n.t('Adding signing key {0}', key.title), (signal) => calls.add(key, { signal })),
  );
  await apps.keyFacts.remember(added.url, facts);
  apps.presenter.refreshLists();
  if (added.locked === true) {
    notifications.information(vscode.l10n.t('The signing key {0} was added and is locked.', added.title), {
      title: vscode.l10n.t('Unlock…'),
      run: () => unlockKey(dependencies, added),
    });
  } else {
    notifications.done(vscode.l10n.t('The signing key {0} was added.', added.title));
  }
}

/** Unlocks the signing key specified by the argument. Without an argument, the user picks one. */
export async function unlockNamedKey(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Unlock Signing Key');
  const { key } = await askForKeySubject(dependencies, argument, title, ({ locked }) => locked !== false);
  await unlockKey(dependencies, key);
}

/** Locks a signing key. */
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
    vscode.l10n.t('{0} is locked. Its password is still in this computer’s keychain.', key.title),
    { title: vscode.l10n.t('Forget Password'), run: () => apps.keyPasswords.forget(key.url) },
  );
}

/** Makes a signing key the default for its platform. */
export async function setDefaultKey(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { apps, notifications } = dependencies;
  const title = vscode.l10n.t('Set as Default Signing Key');
  const { calls, key } = await askForKeySubject(dependencies, argument, title, ({ isDefault }) => !isDefault);
  await withCallProgress(vscode.l10n.t('Changing {0}', key.title), (signal) => calls.setDefault(key, { signal }));
  // This also changes the previous default key.
  apps.presenter.refreshLists();
  notifications.done(
    vscode.l10n.t('{0} is used for every {1} app without a key.', key.title, platformName(key.platform)),
  );
}

/** Deletes a signing key, or those of the selected rows, if the user agrees. Also deletes their stored facts and passwords. */
export async function deleteKeys(
  dependencies: CommandDependencies,
  argument: unknown,
  selected: unknown,
): Promise<void> {
  const { connections, apps } = dependencies;
  const calls = new KeyCalls(apps.createCalls(await connections.requireSignedIn()));
  const getKeyName = ({ title, platform }: SigningKey) => vscode.l10n.t('{0} for {1}', title, platformName(platform));
  await deleteEach(dependencies, selectedRows(argument, selected, /^key;(.*;)?delete;/), {
    askForOne: async () => {
      const { key } = await askForKeySubject(dependencies, argument, vscode.l10n.t('Delete Signing Key'));
      return [key.url, getKeyName(key)];
    },
    // The same key can have a row in the list of keys and in each app that it signs.
    getRowName: (row) =>
      row instanceof KeyNode ? [row.url, row.signingKey ? getKeyName(row.signingKey) : row.value.label] : undefined,
    textsFor: (keys) => {
      const [first = '', ...others] = keys.values();
      const loss = vscode.l10n.t(
        'Apps can no longer be built with deleted keys. The service doesn’t return their files, so keep your own copies.',
      );
      return others.length === 0
        ? { question: vscode.l10n.t('Delete the signing key “{0}”?', first), loss }
        : { question: vscode.l10n.t('Delete {0} signing keys?', keys.size), loss };
    },
    remove: async (url, signal) => {
      const key = await calls.get(url, { signal });
      await calls.delete(key, { signal });
      await apps.keyFacts.forget(key.url);
      apps.keyExpiry.forget(key.url);
      await apps.keyPasswords.forget(key.url);
    },
  });
}

/**
 * Copies the fingerprint of a key's certificate, or of the certificate that signed a build. Developer verification and sign-in
 * providers require it. If the key is locked and the fingerprint isn't known, offers to unlock the key.
 */
export async function copyFingerprint(
  dependencies: CommandDependencies,
  argument: unknown,
  kind: keyof Fingerprints,
): Promise<void> {
  const { notifications } = dependencies;
  const name = kind === 'sha1' ? 'SHA-1' : 'SHA-256';
  const copy = async (title: string, fingerprints: Fingerprints | undefined): Promise<void> => {
    if (fingerprints === undefined) {
      throw new InvalidInputError(
        sentence('The service doesn’t have the certificate of “{0}”.', title),
        sentence(
          'Check the key’s alias and password. If the service doesn’t report fingerprints, run “keytool -list -v -keystore FILE”.',
        ),
      );
    }
    await vscode.env.clipboard.writeText(fingerprints[kind]);
    notifications.done(vscode.l10n.t('The {0} fingerprint of “{1}” was copied.', name, title));
  };
  if (argument instanceof PlatformNode) {
    const { appTitle, details } = argument.value;
    await copy(appTitle, details?.fingerprints);
    return;
  }
  const { key } = await askForKeySubject(
    dependencies,
    argument,
    vscode.l10n.t('Copy {0} Fingerprint', name),
    mayShowFingerprints,
  );
  if (key.fingerprints !== undefined || key.locked !== true) {
    await copy(key.title, key.fingerprints);
    return;
  }
  notifications.information(
    vscode.l10n.t('“{0}” is locked, and its fingerprints aren’t known yet. Unlock it to copy them.', key.title),
    {
      title: vscode.l10n.t('Unlock…'),
      run: async () => copy(key.title, (await unlockKey(dependencies, key)).fingerprints),
    },
  );
}

/**
 * Returns the signing key specified by a command's argument: a row of the tree, or an address. Without an argument, the user picks
 * one.
 *
 * @param filter returns false for keys that the command can't act on.
 */
async function askForKeySubject(
  { apps, connections, input }: CommandDependencies,
  argument: unknown,
  title: string,
  filter: (key: SigningKey) => boolean = () => true,
): Promise<KeySubject> {
  const connection = await connections.requireSignedIn();
  const calls = new KeyCalls(apps.createCalls(connection));
  const get = (url: string) => askService(connection, (signal) => calls.get(url, { signal }));
  if (argument !== undefined) {
    const url = getArgumentAddress(argument);
    if (url === undefined) {
      throw new InvalidInputError(
        sentence('This command needs a signing key.'),
        sentence('Choose a key in the App Build view.'),
      );
    }
    return { calls, key: await get(urlAtService(connection.client, url)) };
  }
  const keys = (await askService(connection, (signal) => calls.list(undefined, { signal }))).filter(filter);
  if (keys.length === 0) {
    throw new InvalidInputError(
      sentence('You don’t have a signing key for this at the service.'),
      sentence('Add one with the command Add Signing Key.'),
    );
  }
  const items = keys.map((key) => ({ icon: 'key', label: key.title, description: key.platform, key }));
  const placeholder = vscode.l10n.t('Which signing key?');
  const { key } = await input.pick(items, { title, placeholder });
  // Keys in a list don't contain their forms.
  return { calls, key: await get(key.url) };
}

/**
 * Unlocks a key with its stored passwords, or with passwords that the user enters. If the service refuses stored passwords,
 * deletes them and asks the user.
 *
 * @param key the key, possibly from a list.
 * @returns the unlocked key.
 */
export async function unlockKey(dependencies: CommandDependencies, key: SigningKey): Promise<SigningKey> {
  const { apps, connections, notifications, redactor } = dependencies;
  const { keyPasswords, presenter } = apps;
  const connection = await connections.requireSignedIn();
  const calls = new KeyCalls(apps.createCalls(connection));
  const current = await askService(connection, (signal) => calls.get(key.url, { signal }));
  if (current.locked === false) {
    notifications.done(vscode.l10n.t('{0} isn’t locked.', current.title));
    return current;
  }
  if (
    !getKeyKind(current.platform).fields.includes('password') ||
    findOperation(current.resource, 'unlock', undefined, current.url) === undefined
  ) {
    throw new OperationNotOfferedError(current.title);
  }
  let remembered = await keyPasswords.find(current.url);
  let problem: string | undefined;
  for (;;) {
    const { passwords, remember } =
      remembered === undefined
        ? await askForKeyPasswords(current, dependencies.input, problem)
        : { passwords: remembered, remember: false };
    try {
      const unlocked = await withHidden(redactor, passwords, () =>
        withCallProgress(vscode.l10n.t('Unlocking {0}', current.title), (signal) =>
          calls.unlock(current, passwords, { signal }),
        ),
      );
      presenter.changed(current.url);
      if (remembered === undefined) {
        notifications.done(vscode.l10n.t('{0} is unlocked.', current.title));
      } else {
        notifications.information(
          vscode.l10n.t('{0} is unlocked with the password from this computer’s keychain.', current.title),
          { title: vscode.l10n.t('Forget Password'), run: () => keyPasswords.forget(current.url) },
        );
      }
      if (remember) {
        await keyPasswords.remember(current.url, passwords);
      }
      return unlocked;
    } catch (error) {
      if (!isPasswordRefused(error)) {
        throw error;
      }
      problem = describeFailure(error);
      if (remembered !== undefined) {
        problem = vscode.l10n.t('The service rejected the saved password, so it was deleted. Enter it again.');
        remembered = undefined;
        await keyPasswords.forget(current.url);
      }
    }
  }
}

/** Reports whether a different password might help. */
function isPasswordRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'service' && [200, 400, 403, 409, 422].includes(error.status);
}

/** Hides passwords in the log and in the service's response during a call. */
async function withHidden<T>(
  redactor: Redactor,
  passwords: KeyPasswords | undefined,
  call: () => Promise<T>,
): Promise<T> {
  const forget = redactor.add(...Object.values<string>(passwords ?? {}));
  try {
    return await call();
  } finally {
    forget();
  }
}

interface PasswordAnswers {
  readonly password: string;
  readonly keyPassword: string;
  /** Whether to store the passwords in the keychain. */
  readonly remember: boolean;
}

/** Asks for the passwords of a key in masked input boxes. @param problem reason for asking again. Undefined the first time. */
async function askForKeyPasswords(
  key: SigningKey,
  input: Input,
  problem: string | undefined,
): Promise<{ readonly passwords: KeyPasswords; readonly remember: boolean }> {
  const title = vscode.l10n.t('Unlock Signing Key {0}', key.title);
  const hasTwo = getKeyKind(key.platform).fields.includes('keyPassword');
  const prompt = hasTwo
    ? vscode.l10n.t('Password of the keystore. It’s sent to the service and never shown.')
    : vscode.l10n.t('Password of the key. It’s sent to the service and never shown.');
  const { choice, text } = wizardFields<PasswordAnswers>(input, title);
  const { password, keyPassword, remember } = await runWizard<PasswordAnswers>(
    { password: '', keyPassword: '', remember: false },
    [
      text('password', {
        prompt: problem ?? prompt,
        placeholder: hasTwo ? vscode.l10n.t('Password of the keystore') : vscode.l10n.t('Password'),
        secret: true,
        exact: true,
        required: vscode.l10n.t('Enter the password.'),
      }),
      text('keyPassword', {
        when: () => hasTwo,
        prompt: vscode.l10n.t('Password of the key in the keystore. Leave it empty if it’s the keystore’s password.'),
        placeholder: vscode.l10n.t('Password of the key'),
        secret: true,
        exact: true,
      }),
      choice('remember', {
        placeholder: vscode.l10n.t('What should happen to the password afterward?'),
        items: [
          { icon: 'unlock', label: vscode.l10n.t('Use It Once'), value: false },
          {
            icon: 'save',
            label: vscode.l10n.t('Remember in This Computer’s Keychain'),
            detail: vscode.l10n.t('Next time, the key is unlocked without a prompt. Undo this with “Forget Password”.'),
            value: true,
          },
        ],
      }),
    ],
  );
  return { passwords: toKeyPasswords(key.platform, password, keyPassword), remember };
}
