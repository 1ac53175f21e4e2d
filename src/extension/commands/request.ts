import * as vscode from 'vscode';
import { InvalidInputError, sentence } from '../../errors/index.ts';
import { BodyTooLargeError, curlCommand, type FormField, jsonpTag } from '../../service-client/index.ts';
import { sendBody } from '../apps/calls/appCalls.ts';
import type { CommandDependencies } from './dependencies.ts';
import { download } from './downloadCommands.ts';
import { askForFields, askForFiles, askForValue } from './wizard/formFields.ts';
import { type RequestSubject, askForSubject } from './wizard/subject.ts';
import { runWizard, wizardFields } from './wizard/wizard.ts';
import { formRequest, isSecretField } from '../resources/requests/formRequest.ts';
import type { FormPart, RequestBody, UploadFile } from '../resources/requests/multipart.ts';
import { responseText } from '../resources/documents/responseDocuments.ts';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import type { Input, PickItem } from '../workbench/input.ts';
import { eachPercent, withCallProgress } from '../workbench/progress.ts';
import { listText, sizeText } from '../workbench/texts.ts';

/** Asks for the missing parts of a request, sends it, and shows the response. */
export async function sendRequest(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { input, drafts } = dependencies;
  const subject = await askForSubject(dependencies, argument, vscode.l10n.t('Send Request'));
  const { body, ...request } = await askForRequest(subject, input);
  await (body === undefined ? drafts.open(request) : send(dependencies, { ...request, body }, false));
}

/** Sends the request whose body is in an editor. @param uri address of the document. Defaults to the active editor's document. */
export async function sendDraft(dependencies: CommandDependencies, uri: unknown): Promise<void> {
  const document = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
  const draft = dependencies.drafts.find(document);
  if (draft === undefined) {
    throw new InvalidInputError(
      sentence('No request is open.'),
      sentence('Start one with “Send Request…”, then write its body in the editor that opens.'),
    );
  }
  assertJson(draft.text);
  // Sends the text verbatim. Parsing and formatting it would round large numbers.
  const body: RequestBody = { kind: 'text', contentType: 'application/json', text: draft.text };
  await send(dependencies, { ...draft, body, secrets: [] }, true);
}

/** Copies a request as a cURL command, with a variable in place of the token. */
export async function copyAsCurl(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { redactor, notifications } = dependencies;
  const subject = await askForSubject(dependencies, argument, vscode.l10n.t('Copy as cURL'));
  const command = redactor.hideSecrets(toCurlCommand(subject, subject.client.tokenParameter));
  await vscode.env.clipboard.writeText(command);
  notifications.done(vscode.l10n.t('Copied. Set APP_BUILD_TOKEN to your token before you run it.'));
}

/** Copies a JSONP request as a script tag, with a placeholder for the token. */
export async function copyAsJsonp(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { redactor, notifications } = dependencies;
  const { client, url } = await askForSubject(dependencies, argument, vscode.l10n.t('Copy as JSONP Script Tag'));
  const tag = redactor.hideSecrets(jsonpTag(url, client.tokenParameter));
  await vscode.env.clipboard.writeText(tag);
  notifications.done(vscode.l10n.t('Copied. Fill in the token and the name of your function.'));
}

/**
 * Sends a request and shows the response, regardless of its status. Asks first, unless the method is GET. During the request, its
 * secrets are hidden in all output.
 */
async function send(dependencies: CommandDependencies, request: OutgoingRequest, toSide: boolean): Promise<void> {
  const { connections, responses, tree, documents, input, redactor, notifications } = dependencies;
  const { method, url, body, secrets } = request;
  const { host, pathname, search } = new URL(url);
  const title = `${method} ${pathname}`;
  const reload = () => Promise.all([tree.refresh(), documents.refresh()]);
  const exchange = async (): Promise<void> => {
    const { client } = await connections.requireSignedIn();
    const question = vscode.l10n.t('Send {0} to {1}?', method, `${host}${pathname}`);
    const detail = redactor.redact([...(search === '' ? [] : [url]), describeBody(body)].join('\n\n'));
    if (method !== 'GET') {
      await input.confirmOrCancel(question, detail, vscode.l10n.t('Send'));
    }
    const response = await withCallProgress(title, (signal, report) => {
      const show = eachPercent(report);
      const onProgress = (done: number, total: number) =>
        show(vscode.l10n.t('{0} of {1}', sizeText(done), sizeText(total)), { done, total });
      const fileName = vscode.l10n.t('A file from the form');
      return sendBody(client, { method, url, anyStatus: true }, body, fileName, { signal, onProgress });
    }).catch(async (error: unknown) => {
      if (!(error instanceof BodyTooLargeError)) {
        throw error;
      }
      if (method !== 'GET') {
        await reload();
      }
      throw toTooLargeError(method, url, error);
    });
    await responses.show(`${title} ${response.status}`, responseText(response, method, redactor), toSide);
    if (method !== 'GET' && response.status < 300) {
      await reload();
    }
  };
  const actions = method === 'GET' ? { download: () => download(dependencies, { url }) } : {};
  await notifications.run(
    'Sending a request',
    () => {
      const forget = redactor.add(...secrets);
      return exchange().finally(forget);
    },
    () => actions,
  );
}

function assertJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw new InvalidInputError(
      sentence('The body isn’t valid JSON yet.'),
      sentence('Correct the underlined errors, then send it again.'),
    );
  }
}

/** Returns a request as a cURL command. Includes a form's method and preset values, except secrets. */
function toCurlCommand(
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

interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly body: RequestBody;
  /** Secret values in the request. */
  readonly secrets: readonly string[];
}

const NO_BODY: Pick<OutgoingRequest, 'body' | 'secrets'> = { body: { kind: 'none' }, secrets: [] };

/** Asks for the missing parts of a request. @returns a request without a body if the user chose to write JSON in an editor. */
async function askForRequest(
  { url, form, body, ...subject }: RequestSubject,
  input: Input,
): Promise<Omit<OutgoingRequest, 'body'> & { readonly body?: RequestBody }> {
  const method = subject.method?.toUpperCase() ?? (await askForMethod(url, input));
  if (body !== undefined) {
    return { method, url, body, secrets: [] };
  }
  if (form !== undefined && (form.fields.length > 0 || !/[/+]json\b/.test(form.contentType))) {
    const values = await askForFields(form, input);
    const secrets = values.flatMap(([field, value]) =>
      isSecretField(field) && typeof value === 'string' ? [value] : [],
    );
    return { method, ...formRequest(form, url, values), secrets };
  }
  const takesBody = !['GET', 'HEAD', 'DELETE'].includes(method);
  return { method, url, ...(takesBody ? await askForBody(`${method} ${new URL(url).pathname}`, input) : NO_BODY) };
}

async function askForMethod(url: string, input: Input): Promise<string> {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((label) => ({ label }));
  const chosen = await input.pick(methods, {
    title: vscode.l10n.t('Send Request'),
    placeholder: vscode.l10n.t('HTTP method for {0}', new URL(url).pathname),
  });
  return chosen.label;
}

async function askForBody(
  title: string,
  input: Input,
): Promise<{ readonly body?: RequestBody; readonly secrets: readonly string[] }> {
  const json = { label: vscode.l10n.t('JSON'), description: vscode.l10n.t('written in an editor') };
  const form = { label: vscode.l10n.t('Form Fields and Files'), description: vscode.l10n.t('entered one by one') };
  const none = { label: vscode.l10n.t('No Body') };
  const placeholder = vscode.l10n.t('Content of the request');
  const chosen = await input.pick([json, form, none], { title, placeholder });
  if (chosen !== form) {
    return chosen === json ? { secrets: [] } : NO_BODY;
  }
  const parts = await askForParts(title, input);
  const texts = parts.filter((part) => 'value' in part);
  const secrets = texts.filter(isSecretField).map(({ value }) => value);
  if (texts.length < parts.length) {
    return { body: { kind: 'multipart', parts }, secrets };
  }
  const text = new URLSearchParams(texts.map(({ name, value }): [string, string] => [name, value])).toString();
  return { body: { kind: 'text', contentType: 'application/x-www-form-urlencoded', text }, secrets };
}

/** Describes the body of a request for the confirmation. */
function describeBody(body: RequestBody): string {
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

/**
 * Asks for the fields and files of a form in any order, until the user sends them. Selecting an added field removes it.
 */
async function askForParts(title: string, input: Input): Promise<readonly FormPart[]> {
  const addField = { label: vscode.l10n.t('Add Field…'), icon: 'add' };
  const addFile = { label: vscode.l10n.t('Add File…'), icon: 'file-add' };
  const send = { label: vscode.l10n.t('Send'), icon: 'send' };
  let parts: readonly FormPart[] = [];
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

async function askForPart(title: string, isFile: boolean, input: Input): Promise<readonly FormPart[]> {
  const { text } = wizardFields<{ readonly name: string; readonly value: string }>(input, title);
  const { name, value } = await runWizard({ name: '', value: '' }, [
    text('name', {
      prompt: isFile ? vscode.l10n.t('Name of the field for the file') : vscode.l10n.t('Name of the field'),
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

/**
 * Returns the error for a response that is too large to show. Only a GET can be repeated as a download.
 *
 * @param url the absolute URL, without credentials.
 */
function toTooLargeError(method: string, url: string, cause: BodyTooLargeError): ResourceTooLargeError {
  const canDownload = method === 'GET';
  const next = canDownload
    ? sentence('The request was sent, and the service responded. Download the response to a file instead.')
    : sentence('The request was sent, and the service responded. You don’t need to send it again.');
  return new ResourceTooLargeError(url, cause, next, canDownload);
}
