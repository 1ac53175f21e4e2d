import { decodeXML } from 'entities/decode';

import { BuildServiceError, InvalidInputError, sentence } from '../../errors/index.ts';
import {
  CertificateError,
  NetworkError,
  ProxyError,
  type CertificateFault,
  type NetworkFailure,
} from '../errors/connectionErrors.ts';
import { InvalidResponseError } from '../errors/responseErrors.ts';
import { ServiceError } from '../errors/serviceError.ts';
import { isObject, text } from '../hypermedia/json.ts';
import { MAX_TEXT_LENGTH } from '../limits.ts';
import { redact, type Redactor } from '../redaction.ts';

/** Details about a failed call. */
interface FailureContext {
  /** A signal that's aborted with a typed reason when the call ends early. */
  readonly signal?: AbortSignal;
  /** Host and port of the service. */
  readonly host: string;
  /** Host and port of the proxy, if one was used. */
  readonly proxyHost?: string | undefined;
  /** Whether the response headers had arrived. */
  readonly responded: boolean;
}

/**
 * Converts an error of undici or of Node's net, tls, or zlib module to a typed error. Typed errors pass through
 * unchanged.
 *
 * @param error any thrown value. Only its code and redacted message are kept, as the cause.
 */
export function toBuildServiceError(
  error: unknown,
  { signal, host, proxyHost, responded }: FailureContext,
): BuildServiceError {
  const known: unknown = signal?.aborted === true ? signal.reason : error;
  if (known instanceof BuildServiceError) {
    return known;
  }
  const { code, message } = describeError(error);
  const cause = sanitizedError(code, message);
  const fault = certificateFault(code, message);
  if (fault !== undefined) {
    return new CertificateError(fault, host, cause);
  }
  if (code === 'UND_ERR_BODY_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new NetworkError(code === 'UND_ERR_BODY_TIMEOUT' ? 'idleTimeout' : 'headersTimeout', host, cause);
  }
  if (/^(Z_|ERR_BROTLI|ERR__ERROR)/.test(code)) {
    return new InvalidResponseError('encoding', code, cause);
  }
  if (responded) {
    return new InvalidResponseError('truncated', host, cause);
  }
  if (
    code === 'HTTPParserError' ||
    code === 'UND_ERR_HEADERS_OVERFLOW' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  ) {
    return new InvalidResponseError('notHttp', host, cause);
  }
  const proxyError = proxyHost === undefined ? undefined : proxyFailure(code, message, proxyHost, cause);
  if (proxyError !== undefined) {
    return proxyError;
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return new InvalidInputError(sentence('The request can’t be sent because a header or the method isn’t valid.'));
  }
  return new NetworkError(NETWORK_FAILURES[code] ?? 'other', host, cause);
}

/** Returns the certificate or TLS fault for an error. */
function certificateFault(code: string, message: string): CertificateFault | undefined {
  const exact = CERTIFICATE_FAULTS[code];
  if (exact !== undefined) {
    return exact;
  }
  // OpenSSL reads the first bytes of an unencrypted response as a TLS record. The error code depends on its version.
  if (/^(EPROTO|ERR_SSL_)/.test(code)) {
    return /wrong.version.number|packet.length.too.long|http.request|record.layer.failure/i.test(`${code} ${message}`)
      ? 'plainHttp'
      : 'other';
  }
  return /^(ERR_TLS_|CERT_|CRL_|UNABLE_TO_|ERR_OSSL_|INVALID_(CA|PURPOSE)|CA_|EE_|UNSPECIFIED$)/.test(code)
    ? 'other'
    : undefined;
}

/** Faults by error code of Node's TLS module. */
const CERTIFICATE_FAULTS: Readonly<Record<string, CertificateFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknownAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknownAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknownAuthority',
  CERT_UNTRUSTED: 'unknownAuthority',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'notYetValid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrongHost',
  HOSTNAME_MISMATCH: 'wrongHost',
};

/** Failures by error code of Node's net and dns modules and of undici. */
const NETWORK_FAILURES: Readonly<Record<string, NetworkFailure>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  UND_ERR_SOCKET: 'reset',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'connectTimeout',
  UND_ERR_CONNECT_TIMEOUT: 'connectTimeout',
};

function proxyFailure(code: string, message: string, proxyHost: string, cause: Error): ProxyError | undefined {
  // undici doesn't set a code for these two errors, so only the message identifies them.
  const status =
    /Proxy response \((\d+)\)/.exec(message)?.[1] ?? /Proxy Authentication Required \((407)\)/.exec(message)?.[1];
  if (status !== undefined) {
    return new ProxyError(status === '407' ? 'authentication' : 'refused', proxyHost, cause);
  }
  return code in NETWORK_FAILURES || code === 'UND_ERR_PRX_CONN' ? new ProxyError('down', proxyHost, cause) : undefined;
}

/** Returns the code and message of an error. For a wrapper, returns those of its first inner error. */
function describeError(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) {
    return { code: '', message: '' };
  }
  const ownCode = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The code of a parser error comes from llhttp. It may be missing.
  const code = error.name === 'HTTPParserError' ? error.name : ownCode;
  // With `autoSelectFamily`, Node tries every address and reports all failures in one error.
  const inner =
    error instanceof AggregateError
      ? (error.errors as unknown[])[0]
      : PROXY_WRAPPER_CODES.includes(code)
        ? error.cause
        : undefined;
  return inner instanceof Error ? describeError(inner) : { code, message: error.message };
}

/** Codes of undici's ProxyAgent errors that wrap the actual error as their cause. */
const PROXY_WRAPPER_CODES = ['UND_ERR_PRX_TLS', 'UND_ERR_PRX_CONN'];

/**
 * Creates an error with only the code and the redacted message, because undici's errors contain sockets, URLs, and
 * headers.
 */
function sanitizedError(code: string, message: string): Error {
  const redacted = redact(message);
  return new Error(code === '' || redacted.includes(code) ? redacted : `${code}: ${redacted}`);
}

/**
 * Creates the error for a failure response.
 *
 * @param head status and headers. `otherHost` is set if another host responded. Its 401 responses don't affect the
 * sign-in.
 * @param body JSON value of the response, or undefined.
 */
export function toServiceError(
  head: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly otherHost?: string | undefined;
  },
  body: unknown,
  redactor: Redactor,
): ServiceError {
  const { status, headers, otherHost } = head;
  // In an app resource, `error` is an object, not a failure message (contract, Error body).
  const message = isObject(body) ? text(body, 'error') : undefined;
  return new ServiceError(status, message === undefined ? undefined : readableMessage(message, redactor), {
    retryAfter: retryAfterSeconds(headers['retry-after']),
    otherHost,
  });
}

/**
 * Returns a service message as plain text: one line of at most 500 characters, without secrets and without control and
 * direction characters. Character references are decoded, because the service escapes HTML inside JSON.
 *
 * @returns undefined when no text remains.
 */
export function readableMessage(message: string, redactor: Redactor): string | undefined {
  // Redact before and after decoding: the first pass can't find a secret that contains a character reference.
  const readable = redactor
    .redact(decodeXML(redactor.redact(message.slice(0, MAX_TEXT_LENGTH * 20))))
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  // Drop the text if it still contains a secret, such as one that is split or escaped twice.
  if (readable === '' || redactor.containsSecret(readable)) {
    return undefined;
  }
  return readable.length <= MAX_TEXT_LENGTH ? readable : `${readable.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}

/**
 * Returns the seconds in a Retry-After header, which is a number or a date (RFC 9110 §10.2.3). Returns undefined if
 * it's missing or invalid.
 *
 * @param now current time in ms since the epoch.
 */
export function retryAfterSeconds(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (/^\d{1,9}$/.test(value.trim())) {
    return Number(value);
  }
  // Date.parse accepts more than HTTP dates: “-1” is a day in 2001.
  const date = /^\s*(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}
