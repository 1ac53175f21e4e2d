import * as vscode from 'vscode';
import { formRequest, isSecretField } from '../../resources/requests/formRequest.ts';
import type { Part, RequestBody } from '../../resources/requests/multipart.ts';
import type { WizardDependencies } from '../dependencies.ts';
import { askForFields } from './formFields.ts';
import { askForParts } from './formParts.ts';
import type { RequestSubject } from './requestSubject.ts';

/** A request that is complete. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly body: RequestBody;
  /** Values in it that are secrets. */
  readonly secrets: readonly string[];
}

/** What the questions led to; `edit`: a JSON body is to be written in an editor first. */
export type RequestAnswers =
  | ({ readonly kind: 'send' } & OutgoingRequest)
  | { readonly kind: 'edit'; readonly method: string; readonly url: string };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Asks for what the subject leaves open. @returns undefined when the person decided otherwise. */
export async function askForRequest(
  subject: RequestSubject,
  dependencies: WizardDependencies,
): Promise<RequestAnswers | undefined> {
  const { url, form, body } = subject;
  const method = subject.method?.toUpperCase() ?? (await askForMethod(url, dependencies));
  if (method === undefined) {
    return undefined;
  }
  if (body !== undefined) {
    return { kind: 'send', method, url, body, secrets: [] };
  }
  if (form !== undefined && (form.fields.length > 0 || !isJson(form.contentType))) {
    const values = await askForFields(form, dependencies);
    const secrets = values?.flatMap(([field, value]) =>
      isSecretField(field) && typeof value === 'string' ? [value] : [],
    );
    return values && secrets && { kind: 'send', method, ...formRequest(form, url, values), secrets };
  }
  return takesBody(method)
    ? askForBody(method, url, dependencies)
    : { kind: 'send', method, url, body: { kind: 'none' }, secrets: [] };
}

async function askForMethod(url: string, { input }: WizardDependencies): Promise<string | undefined> {
  const chosen = await input.pick(
    METHODS.map((label) => ({ label })),
    {
      title: vscode.l10n.t('Send Request'),
      placeholder: vscode.l10n.t('Method of the request to {0}', new URL(url).pathname),
    },
  );
  return chosen?.label;
}

async function askForBody(
  method: string,
  url: string,
  dependencies: WizardDependencies,
): Promise<RequestAnswers | undefined> {
  const title = `${method} ${new URL(url).pathname}`;
  const json = { label: vscode.l10n.t('JSON'), description: vscode.l10n.t('written in an editor') };
  const form = { label: vscode.l10n.t('Form Fields and Files'), description: vscode.l10n.t('entered one by one') };
  const none = { label: vscode.l10n.t('No Body') };
  const chosen = await dependencies.input.pick([json, form, none], {
    title,
    placeholder: vscode.l10n.t('What the request carries'),
  });
  if (chosen === json) {
    return { kind: 'edit', method, url };
  }
  if (chosen === form) {
    const parts = await askForParts(title, dependencies);
    const secrets = parts?.flatMap((part) => ('value' in part && isSecretField(part) ? [part.value] : []));
    return parts && secrets && { kind: 'send', method, url, body: toBody(parts), secrets };
  }
  return chosen && { kind: 'send', method, url, body: { kind: 'none' }, secrets: [] };
}

function toBody(parts: readonly Part[]): RequestBody {
  const texts = parts.flatMap((part) => ('value' in part ? [[part.name, part.value] as [string, string]] : []));
  return texts.length < parts.length
    ? { kind: 'multipart', parts }
    : { kind: 'text', contentType: 'application/x-www-form-urlencoded', text: new URLSearchParams(texts).toString() };
}

function isJson(contentType: string): boolean {
  return /[/+]json\b/.test(contentType);
}

function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
}
