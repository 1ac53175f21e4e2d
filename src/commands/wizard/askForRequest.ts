import * as vscode from 'vscode';
import { formRequest, isSecretField } from '../../resources/requests/formRequest.ts';
import type { Part, RequestBody, UploadFile } from '../../resources/requests/multipart.ts';
import type { Input, PickItem } from '../../workbench/input.ts';
import { listText, sizeText } from '../../workbench/texts.ts';
import { askForFields, askForValue } from './formFields.ts';
import type { RequestSubject } from './requestSubject.ts';
import { askForFiles } from './upload.ts';
import { runWizard, wizardFields } from './wizard.ts';

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

export async function askForRequest(subject: RequestSubject, input: Input): Promise<RequestAnswers> {
  const { url, form, body } = subject;
  const method = subject.method?.toUpperCase() ?? (await askForMethod(url, input));
  if (body !== undefined) {
    return { kind: 'send', method, url, body, secrets: [] };
  }
  if (form !== undefined && (form.fields.length > 0 || !isJson(form.contentType))) {
    const values = await askForFields(form, input);
    const secrets = values.flatMap(([field, value]) =>
      isSecretField(field) && typeof value === 'string' ? [value] : [],
    );
    return { kind: 'send', method, ...formRequest(form, url, values), secrets };
  }
  return takesBody(method)
    ? askForBody(method, url, input)
    : { kind: 'send', method, url, body: { kind: 'none' }, secrets: [] };
}

async function askForMethod(url: string, input: Input): Promise<string> {
  const chosen = await input.pick(
    METHODS.map((label) => ({ label })),
    {
      title: vscode.l10n.t('Send Request'),
      placeholder: vscode.l10n.t('Method of the request to {0}', new URL(url).pathname),
    },
  );
  return chosen.label;
}

async function askForBody(method: string, url: string, input: Input): Promise<RequestAnswers> {
  const title = `${method} ${new URL(url).pathname}`;
  const json = { label: vscode.l10n.t('JSON'), description: vscode.l10n.t('written in an editor') };
  const form = { label: vscode.l10n.t('Form Fields and Files'), description: vscode.l10n.t('entered one by one') };
  const none = { label: vscode.l10n.t('No Body') };
  const chosen = await input.pick([json, form, none], {
    title,
    placeholder: vscode.l10n.t('What the request carries'),
  });
  if (chosen === json) {
    return { kind: 'edit', method, url };
  }
  if (chosen === form) {
    const parts = await askForParts(title, input);
    const secrets = parts.flatMap((part) => ('value' in part && isSecretField(part) ? [part.value] : []));
    return { kind: 'send', method, url, body: toBody(parts), secrets };
  }
  return { kind: 'send', method, url, body: { kind: 'none' }, secrets: [] };
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

/** What a request carries, for the question before it is sent. */
export function describeBody(body: RequestBody): string {
  switch (body.kind) {
    case 'none':
      return vscode.l10n.t('Without a body.');
    case 'text':
      return vscode.l10n.t('With a body of {0}, {1}.', sizeText(Buffer.byteLength(body.text)), body.contentType);
    case 'multipart':
      return vscode.l10n.t(
        'With a form: {0}.',
        listText(body.parts.map((part) => ('file' in part ? describeFile(part.file) : part.name))),
      );
  }
}

function describeFile({ name, size }: UploadFile): string {
  return `${name} (${sizeText(size)})`;
}

/** Asks for the fields and files of a form in any order, until the user sends them. Choosing a field removes it. */
async function askForParts(title: string, input: Input): Promise<readonly Part[]> {
  const addField = { label: vscode.l10n.t('Add Field…'), icon: 'add' };
  const addFile = { label: vscode.l10n.t('Add File…'), icon: 'file-add' };
  const send = { label: vscode.l10n.t('Send'), icon: 'send' };
  let parts: readonly Part[] = [];
  for (;;) {
    const present = parts.map((part) => ({
      label: part.name,
      description: 'file' in part ? describeFile(part.file) : isSecretField(part) ? '••••' : part.value,
      detail: vscode.l10n.t('Select to remove'),
      part,
    }));
    const items: readonly PickItem[] = [...(parts.length > 0 ? [send] : []), addField, addFile, ...present];
    const chosen = await input.pick(items, {
      title,
      placeholder: vscode.l10n.t('Fields and files of the form'),
      ignoreFocusOut: true,
    });
    if (chosen === send) {
      return parts;
    }
    const removed = present.find((item) => item === chosen)?.part;
    const added = removed === undefined ? await askForPart(title, chosen === addFile, input) : [];
    parts = [...parts.filter((part) => part !== removed), ...added];
  }
}

async function askForPart(title: string, isFile: boolean, input: Input): Promise<readonly Part[]> {
  const { text } = wizardFields<{ readonly name: string; readonly value: string }>(input, title);
  const { name, value } = await runWizard({ name: '', value: '' }, [
    text('name', {
      prompt: isFile ? vscode.l10n.t('Name of the field that carries the file') : vscode.l10n.t('Name of the field'),
      placeholder: isFile ? 'file' : 'title',
      required: vscode.l10n.t('Enter a name.'),
    }),
    {
      when: () => !isFile,
      ask: async (answers, position) => ({
        ...answers,
        value: await askForValue({ name: answers.name }, answers.value, { ...position, title }, input),
      }),
    },
  ]);
  return isFile ? (await askForFiles(title, input)).map((file) => ({ name, file })) : [{ name, value }];
}
