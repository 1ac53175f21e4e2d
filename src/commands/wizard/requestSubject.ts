import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../api/client.ts';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { Form } from '../../api/hypermedia/resource.ts';
import type { RequestBody } from '../../resources/requests/requestBody.ts';
import type { Input } from '../../workbench/input.ts';

/** What a command about a request acts on. */
export interface RequestSubject {
  /** Absolute, without credentials. */
  readonly url: string;
  readonly form?: Form;
  /** When it is given, nobody is asked for it. */
  readonly method?: string;
  readonly body?: RequestBody;
}

interface SubjectContext {
  readonly client: BuildServiceClient;
  readonly input: Input;
  /** Of the question. */
  readonly title: string;
}

/**
 * The subject that a command's argument names: a path, a row of the tree (a link or a form), or a request in parts. Asks
 * for a path when there is none.
 *
 * @throws InvalidInputError when the argument names nothing that can be requested; CancelledError when the box is closed.
 */
export async function subjectOf(argument: unknown, { client, input, title }: SubjectContext): Promise<RequestSubject> {
  if (argument === undefined || typeof argument === 'string') {
    return { url: client.resolve(argument ?? (await askForPath(client, input, title))) };
  }
  if (typeof argument === 'object' && argument !== null && 'url' in argument && typeof argument.url === 'string') {
    const { url, form, method, body } = argument as Partial<RequestSubject> & { readonly url: string };
    return {
      url: client.resolve(url),
      ...(form !== undefined && { form, method: form.method }),
      ...(typeof method === 'string' && { method }),
      ...(body !== undefined && { body }),
    };
  }
  throw new InvalidInputError(
    sentence('There is no link to act on.'),
    sentence('Run the command on a resource in the Resources view.'),
  );
}

async function askForPath(client: BuildServiceClient, input: Input, title: string): Promise<string> {
  const answer = await input.askText({
    title,
    prompt: vscode.l10n.t('Path or link'),
    placeholder: '/api/v1/apps',
    validate: (text) => (text === '' ? vscode.l10n.t('Enter a path such as {0}.', '/api/v1/apps') : undefined),
  });
  return answer === 'back' ? client.homeUrl : answer.text;
}
