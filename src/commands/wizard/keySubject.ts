import * as vscode from 'vscode';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { KeyCalls } from '../../apps/calls/keyCalls.ts';
import type { SigningKey } from '../../apps/model/signingKey.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import type { WizardDependencies } from '../dependencies.ts';
import { urlAtService } from './requestSubject.ts';

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
