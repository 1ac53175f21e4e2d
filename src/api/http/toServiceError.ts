import { decodeXML } from 'entities/decode';

import { RateLimitedError } from '../errors/rateLimitedError.ts';
import { ServiceError } from '../errors/serviceError.ts';
import { UnauthorizedError } from '../errors/unauthorizedError.ts';
import type { Redactor } from '../redaction.ts';
import { retryAfterSeconds } from './retryAfter.ts';

/** Characters of a service's message that are shown. */
const MAX_MESSAGE_LENGTH = 500;

/**
 * The error for a status and the service's own message.
 *
 * @param otherHost that answered, when it is not the service's: its 401 says nothing about the sign-in.
 */
export function toServiceError(
  status: number,
  message: string | undefined,
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
  otherHost?: string,
): ServiceError {
  const readable = message === undefined ? undefined : readableMessage(message, redactor);
  if (otherHost !== undefined) {
    return ServiceError.ofOtherHost(status, readable, otherHost);
  }
  switch (status) {
    case 401:
      return new UnauthorizedError(readable);
    case 429:
      return new RateLimitedError(readable, retryAfterSeconds(headers['retry-after']));
    case 503:
      return new ServiceError(status, readable, { retryAfter: retryAfterSeconds(headers['retry-after']) });
    default:
      return new ServiceError(status, readable);
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
  const readable = redactor
    .redact(decodeXML(redactor.redact(text.slice(0, MAX_MESSAGE_LENGTH * 20))))
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  // What still holds one, split or escaped again, is not shown at all.
  if (readable === '' || redactor.containsSecret(readable)) {
    return undefined;
  }
  return readable.length <= MAX_MESSAGE_LENGTH ? readable : `${readable.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
}
