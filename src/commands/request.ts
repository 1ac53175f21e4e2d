import * as vscode from 'vscode';
import { BodyTooLargeError } from '../api/errors/bodyTooLargeError.ts';
import { sentence } from '../api/errors/sentence.ts';
import { InvalidInputError } from '../api/errors/invalidInputError.ts';
import type { Redactor } from '../api/redaction.ts';
import type { ServiceResponse } from '../api/http/response.ts';
import type { Connections } from '../auth/connection.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import { formatJson } from '../resources/documents/jsonText.ts';
import { ResourceTooLargeError } from '../resources/resourceTooLargeError.ts';
import { encodeMultipart } from '../resources/requests/multipart.ts';
import { responseText } from '../resources/requests/responseText.ts';
import type { RequestDrafts } from '../resources/requests/requestDrafts.ts';
import type { ResponseDocuments } from '../resources/documents/responseDocuments.ts';
import type { Dialogs } from '../workbench/dialogs.ts';
import { callPatience, withProgress } from '../workbench/progress.ts';
import type { Handlers } from './registry.ts';
import { describeBody, gatherRequest, type OutgoingRequest } from './wizard/requestSteps.ts';
import { subjectOf } from './wizard/requestSubject.ts';
import { signedIn } from './signedIn.ts';

interface Parts {
  readonly connections: Connections;
  readonly drafts: RequestDrafts;
  readonly responses: ResponseDocuments;
  readonly dialogs: Dialogs;
  readonly redactor: Redactor;
  /** Called after a request that may have changed something. */
  readonly changed: () => Promise<unknown>;
}

/** Commands that send a request of a person's own making. */
export function requestCommands(parts: Parts) {
  const { connections, drafts, responses, dialogs, redactor, changed } = parts;

  /** Asks before anything but a GET, sends, and shows the answer whatever its status. */
  const send = async (request: OutgoingRequest, beside: boolean): Promise<void> => {
    const { client } = await signedIn(connections);
    const { method, url, body } = request;
    const { host, pathname, search } = new URL(url);
    const question = vscode.l10n.t('Send {0} to {1}?', method, `${host}${pathname}`);
    const detail = redactor.redact([...(search === '' ? [] : [url]), describeBody(body)].join('\n\n'));
    if (method !== 'GET' && !(await dialogs.confirm(question, detail, vscode.l10n.t('Send')))) {
      return;
    }
    const response = await withProgress(
      { notification: `${method} ${pathname}`, patience: callPatience },
      (signal, report) =>
        sendBody(
          request,
          (message) => report(message),
          (prepared) => client.send({ method, url, anyStatus: true, ...prepared }, signal),
        ),
    ).catch(async (error: unknown) => {
      if (!(error instanceof BodyTooLargeError)) {
        throw error;
      }
      if (method !== 'GET') {
        await changed();
      }
      throw ResourceTooLargeError.onRequest(method, url, error);
    });
    const describeBinary = (type: string, bytes: number): string =>
      vscode.l10n.t('A file of type {0}, {1} bytes. Use “Download…” to save it.', type, bytes);
    const text = responseText(response, { method, redactor, formatJson, receivedAt: new Date(), describeBinary });
    await responses.show(`${method} ${pathname} ${response.status}`, text, beside);
    if (method !== 'GET' && response.status < 300) {
      await changed();
    }
  };

  return {
    'appBuild.sendRequest': async (argument) => {
      const { client } = await signedIn(connections);
      const subject = await subjectOf(argument, client, vscode.l10n.t('Send Request'));
      const remember = (secret: string) => redactor.add(secret);
      const gathered = await gatherRequest(subject, { dialogs, remember });
      if (gathered?.kind === 'edit') {
        await drafts.open(gathered);
      } else if (gathered !== undefined) {
        await send(gathered, false);
      }
    },

    'appBuild.sendDraft': async (uri) => {
      const draft = drafts.find(uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri);
      if (draft === undefined) {
        throw new InvalidInputError(
          sentence('There is no request to send.'),
          sentence('Start one with “Send Request…”, then write its body in the editor that opens.'),
        );
      }
      await send({ ...draft, body: { kind: 'text', contentType: 'application/json', text: jsonOf(draft.text) } }, true);
    },
  } satisfies Handlers;
}

/** Sends a body in the form it has; a file that cannot be read is the failure that is told. */
async function sendBody(
  { body }: OutgoingRequest,
  report: (message: string) => void,
  send: (prepared: object) => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  if (body.kind === 'none') {
    return send({});
  }
  if (body.kind === 'text') {
    return send({ headers: { 'content-type': body.contentType }, body: body.text });
  }
  let unreadable: unknown;
  const prepared = encodeMultipart(body.parts, {
    onProgress: (sent, total) => report(vscode.l10n.t('{0}% sent', Math.floor((sent / total) * 100))),
    onUnreadable: (error) => {
      unreadable = error;
    },
  });
  try {
    return await send(prepared);
  } catch (error) {
    throw unreadable === undefined ? error : fileFailure(unreadable, vscode.l10n.t('A file of the form'));
  } finally {
    prepared.body.destroy();
  }
}

/** The text as it was written: parsing and printing it again would round numbers. */
function jsonOf(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw new InvalidInputError(
      sentence('The body is not valid JSON yet.'),
      sentence('Correct what the editor underlines, then send it again.'),
    );
  }
}
