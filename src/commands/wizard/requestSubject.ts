import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../api/client.ts';
import { InvalidInputError } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { isMediaType } from '../../api/hypermedia/forms.ts';
import { isMethod } from '../../api/hypermedia/links.ts';
import type { Form, FormField, LinkTarget } from '../../api/hypermedia/resource.ts';
import type { RequestBody } from '../../resources/requests/multipart.ts';
import { expandTemplate } from '../../api/hypermedia/templates.ts';
import type { Input } from '../../workbench/input.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { runWizard, wizardFields } from './wizard.ts';

export interface RequestSubject {
  /** Absolute, without credentials. */
  readonly url: string;
  readonly form?: Form;
  /** Asked for when it is not given. */
  readonly method?: string;
  readonly body?: RequestBody;
}

/**
 * The subject that a command's argument names: a path, a row of the tree (a link or a form), or a request in parts. Asks
 * for a path when there is none.
 *
 * @param title of the question.
 * @returns it, with the client of the account in use.
 */
export async function askForSubject(
  { connections, input }: CommandDependencies,
  argument: unknown,
  title: string,
): Promise<RequestSubject & { readonly client: BuildServiceClient }> {
  const { client } = await connections.requireSignedIn();
  if (argument === undefined || typeof argument === 'string') {
    return { client, url: urlAtService(client, argument ?? (await askForPath(input, title))) };
  }
  if (typeof argument === 'object' && argument !== null && 'url' in argument && typeof argument.url === 'string') {
    const { url, form, method, body } = argument as Partial<RequestSubject> & { readonly url: string };
    if ((form !== undefined && !isForm(form)) || (method !== undefined && !isMethod(method))) {
      throw new InvalidInputError(
        sentence('This is no request that can be sent.'),
        sentence('Run the command on a resource in the Resources view.'),
      );
    }
    return {
      client,
      url: urlAtService(client, url),
      ...(form !== undefined && { form, method: form.method }),
      ...(method !== undefined && { method }),
      ...(body !== undefined && { body }),
    };
  }
  throw new InvalidInputError(
    sentence('There is no link to act on.'),
    sentence('Run the command on a resource in the Resources view.'),
  );
}

/** Refuses an address of another host: neither a request nor a copied one may take a token there. */
export function urlAtService(client: BuildServiceClient, link: string): string {
  const url = client.resolve(link);
  if (new URL(url).origin !== client.service.origin) {
    throw new InvalidInputError(
      sentence('{0} is not an address of the service.', new URL(url).host),
      sentence('Enter a path such as {0}.', '/api/v1/apps'),
    );
  }
  return url;
}

/** True for a form as the reader makes it. The argument of a command may come from anywhere. */
function isForm(value: unknown): value is Form {
  const { method, contentType, fields } = (value ?? {}) as Partial<Record<keyof Form, unknown>>;
  return isMethod(method) && isMediaType(contentType) && Array.isArray(fields) && fields.every(isField);
}

function isField(value: unknown): value is FormField {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

async function askForPath(input: Input, title: string): Promise<string> {
  return input.askText({
    title,
    prompt: vscode.l10n.t('Path or link'),
    placeholder: '/api/v1/apps',
    required: vscode.l10n.t('Enter a path such as {0}.', '/api/v1/apps'),
  });
}

type TemplateTarget = Extract<LinkTarget, { readonly kind: 'template' }>;

/**
 * Asks for a templated link's variables, one by one, and fills them in.
 *
 * @param title of the questions.
 * @param fields what a form says of the variables, by name.
 * @returns an absolute http(s) URL, which may be on another origin.
 */
export async function askForVariables(
  input: Input,
  title: string,
  target: TemplateTarget,
  fields: readonly Pick<FormField, 'name' | 'title' | 'required'>[] = [],
): Promise<string> {
  const { text } = wizardFields<Readonly<Record<string, string>>>(input, title);
  const values = await runWizard(
    Object.fromEntries(target.variables.map((name) => [name, ''])),
    target.variables.map((name) => {
      const field = fields.find((candidate) => candidate.name === name);
      const isRequired = field?.required === true;
      return text(name, {
        prompt: field?.title ? vscode.l10n.t('{0} (“{1}”)', field.title, name) : vscode.l10n.t('Value of “{0}”', name),
        placeholder: isRequired
          ? vscode.l10n.t('The service needs this')
          : vscode.l10n.t('Leave empty to leave it out'),
        ...(isRequired && { required: vscode.l10n.t('Enter a value.') }),
      });
    }),
  );
  try {
    return expandTemplate(target, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')));
  } catch {
    throw new InvalidInputError(
      sentence('These values do not give a web address.'),
      sentence('Change them and try again.'),
    );
  }
}
