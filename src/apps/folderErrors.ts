import { BuildServiceError, type Remedy } from '../api/errors/buildServiceError.ts';
import { NetworkError } from '../api/errors/connectionErrors.ts';
import { sentence, type Sentence } from '../api/errors/sentence.ts';
import { ServiceError } from '../api/errors/serviceError.ts';
import { NotAnAppError } from './appErrors.ts';

/** A folder holds nothing that can be built. */
export class NoWebProjectError extends BuildServiceError {
  readonly kind = 'noWebProject';

  /** @param folder name, or path, of the folder that was searched. */
  constructor(folder: string) {
    super({
      what: sentence('There is no web project in {0}.', folder),
      next: sentence('It needs an index.html, or the configuration of a web tool such as Vite, Angular or Capacitor.'),
      remedy: 'none',
    });
  }
}

/** No app, or more than one, is called as a task says. */
export class AppNotFoundError extends BuildServiceError {
  readonly kind = 'appNotFound';

  constructor(name: string, found: number) {
    super({
      what:
        found === 0
          ? sentence('The service has no app “{0}” for this account.', name)
          : sentence('The service has {0} apps “{1}”.', String(found), name),
      next: sentence('Put the link of the app into tasks.json: Copy Link on its row in the Resources view.'),
      remedy: 'none',
    });
  }
}

/** Files with unsaved changes could not be saved, so that the folder is not what one sees. */
export class UnsavedFilesError extends BuildServiceError {
  readonly kind = 'unsavedFiles';

  constructor(file: string) {
    super({
      what: sentence('{0} could not be saved, so nothing was sent.', file),
      next: sentence('Save it, then try again.'),
      remedy: 'retry',
    });
  }
}

/** Why a package did not get to the service. */
export type UploadFailure = 'tooLarge' | 'noSpace' | 'refusedType' | 'cutOff';

/** A package did not get to the service. The app is as it was, and nothing is linked to the folder. */
export class UploadError extends BuildServiceError {
  readonly kind = 'upload';
  readonly failure: UploadFailure;

  constructor(failure: UploadFailure, what: Sentence, next: Sentence, remedy: Remedy, cause: Error) {
    super({ what, next, remedy, cause });
    this.failure = failure;
  }
}

/**
 * What an upload failed with, for the person who started it.
 *
 * @param size bytes of the package.
 * @returns any other error as it is.
 */
export function uploadFailure(error: unknown, size: number): unknown {
  if (error instanceof NetworkError) {
    const what = sentence('The upload was cut off: {0}', error.message);
    const next = sentence('Check the network connection, then build again: the whole package is sent anew.');
    return new UploadError('cutOff', what, next, 'retry', error);
  }
  if (!(error instanceof ServiceError)) {
    return error;
  }
  const reason = error.serviceMessage ?? String(error.status);
  switch (error.status) {
    case 413:
      return new UploadError(
        'tooLarge',
        sentence('The package of {0} is too large for the service: {1}', { bytes: size }, reason),
        sentence('List what the app does not need in a file .appbuildignore, then build again.'),
        'none',
        error,
      );
    case 415:
      return new UploadError(
        'refusedType',
        sentence('The service does not take a zip archive here: {0}', reason),
        sentence('Check that the address of the service is right. The log shows the request.'),
        'showLog',
        error,
      );
    case 507:
      return new UploadError(
        'noSpace',
        sentence('The service has no room for the package of {0}: {1}', { bytes: size }, reason),
        sentence('Delete apps that are not needed, or ask whoever runs the service; then build again.'),
        'retry',
        error,
      );
    default:
      return error;
  }
}

/** True when an app that was there is not: it was deleted, or this account does not see it. */
export function isGone(error: unknown): boolean {
  return (
    error instanceof NotAnAppError || (error instanceof ServiceError && (error.status === 404 || error.status === 410))
  );
}
