import { BuildServiceError, type Remedy } from './buildServiceError.ts';
import type { Sentence } from './sentence.ts';

/** The input of a person, a setting or a document cannot be used. No request was made. */
export class InvalidInputError extends BuildServiceError {
  readonly kind = 'invalidInput';

  constructor(what: Sentence, next?: Sentence, remedy: Remedy = 'none') {
    super({ what, ...(next && { next }), remedy });
  }
}
