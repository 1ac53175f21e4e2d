import { sentence } from './sentence.ts';
import { ServiceError } from './serviceError.ts';

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
