import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';

/** The service has no log of a build: it keeps none, or no longer. */
export class NoBuildLogError extends BuildServiceError {
  readonly kind = 'noBuildLog';

  /** @param title of the app. */
  constructor(title: string, platform: string, cause?: unknown) {
    super({
      what: sentence('The service has no log of the build of “{0}” for {1}.', title, platform),
      next: sentence('It may keep no logs, or not for long. Build again to see one while it runs.'),
      remedy: 'none',
      cause,
    });
  }
}
