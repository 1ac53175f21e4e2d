import * as vscode from 'vscode';
import type { Form, FormField } from '../../api/hypermedia/resource.ts';
import { byteCount } from '../../resources/downloads/byteCount.ts';
import { fileFailure } from '../../resources/downloads/fileError.ts';
import { curlCommand } from '../../resources/requests/curl.ts';
import { fieldProblem, formRequest, isSecretField, type FieldValue } from '../../resources/requests/formRequest.ts';
import type { Part, RequestBody, UploadFile } from '../../resources/requests/requestBody.ts';
import { uploadFile } from '../../resources/requests/uploadFile.ts';
import type { Dialogs } from '../../workbench/dialogs.ts';
import { askText } from '../../workbench/textInput.ts';
import type { RequestSubject } from './requestSubject.ts';

/** A request that is complete. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly body: RequestBody;
}

/** What the questions came to; `edit`: a JSON body is to be written in an editor first. */
export type Gathered =
  | ({ readonly kind: 'send' } & OutgoingRequest)
  | { readonly kind: 'edit'; readonly method: string; readonly url: string };

export interface Asking {
  readonly dialogs: Dialogs;
  /** Learns what must not be shown again. */
  readonly remember: (secret: string) => void;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Asks for what the subject leaves open. @returns undefined when the person decided otherwise. */
export async function gatherRequest(subject: RequestSubject, asking: Asking): Promise<Gathered | undefined> {
  const { url, form, body } = subject;
  const method = subject.method?.toUpperCase() ?? (await askMethod(url));
  if (method === undefined) {
    return undefined;
  }
  if (body !== undefined) {
    return { kind: 'send', method, url, body };
  }
  if (form !== undefined && (form.fields.length > 0 || !isJson(form.contentType))) {
    const values = await askFields(form, asking);
    return values && { kind: 'send', method, ...formRequest(form, url, values) };
  }
  return takesBody(method) ? askBody(method, url, asking) : { kind: 'send', method, url, body: { kind: 'none' } };
}

/** What the body is, for the question before it is sent. */
export function describeBody(body: RequestBody): string {
  switch (body.kind) {
    case 'none':
      return vscode.l10n.t('Without a body.');
    case 'text':
      return vscode.l10n.t('With a body of {0}, {1}.', byteCount(Buffer.byteLength(body.text)), body.contentType);
    case 'multipart':
      return vscode.l10n.t(
        'With a form: {0}.',
        body.parts.map((part) => ('file' in part ? describeFile(part.file) : part.name)).join(', '),
      );
  }
}

/** The subject as a command line. A form contributes its method and the values it starts with, secrets excepted. */
export function curlOf(
  { url, form, method = 'GET' }: RequestSubject,
  tokenParameter: 'access_token' | 'auth_token',
): string {
  const values = (form?.fields ?? []).map((field): [FormField, string] => [
    field,
    isSecretField(field) ? '' : (field.value ?? ''),
  ]);
  const filled = form === undefined ? { url, body: { kind: 'none' } as const } : formRequest(form, url, values);
  const { body } = filled;
  const content = body.kind === 'text' ? { contentType: body.contentType, body: body.text } : {};
  return curlCommand({ method, url: filled.url, tokenParameter, ...content });
}

async function askMethod(url: string): Promise<string | undefined> {
  return vscode.window.showQuickPick(methods, {
    title: vscode.l10n.t('Send Request'),
    placeHolder: vscode.l10n.t('Method of the request to {0}', new URL(url).pathname),
  });
}

async function askBody(method: string, url: string, asking: Asking): Promise<Gathered | undefined> {
  const json = vscode.l10n.t('JSON');
  const form = vscode.l10n.t('Form Fields and Files');
  const none = vscode.l10n.t('No Body');
  const chosen = await vscode.window.showQuickPick(
    [
      { label: json, description: vscode.l10n.t('written in an editor') },
      { label: form, description: vscode.l10n.t('entered one by one') },
      { label: none },
    ],
    { title: title(method, url), placeHolder: vscode.l10n.t('What the request carries') },
  );
  if (chosen?.label === json) {
    return { kind: 'edit', method, url };
  }
  if (chosen?.label === form) {
    const parts = await askParts(method, url, asking);
    return parts && { kind: 'send', method, url, body: bodyOf(parts) };
  }
  return chosen && { kind: 'send', method, url, body: { kind: 'none' } };
}

/** Fields and files in any order, until the person sends them. Choosing one that is there takes it out. */
async function askParts(method: string, url: string, asking: Asking): Promise<readonly Part[] | undefined> {
  const addField = { label: vscode.l10n.t('Add Field…'), iconPath: new vscode.ThemeIcon('add') };
  const addFile = { label: vscode.l10n.t('Add File…'), iconPath: new vscode.ThemeIcon('file-add') };
  const send = { label: vscode.l10n.t('Send'), iconPath: new vscode.ThemeIcon('send') };
  let parts: readonly Part[] = [];
  for (;;) {
    const present = parts.map((part) => ({
      label: part.name,
      description: 'file' in part ? describeFile(part.file) : isSecretField(part) ? '••••' : part.value,
      detail: vscode.l10n.t('Select to remove'),
      part,
    }));
    const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem>(
      [...(parts.length > 0 ? [send] : []), addField, addFile, ...present],
      {
        title: title(method, url),
        placeHolder: vscode.l10n.t('Fields and files of the form'),
        ignoreFocusOut: true,
      },
    );
    if (chosen === undefined) {
      return undefined;
    }
    if (chosen === send) {
      return parts;
    }
    const removed = present.find((item) => item === chosen)?.part;
    const added = removed === undefined ? await askPart(title(method, url), chosen === addFile, asking) : [];
    parts = [...parts.filter((part) => part !== removed), ...added];
  }
}

async function askPart(heading: string, isFile: boolean, asking: Asking): Promise<readonly Part[]> {
  const name = await askText({
    title: heading,
    step: 1,
    totalSteps: 2,
    prompt: isFile ? vscode.l10n.t('Name of the field that carries the file') : vscode.l10n.t('Name of the field'),
    placeholder: isFile ? 'file' : 'title',
    check: (text) => (text === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  if (name === 'back') {
    return [];
  }
  if (isFile) {
    return (await askFiles(heading, asking)).map((file) => ({ name: name.text, file }));
  }
  const value = await askValue({ name: name.text }, { heading, step: 2, totalSteps: 2 }, asking);
  return value === 'back' ? askPart(heading, isFile, asking) : [{ name: name.text, value: value.text }];
}

async function askFields(
  form: Form,
  asking: Asking,
): Promise<readonly (readonly [FormField, FieldValue])[] | undefined> {
  const values = new Map<FormField, FieldValue>(form.fields.map((field) => [field, field.value ?? '']));
  const asked = form.fields.filter(({ type }) => type !== 'hidden' && type !== 'submit');
  const heading = form.title ?? form.name;
  for (let index = 0; index < asked.length;) {
    const field = asked[index];
    if (field === undefined) {
      break;
    }
    if (field.type === 'file') {
      const files = await askFiles(`${heading}: ${field.title ?? field.name}`, asking);
      if (files.length === 0 && field.required === true) {
        return undefined;
      }
      values.set(field, files);
      index += 1;
      continue;
    }
    const answer = await askValue(
      { ...field, value: textOf(values.get(field)) },
      { heading, step: index + 1, totalSteps: asked.length },
      asking,
    );
    if (answer === 'back') {
      index -= 1;
    } else {
      values.set(field, answer.text);
      index += 1;
    }
  }
  return [...values];
}

async function askValue(
  field: FormField,
  { heading, step, totalSteps }: { readonly heading: string; readonly step: number; readonly totalSteps: number },
  { remember }: Asking,
): Promise<{ readonly text: string } | 'back'> {
  const secret = isSecretField(field);
  const name = field.title ?? field.name;
  const problems = {
    required: vscode.l10n.t('{0} needs a value.', name),
    number: vscode.l10n.t('{0} takes a number.', name),
    boolean: vscode.l10n.t('{0} takes true or false.', name),
  };
  const answer = await askText({
    title: heading,
    step,
    totalSteps,
    prompt: field.required === true ? vscode.l10n.t('{0} (required)', name) : name,
    placeholder: field.type ?? vscode.l10n.t('Value'),
    value: field.value ?? '',
    secret,
    exact: true,
    check: (text) => {
      const problem = fieldProblem(field, text);
      return problem === undefined ? undefined : problems[problem];
    },
  });
  if (secret && answer !== 'back') {
    remember(answer.text);
  }
  return answer;
}

async function askFiles(heading: string, { dialogs }: Asking): Promise<readonly UploadFile[]> {
  const chosen = (await dialogs.openFiles(heading)) ?? [];
  return Promise.all(
    chosen.map(async (uri) => {
      try {
        return await uploadFile(uri);
      } catch (error) {
        throw fileFailure(error, uri.path.split('/').at(-1) ?? '');
      }
    }),
  );
}

function bodyOf(parts: readonly Part[]): RequestBody {
  const texts = parts.flatMap((part) => ('value' in part ? [[part.name, part.value] as [string, string]] : []));
  return texts.length < parts.length
    ? { kind: 'multipart', parts }
    : { kind: 'text', contentType: 'application/x-www-form-urlencoded', text: new URLSearchParams(texts).toString() };
}

function title(method: string, url: string): string {
  return `${method} ${new URL(url).pathname}`;
}

function describeFile({ name, size }: UploadFile): string {
  return `${name} (${byteCount(size)})`;
}

function textOf(value: FieldValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isJson(contentType: string): boolean {
  return /[/+]json\b/.test(contentType);
}

function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
}
