import { CertificateError, NetworkError } from '../../src/api/errors/connectionErrors.ts';
import type { BuildServiceError } from '../../src/api/errors/buildServiceError.ts';
import { plainText } from '../../src/api/errors/sentence.ts';
import { InvalidResponseError } from '../../src/api/errors/responseErrors.ts';
import { ServiceError } from '../../src/api/errors/serviceError.ts';
import { FileError } from '../../src/resources/downloads/fileError.ts';

/** How a call ends: the error's class and its particulars, or a value; and the whole text that a person reads. */
export interface Outcome {
  readonly label: string;
  readonly sentence: string;
}

/** The outcome of a call that gives a value. */
export function value(text: string): Outcome {
  return { label: `value ${text}`, sentence: '' };
}

/** Class and particulars of an error. */
export function labelOf(error: BuildServiceError): string {
  if (error instanceof NetworkError) {
    return `${error.name} ${error.failure}`;
  }
  if (error instanceof ServiceError) {
    return `${error.name} ${error.status}`;
  }
  if (error instanceof FileError) {
    return `${error.name} ${error.code}`;
  }
  return error instanceof InvalidResponseError || error instanceof CertificateError
    ? `${error.name} ${error.fault}`
    : error.name;
}

/** What a notification says, without the name of the test's server. */
export function sentenceOf({ what, next }: BuildServiceError): string {
  return [what, ...(next === undefined ? [] : [next])]
    .map(plainText)
    .join(' ')
    .replace(/(?:127\.0\.0\.1|localhost|\[[0-9a-f:]+\]):\d+/g, 'HOST');
}

const TRY_AGAIN = 'Try again in a moment.';
const CHECK_NETWORK = 'Check the network connection, then try again.';
const fault = (label: string, ...sentences: readonly string[]): Outcome => ({
  label,
  sentence: sentences.join(' '),
});

export const reset = fault(
  'NetworkError reset',
  'The connection to HOST was closed before an answer arrived.',
  TRY_AGAIN,
);
export const headersTimeout = fault('NetworkError headersTimeout', 'HOST did not answer in time.', CHECK_NETWORK);

export const truncated = fault('InvalidResponseError truncated', 'The answer of HOST ended too early.', TRY_AGAIN);

export const diskFull = fault(
  'FileError ENOSPC',
  'There is no space left for app.apk.',
  'Free some space, or choose another folder.',
);
/** The code depends on the system. */
export const readOnly = (code: string): Outcome =>
  fault(
    `FileError ${code}`,
    'app.apk cannot be written: this folder or file is read-only for you.',
    'Choose another folder.',
  );
export const fileMissing = fault(
  'FileError ENOENT',
  'app.apk cannot be found.',
  'It, or its folder, may have been moved. Choose it again.',
);
