import { decodeXML } from 'entities/decode';

import { BuildServiceError, sentence, type Remedy, type Sentence } from './buildServiceError.ts';
import type { Redactor } from '../redaction.ts';

const longestMessage = 500;

interface ServiceErrorDetails {
  readonly what?: Sentence;
  readonly next?: Sentence;
  readonly remedy?: Remedy;
}

/** The service answered, and its answer is a failure (contract, Errors). */
export class ServiceError extends BuildServiceError {
  readonly kind: 'service' | 'unauthorized' | 'rateLimited' = 'service';
  readonly status: number;
  /** The service's own `error` text, as plain text without secrets, at most 500 characters. Untrusted. */
  readonly serviceMessage: string | undefined;

  constructor(status: number, serviceMessage: string | undefined, { what, next, remedy }: ServiceErrorDetails = {}) {
    const advice = adviceFor(status);
    super({
      what:
        what ??
        (serviceMessage === undefined
          ? sentence('The service answered with status {0} and no explanation.', String(status))
          : sentence('The service answered with status {0}: {1}', String(status), serviceMessage)),
      next: next ?? advice.next,
      remedy: remedy ?? advice.remedy,
    });
    this.status = status;
    this.serviceMessage = serviceMessage;
  }
}

/** 401: missing or invalid authentication. */
export class UnauthorizedError extends ServiceError {
  override readonly kind = 'unauthorized';

  constructor(serviceMessage: string | undefined) {
    super(401, serviceMessage, {
      what:
        serviceMessage === undefined
          ? sentence('The service did not accept the sign-in.')
          : sentence('The service did not accept the sign-in: {0}', serviceMessage),
      next: sentence('Sign in again.'),
      remedy: 'signIn',
    });
  }
}

/** 429: too many requests. */
export class RateLimitedError extends ServiceError {
  override readonly kind = 'rateLimited';
  /** Seconds to wait, when the service says so. */
  readonly retryAfter: number | undefined;

  constructor(serviceMessage: string | undefined, retryAfter: number | undefined) {
    super(429, serviceMessage, {
      what: sentence('The service received too many requests and asks to wait.'),
      next:
        retryAfter === undefined
          ? sentence('Try again in a few minutes.')
          : retryAfter === 0
            ? sentence('Try again in a moment.')
            : sentence('Try again in {0} seconds.', String(Math.ceil(retryAfter))),
      remedy: 'retry',
    });
    this.retryAfter = retryAfter;
  }
}

function adviceFor(status: number): { readonly next: Sentence; readonly remedy: Remedy } {
  if (status >= 500) {
    return { next: sentence('The fault is on the side of the service. Try again in a moment.'), remedy: 'retry' };
  }
  switch (status) {
    case 403:
      return { next: sentence('Your account may not do this.'), remedy: 'showLog' };
    case 404:
    case 410:
      return { next: sentence('It may have been deleted. Refresh, then try again.'), remedy: 'refresh' };
    default:
      return { next: sentence('The log shows the request.'), remedy: 'showLog' };
  }
}

/**
 * A text of the service for people: without character references (the service escapes for HTML inside JSON), control and
 * direction characters and secrets, in one line, at most 500 characters.
 *
 * @returns undefined when nothing is left.
 */
export function readableMessage(text: string, redactor: Redactor): string | undefined {
  // Redacted before and after decoding: a reference inside a secret would hide it from the first pass.
  const plain = redactor
    .redact(decodeXML(redactor.redact(text.slice(0, longestMessage * 20))))
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  // What still holds one, split or escaped again, is not shown at all.
  if (plain === '' || redactor.contains(plain)) {
    return undefined;
  }
  return plain.length <= longestMessage ? plain : `${plain.slice(0, longestMessage - 1)}…`;
}

/** Seconds of a Retry-After header: a number or a date (RFC 9110 §10.2.3); undefined when absent or unreadable. */
export function retryAfterSeconds(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (/^\d{1,9}$/.test(value.trim())) {
    return Number(value);
  }
  // Date.parse takes more for a date than HTTP does: “-1” is a day in 2001.
  const date = /^\s*(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

/** The error for a status and the service's own message. */
export function rejection(
  status: number,
  message: string | undefined,
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): ServiceError {
  const readable = message === undefined ? undefined : readableMessage(message, redactor);
  switch (status) {
    case 401:
      return new UnauthorizedError(readable);
    case 429:
      return new RateLimitedError(readable, retryAfterSeconds(headers['retry-after']));
    default:
      return new ServiceError(status, readable);
  }
}
