import { BuildServiceError } from '../api/errors/buildServiceError.ts';
import { sentence } from '../api/errors/sentence.ts';

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
