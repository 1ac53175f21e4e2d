import * as vscode from 'vscode';
import { ServiceError } from '../api/errors/serviceError.ts';
import type { Redactor } from '../api/redaction.ts';
import { OperationNotOfferedError } from '../apps/appErrors.ts';
import { KeyCalls, type KeyPasswords } from '../apps/calls/keyCalls.ts';
import { findOperation } from '../apps/model/operation.ts';
import type { SigningKey } from '../apps/model/signingKey.ts';
import type { Input } from '../workbench/input.ts';
import { describe } from '../workbench/notifications.ts';
import { withCallProgress } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';
import { askService } from './wizard/appSubject.ts';
import { keyKindOf, toKeyPasswords } from './wizard/newKey.ts';
import { runWizard, wizardFields } from './wizard/wizard.ts';

/**
 * Unlocks a key: with the passwords that the keychain keeps, else with those that the person gives. Kept ones that the service
 * refuses are deleted, and asked for again.
 *
 * @param key as it was read; it may be one of a list.
 * @returns the key, unlocked.
 */
export async function unlockKey(dependencies: CommandDependencies, key: SigningKey): Promise<SigningKey> {
  const { apps, connections, notifications } = dependencies;
  const { keyPasswords, presenter } = apps;
  const connection = await connections.requireSignedIn();
  const calls = new KeyCalls(apps.callsOf(connection));
  const current = await askService(connection, (signal) => calls.get(key.url, { signal }));
  if (current.locked === false) {
    notifications.done(vscode.l10n.t('{0} is not locked.', current.title));
    return current;
  }
  if (
    !keyKindOf(current.platform).fields.includes('password') ||
    findOperation(current.resource, 'unlock', undefined, current.url) === undefined
  ) {
    throw new OperationNotOfferedError(current.title);
  }
  let problem: string | undefined;
  const kept = await keyPasswords.find(current.url);
  if (kept !== undefined) {
    try {
      const unlocked = await send(dependencies, calls, current, kept);
      presenter.changed(current.url);
      notifications.information(
        vscode.l10n.t('{0} is unlocked, with the password that is kept in this computer’s keychain.', current.title),
        { title: vscode.l10n.t('Forget Password'), run: () => keyPasswords.forget(current.url) },
      );
      return unlocked;
    } catch (error) {
      if (!isRefused(error)) {
        throw error;
      }
      await keyPasswords.forget(current.url);
      problem = vscode.l10n.t('The service refused the password that was kept, and it is deleted. Enter it again.');
    }
  }
  for (;;) {
    const { passwords, remember } = await askForKeyPasswords(current, dependencies.input, problem);
    try {
      const unlocked = await send(dependencies, calls, current, passwords);
      presenter.changed(current.url);
      notifications.done(vscode.l10n.t('{0} is unlocked.', current.title));
      if (remember) {
        await keyPasswords.remember(current.url, passwords);
      }
      return unlocked;
    } catch (error) {
      if (!isRefused(error)) {
        throw error;
      }
      problem = describe(error);
    }
  }
}

function send(
  { redactor }: CommandDependencies,
  calls: KeyCalls,
  key: SigningKey,
  passwords: KeyPasswords,
): Promise<SigningKey> {
  return withSecrets(redactor, secretsIn(passwords), () =>
    withCallProgress(vscode.l10n.t('Unlocking {0}', key.title), (signal) => calls.unlock(key, passwords, { signal })),
  );
}

/** True for an answer that another password may change. */
function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'service' && [200, 400, 403, 409, 422].includes(error.status);
}

export function secretsIn(passwords: KeyPasswords | undefined): readonly string[] {
  return passwords === undefined ? [] : Object.values<string>(passwords);
}

/** Has secrets hidden for as long as a call takes, also in what the service answers. */
export async function withSecrets<T>(
  redactor: Redactor,
  secrets: readonly string[],
  call: () => Promise<T>,
): Promise<T> {
  const forget = redactor.add(...secrets);
  try {
    return await call();
  } finally {
    forget();
  }
}

interface PasswordAnswers {
  readonly password: string;
  readonly keyPassword: string;
  /** The keychain keeps them. */
  readonly remember: boolean;
}

/**
 * Asks for what unlocks a key, in boxes that hide it.
 *
 * @param problem why it is asked for again; undefined at first.
 */
async function askForKeyPasswords(
  key: SigningKey,
  input: Input,
  problem: string | undefined,
): Promise<{ readonly passwords: KeyPasswords; readonly remember: boolean }> {
  const title = vscode.l10n.t('Unlock Signing Key {0}', key.title);
  const hasTwo = keyKindOf(key.platform).fields.includes('keyPassword');
  const prompt = hasTwo
    ? vscode.l10n.t('Password of the keystore. It is sent to the service, and shown nowhere.')
    : vscode.l10n.t('Password of the key. It is sent to the service, and shown nowhere.');
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
        prompt: vscode.l10n.t('Password of the key in it. Leave it empty if it is that of the keystore.'),
        placeholder: vscode.l10n.t('Password of the key'),
        secret: true,
        exact: true,
      }),
      choice('remember', {
        placeholder: vscode.l10n.t('What happens to the password afterwards?'),
        items: [
          { icon: 'unlock', label: vscode.l10n.t('Use It Once'), value: false },
          {
            icon: 'save',
            label: vscode.l10n.t('Remember in This Computer’s Keychain'),
            detail: vscode.l10n.t('Next time the key is unlocked without a question. “Forget Password” ends that.'),
            value: true,
          },
        ],
      }),
    ],
  );
  return { passwords: toKeyPasswords(key.platform, password, keyPassword), remember };
}
