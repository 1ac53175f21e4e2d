import { BuildServiceError } from './buildServiceError.ts';
import { sentence } from './sentence.ts';

/** The caller's signal was aborted, or the transport was disposed. Never shown. */
export class CancelledError extends BuildServiceError {
  readonly kind = 'cancelled';

  constructor() {
    super({ what: sentence('The request was cancelled.'), remedy: 'none' });
  }
}
