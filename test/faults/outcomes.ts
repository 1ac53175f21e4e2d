import { CertificateError } from '../../src/api/errors/certificateError.ts';
import type { BuildServiceError } from '../../src/api/errors/buildServiceError.ts';
import { plainText } from '../../src/api/errors/sentence.ts';
import { InvalidResponseError } from '../../src/api/errors/invalidResponseError.ts';
import { NetworkError } from '../../src/api/errors/networkError.ts';
import { RedirectError } from '../../src/api/errors/redirectError.ts';
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
    return [error.name, error.failure, ...(error.phase === undefined ? [] : [error.phase])].join(' ');
  }
  if (error instanceof ServiceError) {
    return `${error.name} ${error.status}`;
  }
  if (error instanceof FileError) {
    return `${error.name} ${error.code}`;
  }
  return error instanceof InvalidResponseError || error instanceof CertificateError || error instanceof RedirectError
    ? `${error.name} ${error.fault}`
    : error.name;
}

/** What a notification says, without the name of the test's server. */
export function sentenceOf({ what, next }: BuildServiceError): string {
  return joinSentences([what, ...(next === undefined ? [] : [next])].map(plainText)).replace(
    /(?:127\.0\.0\.1|localhost|\[[0-9a-f:]+\]):\d+/g,
    'HOST',
  );
}

/** Adds the full stop that a service's own words may lack. */
function joinSentences(sentences: readonly string[]): string {
  return sentences.map((text) => (/[.!?…”]$/.test(text) ? text : `${text}.`)).join(' ');
}

const TRY_AGAIN = 'Try again in a moment.';
const CHECK_NETWORK = 'Check the network connection, then try again.';
const CHECK_ADDRESS = 'Check the address of the service.';
const TELL_OPERATOR = 'Tell whoever runs the service.';
const fault = (label: string, ...sentences: readonly string[]): Outcome => ({
  label,
  sentence: joinSentences(sentences),
});

export const refused = fault(
  'NetworkError refused',
  'Nothing answers at HOST.',
  'Check that the service is running and that its address is right.',
);
export const unreachable = fault(
  'NetworkError unreachable',
  'HOST cannot be reached from this network.',
  'Check the network connection or the VPN.',
);
export const nameNotFound = fault(
  'NetworkError dns',
  'The name build.invalid could not be found.',
  'Check the address of the service and the network connection.',
);
export const reset = fault(
  'NetworkError reset',
  'The connection to HOST was closed before an answer arrived.',
  TRY_AGAIN,
);
export const connectTimeout = fault(
  'NetworkError timeout connect',
  'HOST did not accept a connection in time.',
  CHECK_NETWORK,
);
export const headersTimeout = fault('NetworkError timeout headers', 'HOST did not answer in time.', CHECK_NETWORK);
export const idleTimeout = fault(
  'NetworkError timeout idle',
  'HOST stopped sending in the middle of its answer.',
  CHECK_NETWORK,
);
export const totalTimeout = fault(
  'NetworkError timeout total',
  'The call to HOST took too long and was ended.',
  CHECK_NETWORK,
);
export const cancelled = fault('CancelledError', 'The request was cancelled.');

const TRUST_AUTHORITY =
  'Add the certificate of that authority (often the company’s own) to the trusted certificates of this computer, then reload the window.';
export const selfSigned = fault(
  'CertificateError selfSigned',
  'The certificate of HOST is self-signed, and this computer does not trust it.',
  'Ask whoever runs the service for its certificate, and add it to the trusted certificates of this computer.',
);
export const unknownAuthority = fault(
  'CertificateError unknownAuthority',
  'The certificate of HOST was issued by an authority that this computer does not trust.',
  TRUST_AUTHORITY,
  'If it is a public authority, the service may be sending an incomplete chain.',
);
export const expired = fault(
  'CertificateError expired',
  'The certificate of HOST has expired.',
  'Check the clock of this computer; if it is right, whoever runs the service has to renew the certificate.',
);
export const notYetValid = fault(
  'CertificateError notYetValid',
  'The certificate of HOST is not valid yet.',
  'Check the date and time of this computer.',
);
export const wrongHost = fault(
  'CertificateError wrongHost',
  'The certificate of HOST is for another host name.',
  'Check the address of the service: it must be the name that the certificate was issued for.',
);
export const plainHttp = fault(
  'CertificateError plainHttp',
  'HOST does not speak HTTPS on this port.',
  'Check the port in the address of the service.',
);
export const otherTls = fault(
  'CertificateError other',
  'A secure connection to HOST could not be made.',
  'The log has the details; whoever runs the service or the network can tell what they mean.',
);

export const notHttp = fault('InvalidResponseError notHttp', 'The answer of HOST is not HTTP.', CHECK_ADDRESS);
export const notJson = fault('InvalidResponseError notJson', 'The answer of HOST is not JSON.', CHECK_ADDRESS);
export const webPage = fault(
  'InvalidResponseError html',
  'HOST answered with a web page instead of data.',
  'The network may ask for a sign-in of its own first (a captive portal or a gateway), or the address of the service may be wrong.',
);
export const truncated = fault('InvalidResponseError truncated', 'The answer of HOST ended too early.', TRY_AGAIN);
export const tooLarge = fault(
  'BodyTooLargeError',
  'The answer is larger than 4 MB; only up to 4 MB is shown.',
  'Download it to a file instead.',
);
export const encoding = (detail: string): Outcome =>
  fault('InvalidResponseError encoding', `The answer could not be unpacked (${detail}).`, TRY_AGAIN);
export const missing = (field: string): Outcome =>
  fault(
    'InvalidResponseError missingField',
    `The answer of the service lacks a usable “${field}”.`,
    'Check that the address is one of an application build service, version 1.',
  );

export const redirectLoop = fault('RedirectError loop', 'The service redirects in a circle.', TELL_OPERATOR);
export const tooManyRedirects = fault('RedirectError tooMany', 'The service redirects too many times.', TELL_OPERATOR);
export const downgrade = fault(
  'RedirectError downgrade',
  'The service redirects to an address that is not encrypted.',
  TELL_OPERATOR,
);
export const elsewhere = fault(
  'RedirectError elsewhere',
  'This leads to another server, HOST.',
  'Open it in a browser, or download it.',
);
export const noLocation = fault(
  'RedirectError noLocation',
  'The service redirects without saying where to.',
  TELL_OPERATOR,
);
export const invalidLocation = fault(
  'RedirectError invalidLocation',
  'The service redirects to an address that cannot be requested.',
  TELL_OPERATOR,
);
export const unsafeMethod = fault(
  'RedirectError unsafeMethod',
  'The service redirects a request that must not be sent twice.',
  'Check the address of the service: it may have moved.',
);

export const unauthorized = (message?: string): Outcome =>
  fault(
    'UnauthorizedError 401',
    `The service did not accept the sign-in${message === undefined ? '.' : `: ${message}`}`,
    'Sign in again.',
  );
export const rateLimited = (next: string): Outcome =>
  fault('RateLimitedError 429', 'The service received too many requests and asks to wait.', next);

export const uploadCutOff = fault(
  'UploadError',
  'The upload was cut off: The connection to HOST was closed before an answer arrived.',
  'Check the network connection, then build again: the whole package is sent anew.',
);
/** A service says that it does not take a package. */
export const uploadRefused = (what: string, next: string): Outcome => fault('UploadError', what, next);

export const diskFull = fault(
  'FileError ENOSPC',
  'There is no space left for app.apk.',
  'Free some space, or choose another folder.',
);
export const fileTooLarge = fault(
  'FileError EFBIG',
  'app.apk is larger than this file system allows.',
  'Choose a folder on another disk.',
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

/** An answer with a status that is a failure; `message` is what the service says in `error`. */
export function serviceError(status: number, message?: string): Outcome {
  const what = `The service answered with status ${status}${message === undefined ? ' and no explanation.' : `: ${message}`}`;
  return fault(`ServiceError ${status}`, what, adviceFor(status));
}

function adviceFor(status: number): string {
  if (status >= 500) {
    return `The fault is on the side of the service. ${TRY_AGAIN}`;
  }
  return (
    { 403: 'Your account may not do this.', 404: 'It may have been deleted. Refresh, then try again.' }[status] ??
    'The log shows the request.'
  );
}
