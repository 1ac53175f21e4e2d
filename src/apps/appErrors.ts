import { BuildServiceError, type Remedy, Failure } from '../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../api/errors/sentence.ts';
import { ServiceError } from '../api/errors/serviceError.ts';
import { NetworkError } from '../api/errors/connectionErrors.ts';

/** An address leads to something else than an app. */
export class NotAnAppError extends BuildServiceError {
  readonly kind = 'notAnApp';

  constructor(path: string) {
    super({
      what: sentence('{0} is not an app of the service.', path),
      next: sentence('Choose an app in the App Build view.'),
      remedy: 'refresh',
    });
  }
}

/** True when an app that was there is not: it was deleted, or this account does not see it. */
export function isGone(error: unknown): boolean {
  return (
    error instanceof NotAnAppError || (error instanceof ServiceError && (error.status === 404 || error.status === 410))
  );
}

/** No app, or more than one, has the name in a task. */
export function appNotFound(name: string, found: number): Failure {
  return new Failure('appNotFound', {
    what:
      found === 0
        ? sentence('The service has no app “{0}” for this account.', name)
        : sentence('The service has {0} apps “{1}”.', String(found), name),
    next: sentence('Put the link of the app into tasks.json: Copy Link on its row in the App Build view.'),
    remedy: 'none',
  });
}

/** The service offers no such operation on this resource, or not to this account. */
export class OperationNotOfferedError extends BuildServiceError {
  readonly kind = 'notOffered';

  /** @param subject such as the title of an app. */
  constructor(subject: string) {
    super({
      what: sentence('The service does not offer this for {0}.', subject),
      next: sentence('Your account may not be allowed to do it. Refresh to see what is offered.'),
      remedy: 'refresh',
    });
  }
}

/** The service does not let the account create apps. */
export function createNotOffered(host: string): Failure {
  return new Failure('notOffered', {
    what: sentence('{0} does not offer to create apps.', host),
    next: sentence('Your account may not be allowed to do it.'),
    remedy: 'none',
  });
}

/**
 * The failure of an upload, worded for the user; any other error as it is. The app is unchanged, and nothing is linked to the folder.
 *
 * @param size bytes of the package
 */
export function uploadFailure(error: unknown, size: number): unknown {
  const failed = (what: Sentence, next: Sentence, remedy: Remedy) =>
    new Failure('upload', { what, next, remedy, cause: error });
  if (error instanceof NetworkError) {
    const what = sentence('The upload was cut off: {0}', error.message);
    const next = sentence('Check the network connection, then build again: the whole package is sent anew.');
    return failed(what, next, 'retry');
  }
  if (!(error instanceof ServiceError)) {
    return error;
  }
  const reason = error.serviceMessage ?? String(error.status);
  switch (error.status) {
    case 413:
      return failed(
        sentence('The package of {0} is too large for the service: {1}', { bytes: size }, reason),
        sentence('List what the app does not need in a file .appbuildignore, then build again.'),
        'none',
      );
    case 415:
      return failed(
        sentence('The service does not take a zip archive here: {0}', reason),
        sentence('Check that the address of the service is right. The log shows the request.'),
        'showLog',
      );
    case 507:
      return failed(
        sentence('The service has no room for the package of {0}: {1}', { bytes: size }, reason),
        sentence('Delete apps that you don’t need, or ask the administrator of the service. Then build again.'),
        'retry',
      );
    default:
      return error;
  }
}
