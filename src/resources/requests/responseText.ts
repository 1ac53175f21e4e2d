import { STATUS_CODES } from 'node:http';

import * as vscode from 'vscode';
import type { Redactor } from '../../api/redaction.ts';
import type { ServiceResponse } from '../../api/http/response.ts';
import { formatJson } from '../documents/jsonText.ts';

/**
 * A response as text: the status line, a comment with request, duration and time, the headers without secrets, an empty
 * line and the body. JSON is formatted. In a body secrets are hidden already.
 */
export function responseText(
  response: ServiceResponse,
  method: string,
  redactor: Pick<Redactor, 'redact'>,
  receivedAt = new Date(),
): string {
  const { status, url, headers, milliseconds } = response;
  // The transport does not use HTTP/2.
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [
    statusLine,
    `# ${method} ${url}`,
    `# ${Math.round(milliseconds)} ms, ${receivedAt.toISOString()}`,
    ...fields.map((line) => line.replace(/[\r\n]+/g, ' ')),
  ];
  return `${redactor.redact(head.join('\n'))}\n\n${bodyText(response)}`.trimEnd() + '\n';
}

function bodyText({ body, mediaType }: ServiceResponse): string {
  switch (body.kind) {
    case 'json':
      return formatJson(body.text);
    case 'text':
      return body.text;
    case 'binary':
      return `# ${vscode.l10n.t('A file of type {0}, {1} bytes. Use “Download…” to save it.', mediaType, body.bytes.byteLength)}`;
    case 'none':
      return '';
  }
}
