import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';

/** No device in a network can reach what this window would share. */
export class SharingError extends BuildServiceError {
  readonly kind = 'sharing';

  constructor(what: Sentence, next: Sentence, cause?: unknown) {
    super({ what, next, remedy: 'download', calm: true, cause });
  }
}

/** The package has no pages that could be shown. */
export class UnreadablePackageError extends BuildServiceError {
  readonly kind = 'unreadablePackage';

  constructor(what: Sentence, cause?: unknown) {
    super({ what, next: sentence('Build the app again, or install the build.'), cause });
  }
}
