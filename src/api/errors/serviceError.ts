import { BuildServiceError, type Remedy } from './buildServiceError.ts';
import { sentence, type Sentence } from './sentence.ts';

interface ServiceErrorDetails {
  readonly what?: Sentence;
  readonly next?: Sentence;
  readonly remedy?: Remedy;
  readonly retryAfter?: number | undefined;
}

/** A response whose status is a failure (contract, Errors). */
export class ServiceError extends BuildServiceError {
  readonly kind: 'service' | 'unauthorized' | 'rateLimited' = 'service';
  readonly status: number;
  /** The service's own `error` text, as plain text without secrets, at most 500 characters. Untrusted. */
  readonly serviceMessage: string | undefined;
  /** Seconds to wait before the next request, when the service says so. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    serviceMessage: string | undefined,
    { what, next, remedy, retryAfter }: ServiceErrorDetails = {},
  ) {
    const advice = adviceFor(status);
    super({
      what:
        what ??
        (serviceMessage === undefined
          ? sentence('The service answered with status {0} and no explanation.', status)
          : sentence('The service answered with status {0}: {1}', status, serviceMessage)),
      next: next ?? advice.next,
      remedy: remedy ?? advice.remedy,
    });
    this.status = status;
    this.serviceMessage = serviceMessage;
    this.retryAfter = retryAfter;
  }

  /** Of a host that a download leads to. It gets no credentials, so its failures say nothing about the session. */
  static ofOtherHost(status: number, message: string | undefined, host: string): ServiceError {
    return new ServiceError(status, message, {
      what:
        message === undefined
          ? sentence('{0}, where this leads, answered with status {1} and no explanation.', host, status)
          : sentence('{0}, where this leads, answered with status {1}: {2}', host, status, message),
      next: sentence('No credentials were sent there. Whoever set the link up can tell what it needs.'),
      remedy: 'retry',
    });
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
      retryAfter,
    });
  }
}
