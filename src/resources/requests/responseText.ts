import { STATUS_CODES } from 'node:http';

import type { Redactor } from '../../api/redaction.ts';
import type { ServiceResponse } from '../../api/http/response.ts';

interface ResponseTextOptions {
  readonly method: string;
  readonly redactor: Pick<Redactor, 'redact'>;
  readonly formatJson: (json: string) => string;
  readonly receivedAt: Date;
  readonly describeBinary: (mediaType: string, sizeBytes: number) => string;
}

/**
 * A response as text: the status line, a comment with request, duration and time, the headers without secrets, an empty
 * line and the body. JSON is formatted. In a body secrets are hidden already.
 */
export function responseText(response: ServiceResponse, options: ResponseTextOptions): string {
  const { method, redactor, receivedAt } = options;
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
  return `${redactor.redact(head.join('\n'))}\n\n${bodyText(response, options)}`.trimEnd() + '\n';
}

function bodyText({ body, mediaType }: ServiceResponse, { formatJson, describeBinary }: ResponseTextOptions): string {
  switch (body.kind) {
    case 'json':
      return formatJson(body.text);
    case 'text':
      return body.text;
    case 'binary':
      return `# ${describeBinary(mediaType, body.bytes.byteLength)}`;
    case 'none':
      return '';
  }
}
