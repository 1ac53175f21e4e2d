import * as vscode from 'vscode';
import type { RequestBody, UploadFile } from '../../resources/requests/multipart.ts';
import { listText, sizeText } from '../../workbench/values.ts';

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

/** Name and size of a file to send. */
export function describeFile({ name, size }: UploadFile): string {
  return `${name} (${sizeText(size)})`;
}
