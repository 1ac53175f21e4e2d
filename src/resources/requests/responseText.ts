import { STATUS_CODES } from 'node:http';

import type { Redactor } from '../../api/redaction.ts';
import type { ServiceResponse } from '../../api/http/response.ts';

/** How the text is made. */
export interface ResponseTextOptions {
  readonly method: string;
  readonly redactor: Pick<Redactor, 'redact' | 'redactKnownSecrets'>;
  readonly layOut: (json: string) => string;
  readonly receivedAt: Date;
  /** Says, for a body that is not text, what it is. */
  readonly describeBinary: (mediaType: string, bytes: number) => string;
}

/**
 * An answer as text: the status line, a comment with request, duration and time, the headers without secrets, an empty
 * line and the body. JSON is laid out. Secrets that this extension knows are taken out of the body as well.
 */
export function responseText(response: ServiceResponse, options: ResponseTextOptions): string {
  const { method, redactor, receivedAt } = options;
  const { status, url, headers, milliseconds } = response;
  // The transport leaves HTTP/2 alone.
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [
    statusLine,
    `# ${method} ${url}`,
    `# ${Math.round(milliseconds)} ms, ${receivedAt.toISOString()}`,
    ...fields.map((line) => line.replace(/[\r\n]+/g, ' ')),
  ];
  return (
    `${redactor.redact(head.join('\n'))}\n\n${redactor.redactKnownSecrets(bodyText(response, options))}`.trimEnd() +
    '\n'
  );
}

function bodyText({ body, mediaType }: ServiceResponse, { layOut, describeBinary }: ResponseTextOptions): string {
  switch (body.kind) {
    case 'json':
      return layOut(body.text);
    case 'text':
      return body.text;
    case 'binary':
      return `# ${describeBinary(mediaType, body.bytes.byteLength)}`;
    case 'none':
      return '';
  }
}
