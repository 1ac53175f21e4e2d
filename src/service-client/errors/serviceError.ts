import { BuildServiceError, type FailureDetails, sentence, type Sentence } from '../../errors/index.ts';

interface ServiceErrorDetails {
  readonly retryAfter?: number | undefined;
  /**
   * Host of a download that isn't on the service. It receives no credentials, so its failures don't affect the session.
   */
  readonly otherHost?: string | undefined;
}

/** Thrown for a response with a failure status (contract, Errors). */
export class ServiceError extends BuildServiceError {
  /** `unauthorized`: authentication is missing or invalid, so the user must sign in again. */
  readonly kind: 'service' | 'unauthorized' | 'rateLimited';
  readonly status: number;
  /** The service's `error` text as plain text, without secrets, at most 500 characters. Untrusted. */
  readonly serviceMessage: string | undefined;
  /** Seconds to wait before the next request, if the service specifies them. */
  readonly retryAfter: number | undefined;

  constructor(status: number, serviceMessage?: string, { retryAfter, otherHost }: ServiceErrorDetails = {}) {
    super(
      otherHost === undefined
        ? explain(status, serviceMessage, retryAfter)
        : explainElsewhere(status, serviceMessage, otherHost),
    );
    this.kind =
      otherHost !== undefined || (status !== 401 && status !== 429)
        ? 'service'
        : status === 401
          ? 'unauthorized'
          : 'rateLimited';
    this.status = status;
    this.serviceMessage = serviceMessage;
    this.retryAfter = retryAfter;
  }
}

function explain(status: number, message: string | undefined, retryAfter: number | undefined): FailureDetails {
  const what =
    message === undefined
      ? sentence('The service returned an error ({0}).', status)
      : sentence('The service returned an error ({0}): {1}', status, message);
  if (status < 300 && message !== undefined) {
    // The status is a success, but the body describes a failure.
    return {
      what: sentence('The service rejected the request: {0}', message),
      next: sentence('Correct the error, then try again.'),
    };
  }
  if (status >= 500) {
    return { what, next: sentence('This is a problem with the service. Try again in a moment.'), remedy: 'retry' };
  }
  switch (status) {
    case 401:
      return {
        what:
          message === undefined
            ? sentence('The service didn’t accept the sign-in.')
            : sentence('The service didn’t accept the sign-in: {0}', message),
        next: sentence('Sign in again.'),
        remedy: 'signIn',
      };
    case 403:
      return { what, next: sentence('Your account isn’t allowed to do this.') };
    case 404:
    case 410:
      return { what, next: sentence('It may have been deleted. Refresh, then try again.'), remedy: 'refresh' };
    case 429:
      return {
        what: sentence('The service received too many requests.'),
        next: whenToTryAgain(retryAfter),
        remedy: 'retry',
      };
    default:
      return { what, next: sentence('See the request in the log.') };
  }
}

function whenToTryAgain(retryAfter: number | undefined): Sentence {
  if (retryAfter === undefined) {
    return sentence('Try again in a few minutes.');
  }
  return retryAfter === 0
    ? sentence('Try again in a moment.')
    : sentence('Try again in {0} seconds.', String(Math.ceil(retryAfter)));
}

function explainElsewhere(status: number, message: string | undefined, host: string): FailureDetails {
  return {
    what:
      message === undefined
        ? sentence('This link leads to {0}, which returned status {1} without an explanation.', host, status)
        : sentence('This link leads to {0}, which returned status {1}: {2}', host, status, message),
    next: sentence('Your credentials weren’t sent there. Ask the link’s owner what it requires.'),
    remedy: 'retry',
  };
}
