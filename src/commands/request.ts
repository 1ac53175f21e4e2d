import * as vscode from 'vscode';
import { BodyTooLargeError } from '../api/errors/responseErrors.ts';
import { sentence } from '../api/errors/sentence.ts';
import { InvalidInputError } from '../api/errors/buildServiceError.ts';
import { sendBody } from '../apps/calls/appCalls.ts';
import type { FormField } from '../api/hypermedia/resource.ts';
import { curlCommand, jsonpTag } from '../resources/requests/requestSnippets.ts';
import { formRequest, isSecretField } from '../resources/requests/formRequest.ts';
import type { RequestBody } from '../resources/requests/multipart.ts';
import { responseText } from '../resources/requests/responseText.ts';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { withCallProgress, percentCounter } from '../workbench/progress.ts';
import type { CommandDependencies } from './dependencies.ts';
import { download } from './download.ts';
import { askForRequest, type OutgoingRequest, describeBody } from './wizard/askForRequest.ts';
import { askForSubject, type RequestSubject } from './wizard/requestSubject.ts';

/** Asks for the rest of a request, sends it, and shows the answer. */
export async function sendRequest(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { input, drafts } = dependencies;
  const subject = await askForSubject(dependencies, argument, vscode.l10n.t('Send Request'));
  const request = await askForRequest(subject, input);
  if (request.kind === 'edit') {
    await drafts.open(request);
  } else {
    await send(dependencies, request, false);
  }
}

export async function sendDraft(dependencies: CommandDependencies, uri: unknown): Promise<void> {
  const document = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
  const draft = dependencies.drafts.find(document);
  if (draft === undefined) {
    throw new InvalidInputError(
      sentence('There is no request to send.'),
      sentence('Start one with “Send Request…”, then write its body in the editor that opens.'),
    );
  }
  assertJson(draft.text);
  // The text as it was written: parsing and printing it again would round numbers.
  const body: RequestBody = { kind: 'text', contentType: 'application/json', text: draft.text };
  await send(dependencies, { ...draft, body, secrets: [] }, true);
}

export async function copyAsCurl(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { redactor, notifications } = dependencies;
  const subject = await askForSubject(dependencies, argument, vscode.l10n.t('Copy as cURL'));
  const command = redactor.hideSecrets(curlOf(subject, subject.client.tokenParameter));
  await vscode.env.clipboard.writeText(command);
  notifications.done(vscode.l10n.t('Copied. Set APP_BUILD_TOKEN to your token before you run it.'));
}

export async function copyAsJsonp(dependencies: CommandDependencies, argument: unknown): Promise<void> {
  const { redactor, notifications } = dependencies;
  const { client, url } = await askForSubject(dependencies, argument, vscode.l10n.t('Copy as JSONP Script Tag'));
  const tag = redactor.hideSecrets(jsonpTag(url, client.tokenParameter));
  await vscode.env.clipboard.writeText(tag);
  notifications.done(vscode.l10n.t('Copied. Fill in the token and the name of your function.'));
}

/**
 * Asks before anything but a GET, sends, and shows the answer whatever its status, or the failure. The request's secrets are
 * hidden in all of this, and forgotten afterwards.
 */
async function send(dependencies: CommandDependencies, request: OutgoingRequest, beside: boolean): Promise<void> {
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
      const newPercent = percentCounter();
      const onProgress = (sent: number, total: number) => {
        const reached = newPercent(sent, total);
        if (reached !== undefined) {
          report(vscode.l10n.t('{0}% sent', reached.percent));
        }
      };
      const fileName = vscode.l10n.t('A file of the form');
      return sendBody(client, { method, url, anyStatus: true }, body, fileName, { signal, onProgress });
    }).catch(async (error: unknown) => {
      if (!(error instanceof BodyTooLargeError)) {
        throw error;
      }
      if (method !== 'GET') {
        await reload();
      }
      throw ResourceTooLargeError.onRequest(method, url, error);
    });
    await responses.show(`${title} ${response.status}`, responseText(response, method, redactor), beside);
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
      sentence('The body is not valid JSON yet.'),
      sentence('Correct what the editor underlines, then send it again.'),
    );
  }
}

/** The subject as a command line. A form contributes its method and the values it starts with, secrets excepted. */
function curlOf({ url, form, method = 'GET' }: RequestSubject, tokenParameter: 'access_token' | 'auth_token'): string {
  const values = (form?.fields ?? []).map((field): [FormField, string] => [
    field,
    isSecretField(field) ? '' : (field.value ?? ''),
  ]);
  const filled = form === undefined ? { url, body: { kind: 'none' } as const } : formRequest(form, url, values);
  const { body } = filled;
  const content = body.kind === 'text' ? { contentType: body.contentType, body: body.text } : {};
  return curlCommand({ method, url: filled.url, tokenParameter, ...content });
}
