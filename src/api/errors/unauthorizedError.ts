import { sentence } from './sentence.ts';
import { ServiceError } from './serviceError.ts';

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
