import * as vscode from 'vscode';
import type { KeyPasswords } from '../../apps/calls/keyCalls.ts';
import type { SigningKey } from '../../apps/model/signingKey.ts';
import type { WizardDependencies } from '../dependencies.ts';
import { keyKindOf } from './keyKinds.ts';
import { runWizard, type WizardStep } from './wizard.ts';

/** Passwords, and whether the keychain keeps them. */
export interface PasswordAnswers {
  readonly passwords: KeyPasswords;
  readonly remember: boolean;
}

interface Answers {
  readonly password: string;
  readonly keyPassword: string;
  readonly remember: boolean;
}

/**
 * Asks for what unlocks a key, in boxes that hide it.
 *
 * @param problem why it is asked for again; undefined at first.
 * @throws CancelledError when the person closes a question.
 */
export async function askForKeyPasswords(
  key: Pick<SigningKey, 'platform' | 'title'>,
  { input }: WizardDependencies,
  problem?: string,
): Promise<PasswordAnswers> {
  const title = vscode.l10n.t('Unlock Signing Key {0}', key.title);
  const hasTwo = keyKindOf(key.platform).passwords === 'two';
  const password: WizardStep<Answers> = {
    ask: async (answers, position) => {
      const answer = await input.askText({
        ...position,
        title,
        prompt:
          problem ??
          (hasTwo
            ? vscode.l10n.t('Password of the keystore. It is sent to the service, and shown nowhere.')
            : vscode.l10n.t('Password of the key. It is sent to the service, and shown nowhere.')),
        placeholder: hasTwo ? vscode.l10n.t('Password of the keystore') : vscode.l10n.t('Password'),
        value: answers.password,
        secret: true,
        exact: true,
        validate: (text) => (text === '' ? vscode.l10n.t('Enter the password.') : undefined),
      });
      return answer === 'back' ? answer : { ...answers, password: answer.text };
    },
  };
  const keyPassword: WizardStep<Answers> = {
    applies: () => hasTwo,
    ask: async (answers, position) => {
      const answer = await input.askText({
        ...position,
        title,
        prompt: vscode.l10n.t('Password of the key in it. Leave it empty if it is that of the keystore.'),
        placeholder: vscode.l10n.t('Password of the key'),
        value: answers.keyPassword,
        secret: true,
        exact: true,
      });
      return answer === 'back' ? answer : { ...answers, keyPassword: answer.text };
    },
  };
  const remember: WizardStep<Answers> = {
    ask: async (answers, position) => {
      const items = [
        { icon: 'unlock', label: vscode.l10n.t('Use It Once'), remember: false },
        {
          icon: 'save',
          label: vscode.l10n.t('Remember in This Computer’s Keychain'),
          detail: vscode.l10n.t('Next time the key is unlocked without a question. “Forget Password” ends that.'),
          remember: true,
        },
      ];
      const answer = await input.askChoice({
        ...position,
        title,
        placeholder: vscode.l10n.t('What happens to the password afterwards?'),
        items,
        active: items.find((item) => item.remember === answers.remember),
      });
      return answer === 'back' ? answer : { ...answers, remember: answer.item.remember };
    },
  };
  const answers = await runWizard({ password: '', keyPassword: '', remember: false }, [
    password,
    keyPassword,
    remember,
  ]);
  const { password: first, keyPassword: second } = answers;
  return {
    passwords: hasTwo ? { keystorePassword: first, keyPassword: second || first } : { password: first },
    remember: answers.remember,
  };
}
