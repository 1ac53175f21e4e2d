import { BuildServiceError, type Remedy } from '../api/errors/buildServiceError.ts';
import { NetworkError } from '../api/errors/connectionErrors.ts';
import { sentence, type Sentence } from '../api/errors/sentence.ts';
import { ServiceError } from '../api/errors/serviceError.ts';

/** A package did not get to the service. The app is as it was, and nothing is linked to the folder. */
export class UploadError extends BuildServiceError {
  readonly kind = 'upload';

  constructor(what: Sentence, next: Sentence, remedy: Remedy, cause: Error) {
    super({ what, next, remedy, cause });
  }
}

/** The failure of an upload, for the person; any other error as it is. @param size bytes of the package. */
export function uploadFailure(error: unknown, size: number): unknown {
  if (error instanceof NetworkError) {
    const what = sentence('The upload was cut off: {0}', error.message);
    const next = sentence('Check the network connection, then build again: the whole package is sent anew.');
    return new UploadError(what, next, 'retry', error);
  }
  if (!(error instanceof ServiceError)) {
    return error;
  }
  const reason = error.serviceMessage ?? String(error.status);
  switch (error.status) {
    case 413:
      return new UploadError(
        sentence('The package of {0} is too large for the service: {1}', { bytes: size }, reason),
        sentence('List what the app does not need in a file .appbuildignore, then build again.'),
        'none',
        error,
      );
    case 415:
      return new UploadError(
        sentence('The service does not take a zip archive here: {0}', reason),
        sentence('Check that the address of the service is right. The log shows the request.'),
        'showLog',
        error,
      );
    case 507:
      return new UploadError(
        sentence('The service has no room for the package of {0}: {1}', { bytes: size }, reason),
        sentence('Delete apps that are not needed, or ask whoever runs the service; then build again.'),
        'retry',
        error,
      );
    default:
      return error;
  }
}
