import { BuildServiceError, type FailureDetails } from './buildServiceError.ts';
import { sentence, type Sentence } from './sentence.ts';

interface ServiceErrorDetails {
  readonly retryAfter?: number | undefined;
  /** Host that a download leads to. It gets no credentials, so its failures don't affect the session. */
  readonly otherHost?: string | undefined;
}

/** A response whose status is a failure (contract, Errors). */
export class ServiceError extends BuildServiceError {
  /** `unauthorized`: missing or invalid authentication, so that the user has to sign in again. */
  readonly kind: 'service' | 'unauthorized' | 'rateLimited';
  readonly status: number;
  /** The service's own `error` text, as plain text without secrets, at most 500 characters. Untrusted. */
  readonly serviceMessage: string | undefined;
  /** Seconds to wait before the next request, when the service says so. */
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
    // a success that describes a failure
    return {
      what: sentence('The service refused it: {0}', message),
      next: sentence('Correct what it names, then try again.'),
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
            ? sentence('The service did not accept the sign-in.')
            : sentence('The service did not accept the sign-in: {0}', message),
        next: sentence('Sign in again.'),
        remedy: 'signIn',
      };
    case 403:
      return { what, next: sentence('Your account may not do this.') };
    case 404:
    case 410:
      return { what, next: sentence('It may have been deleted. Refresh, then try again.'), remedy: 'refresh' };
    case 429:
      return {
        what: sentence('The service received too many requests and asks to wait.'),
        next: whenToTryAgain(retryAfter),
        remedy: 'retry',
      };
    default:
      return { what, next: sentence('The log shows the request.') };
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
        ? sentence('{0}, where this leads, answered with status {1} and no explanation.', host, status)
        : sentence('{0}, where this leads, answered with status {1}: {2}', host, status, message),
    next: sentence('No credentials were sent there. Ask the owner of the link what it needs.'),
    remedy: 'retry',
  };
}
