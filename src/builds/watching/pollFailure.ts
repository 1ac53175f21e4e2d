import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { ServiceError } from '../../api/errors/serviceError.ts';
import { NotAnAppError } from '../../apps/appErrors.ts';
import { pauseMs } from './pollSchedule.ts';
import type { WatchRecord } from './watchRecord.ts';

/** 401 also means "not yours". When the session is over, it is removed before so many questions were asked. */
const MAX_UNAUTHORIZED = 3;

/** Another window got no answer; this one knows its words only. */
export class NoAnswerError extends BuildServiceError {
  readonly kind = 'noAnswer';

  constructor(what: Sentence) {
    super({ what, remedy: 'retry' });
  }
}

/**
 * True when the app is no longer there for the account.
 *
 * @param failures questions without an answer before.
 */
export function isGone(error: unknown, failures: number): boolean {
  if (error instanceof NotAnAppError) {
    return true;
  }
  if (!(error instanceof ServiceError)) {
    return false;
  }
  return [403, 404, 410].includes(error.status) || (error.status === 401 && failures + 1 >= MAX_UNAUTHORIZED);
}

/** A record after a question without an answer. @param now milliseconds since 1970 */
export function afterFailure(record: WatchRecord, error: unknown, now: number): WatchRecord {
  const failures = record.failures + 1;
  const asksToWait = error instanceof ServiceError && [429, 503].includes(error.status);
  return {
    ...record,
    askedAt: now,
    failures,
    notBefore: asksToWait ? now + pauseMs(error.retryAfter, failures) : 0,
    trouble:
      error instanceof BuildServiceError
        ? error.what
        : sentence('Something unexpected went wrong. The log has the details.'),
  };
}
