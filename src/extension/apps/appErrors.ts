import { BuildServiceError, Failure, type Remedy, sentence, type Sentence } from '../../errors/index.ts';
import { NetworkError, ServiceError } from '../../service-client/index.ts';

/** Error for an address that doesn't lead to an app. */
export class NotAnAppError extends BuildServiceError {
  readonly kind = 'notAnApp';

  constructor(path: string) {
    super({
      what: sentence('{0} isn’t an app at the service.', path),
      next: sentence('Choose an app in the App Build view.'),
      remedy: 'refresh',
    });
  }
}

/** Reports whether an app no longer exists, or is no longer visible to this account. Accepts any caught value. */
export function isGone(error: unknown): boolean {
  return (
    error instanceof NotAnAppError || (error instanceof ServiceError && (error.status === 404 || error.status === 410))
  );
}

/** Creates the failure for an app name in a task that matches no app or several apps. @param found number of apps with the name. */
export function appNotFound(name: string, found: number): Failure {
  return new Failure('appNotFound', {
    what:
      found === 0
        ? sentence('Your account has no app “{0}” at the service.', name)
        : sentence('The service has {0} apps called “{1}”.', String(found), name),
    next: sentence('Use the app’s link in tasks.json: choose Copy Link on the app in the App Build view.'),
    remedy: 'none',
  });
}

/** Error for an operation that the service doesn't offer on a resource, or doesn't offer to this account. */
export class OperationNotOfferedError extends BuildServiceError {
  readonly kind = 'notOffered';

  /** @param subject name of the resource, such as the title of an app. */
  constructor(subject: string) {
    super({
      what: sentence('The service doesn’t offer this for {0}.', subject),
      next: sentence('Your account might not have permission. Refresh to see the available actions.'),
      remedy: 'refresh',
    });
  }
}

/** Creates the failure for a service that doesn't let the account create apps. @param host host of the service. */
export function createNotOffered(host: string): Failure {
  return new Failure('notOffered', {
    what: sentence('{0} doesn’t let you create apps.', host),
    next: sentence('Your account might not have permission.'),
    remedy: 'none',
  });
}

/**
 * Returns a failure that explains to the user why an upload failed. Returns other errors unchanged. After a failed upload, the app is
 * unchanged and no app is linked to the folder.
 *
 * @param size size of the package in bytes.
 */
export function uploadFailure(error: unknown, size: number): unknown {
  const failed = (what: Sentence, next: Sentence, remedy: Remedy) =>
    new Failure('upload', { what, next, remedy, cause: error });
  if (error instanceof NetworkError) {
    const what = sentence('The upload was interrupted: {0}', error.message);
    const next = sentence('Check your network connection, then build again. The whole package is sent again.');
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
        sentence('In .appbuildignore, list the files that the app doesn’t need. Then build again.'),
        'none',
      );
    case 415:
      return failed(
        sentence('The service doesn’t accept a zip archive here: {0}', reason),
        sentence('Check the service address. See the request in the log.'),
        'showLog',
      );
    case 507:
      return failed(
        sentence('The service doesn’t have enough space for the package of {0}: {1}', { bytes: size }, reason),
        sentence('Delete apps that you don’t need, or ask the service administrator. Then build again.'),
        'retry',
      );
    default:
      return error;
  }
}
