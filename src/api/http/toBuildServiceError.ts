import { CertificateError, certificateFault } from '../errors/certificateError.ts';
import { BuildServiceError, sentence } from '../errors/buildServiceError.ts';
import { InvalidInputError } from '../errors/invalidInputError.ts';
import { InvalidResponseError } from '../errors/invalidResponseError.ts';
import { NetworkError } from '../errors/networkError.ts';
import { ProxyError } from '../errors/proxyError.ts';
import { redact } from '../redaction.ts';

/** Where a failure happened. */
export interface FailureContext {
  /** Host and port of the service. */
  readonly host: string;
  /** Host and port of the proxy, when one was used. */
  readonly proxyHost?: string | undefined;
  /** True once the headers of the answer had arrived. */
  readonly answered: boolean;
}

/** Turns an error of undici, Node's net, tls or zlib into one of ours. Errors of ours pass unchanged. */
export function toFailure(error: unknown, { host, proxyHost, answered }: FailureContext): BuildServiceError {
  if (error instanceof BuildServiceError) {
    return error;
  }
  const { code, message } = describe(error);
  const cause = sanitised(code, message);
  const fault = certificateFault(code, message);
  if (fault !== undefined) {
    return new CertificateError(fault, host, cause);
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return NetworkError.timeout('idle', host, cause);
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return NetworkError.timeout('headers', host, cause);
  }
  if (/^(Z_|ERR_BROTLI|ERR__ERROR)/.test(code)) {
    return new InvalidResponseError('encoding', code, cause);
  }
  if (answered) {
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
    return new InvalidInputError(sentence('The request cannot be sent: a header or the method is not valid.'));
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return NetworkError.timeout('connect', host, cause);
  }
  return NetworkError.of(failureOf[code] ?? 'other', host, cause);
}

const failureOf: Readonly<Record<string, 'refused' | 'dns' | 'reset' | 'unreachable'>> = {
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
};

function proxyFailure(code: string, message: string, proxyHost: string, cause: Error): ProxyError | undefined {
  // undici words both this way and gives them no code of their own.
  const status =
    /Proxy response \((\d+)\)/.exec(message)?.[1] ?? /Proxy Authentication Required \((407)\)/.exec(message)?.[1];
  if (status !== undefined) {
    return new ProxyError(status === '407' ? 'authentication' : 'refused', proxyHost, cause);
  }
  const down =
    code in failureOf || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || code === 'UND_ERR_PRX_CONN';
  return down ? new ProxyError('down', proxyHost, cause) : undefined;
}

/** Code and message of an error, of the first inner one when it is only a wrapper. */
function describe(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) {
    return { code: '', message: '' };
  }
  const known = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // the code of a parser error is llhttp's, which is absent for some
  const code = error.name === 'HTTPParserError' ? error.name : known;
  // autoSelectFamily tries every address, and reports all the failures at once
  const inner =
    error instanceof AggregateError
      ? (error.errors as unknown[])[0]
      : wrappers.includes(code)
        ? error.cause
        : undefined;
  return inner instanceof Error ? describe(inner) : { code, message: error.message };
}

const wrappers = ['UND_ERR_PRX_TLS', 'UND_ERR_PRX_CONN'];

/** undici's errors hold sockets, URLs and headers. Only the code and the redacted message are kept. */
function sanitised(code: string, message: string): Error {
  const text = redact(message);
  return new Error(code === '' || text.includes(code) ? text : `${code}: ${text}`);
}
