import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';

/** An address leads to something else than an app. */
export class NotAnAppError extends BuildServiceError {
  readonly kind = 'notAnApp';

  /** @param path of the address. */
  constructor(path: string) {
    super({
      what: sentence('{0} is not an app of the service.', path),
      next: sentence('Choose an app in the Resources view.'),
      remedy: 'refresh',
    });
  }
}

/** The service offers no such operation on this resource, or not to this account. */
export class OperationNotOfferedError extends BuildServiceError {
  readonly kind = 'notOffered';

  /** @param subject what it was tried on, such as the title of an app. */
  constructor(subject: string) {
    super({
      what: sentence('The service does not offer this for {0}.', subject),
      next: sentence('Your account may not be allowed to do it. Refresh to see what is offered.'),
      remedy: 'refresh',
    });
  }
}

/** The service does not let the account create apps. */
export class CreateNotOfferedError extends BuildServiceError {
  readonly kind = 'notOffered';

  /** @param host of the service. */
  constructor(host: string) {
    super({
      what: sentence('{0} does not offer to create apps.', host),
      next: sentence('Your account may not be allowed to do it.'),
      remedy: 'none',
    });
  }
}

/** The service makes no links by which others install a build. */
export class InstallLinkNotOfferedError extends BuildServiceError {
  readonly kind = 'notOffered';

  constructor() {
    super({
      what: sentence('The service makes no links to a single build, so there is no code to scan.'),
      next: sentence('Download the build, then send the file to the device.'),
      remedy: 'download',
      calm: true,
    });
  }
}
