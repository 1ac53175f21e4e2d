import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../api/client.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { Form } from '../../api/hypermedia/resource.ts';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import type { RequestBody } from '../../resources/requests/requestBody.ts';
import { askText } from '../../workbench/textInput.ts';

/** What a command about a request acts on. */
export interface RequestSubject {
  /** Absolute, without credentials. */
  readonly url: string;
  readonly form?: Form;
  /** Known already: nothing is asked about it. */
  readonly method?: string;
  readonly body?: RequestBody;
}

/**
 * The subject that a command's argument names: a path, a row of the tree (a link or a form), or a request in parts. Asks
 * for a path when there is none.
 *
 * @param title of the question.
 * @throws InvalidInputError when the argument names nothing that can be requested.
 */
export async function subjectOf(argument: unknown, client: BuildServiceClient, title: string): Promise<RequestSubject> {
  if (argument === undefined || typeof argument === 'string') {
    return { url: client.resolve(argument ?? (await askForPath(client, title))) };
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

async function askForPath(client: BuildServiceClient, title: string): Promise<string> {
  const answer = await askText({
    title,
    prompt: vscode.l10n.t('Path or link'),
    placeholder: '/api/v1/apps',
    check: (text) => (text === '' ? vscode.l10n.t('Enter a path such as {0}.', '/api/v1/apps') : undefined),
  });
  return answer === 'back' ? client.homeUrl : answer.text;
}
