import { BuildServiceError, type FailureDetails } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import type { Layout } from '../layout.ts';
import type { FindingRemedy } from '../preflight/finding.ts';
import { MAX_CONFIGURATION_BYTES, MAX_PATH_BYTES } from '../limits.ts';
import { errorCode, isMissingFile } from '../projectFolder.ts';
import { sourceMessage } from '../htmlPage.ts';

interface Details extends Pick<FailureDetails, 'cause' | 'offers'> {
  readonly code?: PackingError['code'];
  readonly place?: PackingError['place'];
  readonly remedies?: readonly FindingRemedy[];
}

/** A folder could not be packed. */
export class PackingError extends BuildServiceError {
  readonly kind = 'packing';
  /** Whether the folder has no page, or only the source of one. */
  readonly code: 'notBuilt' | 'sourcePage' | 'package';
  /** The file that it is about, below the project, and its line from 1. */
  readonly place: { readonly path: string; readonly line: number | undefined } | undefined;
  readonly remedies: readonly FindingRemedy[];

  private constructor(
    what: Sentence,
    next: Sentence | undefined,
    { code = 'package', place, remedies = [], ...details }: Details = {},
  ) {
    super({ what, next, remedy: 'retry', ...details });
    this.code = code;
    this.place = place;
    this.remedies = remedies;
  }

  /**
   * A project whose pages cannot be sent.
   *
   * @param step that builds them; undefined when its package.json has none
   */
  static withoutPages(
    { pages, state }: Pick<Layout, 'pages' | 'state'>,
    step: { readonly command: string } | undefined,
  ): PackingError {
    const next =
      step === undefined
        ? sentence('Build the app with its own tool first.')
        : sentence('Run “{0}” first.', step.command);
    const code = 'notBuilt';
    if (state.kind === 'built' || state.kind === 'notBuilt') {
      return new PackingError(absentPages(pages), next, { code });
    }
    const { file: path, line } = state;
    const place = { path, line };
    switch (state.kind) {
      case 'source':
        return new PackingError(sourceMessage(path, state.mark), next, { code: 'sourcePage', place });
      case 'none':
        return new PackingError(state.reason, sentence('Change {0}, then build the pages.', path), { code, place });
      case 'unknown':
        return new PackingError(
          state.isBroken === undefined
            ? sentence('“{0}” in {1} is an expression, so the folder of the pages isn’t known.', state.name, path)
            : sentence('{0} has a syntax error or is too large to read, so the folder of the pages isn’t known.', path),
          sentence('Choose the folder of the pages.'),
          { code, place, remedies: ['choosePages'] },
        );
    }
  }

  /** The same failure, with buttons that help. */
  offering(offers: FailureDetails['offers'] = []): PackingError {
    const { what, next, code, place, remedies, cause } = this;
    return new PackingError(what, next, { code, place, remedies, cause, offers });
  }

  /** @param folder its name */
  static ofFolder(folder: string, cause: unknown): PackingError {
    return isMissingFile(cause)
      ? new PackingError(
          sentence('The folder {0} cannot be found.', folder),
          sentence('It may have been moved or deleted. Open it again.'),
          { cause },
        )
      : new PackingError(
          sentence('The folder {0} cannot be read.', folder),
          sentence('Check its permissions, then try again.'),
          { cause },
        );
  }

  /** @param path of the file, below the project */
  static ofFile(path: string, cause: unknown): PackingError {
    return isMissingFile(cause)
      ? new PackingError(
          sentence('{0} was deleted while the folder was packed.', path),
          sentence('Try again once the files no longer change.'),
          { cause },
        )
      : new PackingError(
          sentence('{0} cannot be read.', path),
          sentence('Check its permissions, or leave it out with a line in .appbuildignore.'),
          { cause },
        );
  }

  /** @param path of the file, below the project */
  static changed(path: string): PackingError {
    return new PackingError(
      sentence('{0} changed while the folder was packed.', path),
      sentence('Try again once the files no longer change.'),
    );
  }

  /** An ignore file, or one of its rules, is too long to be read. What it leaves out must not be sent. @param file as it's shown */
  static ofIgnoreFile(file: string): PackingError {
    return new PackingError(
      sentence(
        '{0} is larger than {1}, or has a line longer than {2} characters.',
        file,
        { bytes: MAX_CONFIGURATION_BYTES },
        MAX_PATH_BYTES,
      ),
      sentence('Leave out whole folders instead of each file in them.'),
    );
  }

  /** The temporary file could not be written. */
  static ofPackage(cause: unknown): PackingError {
    return /^(?:ENOSPC|EDQUOT|EFBIG)$/.test(errorCode(cause))
      ? new PackingError(
          sentence('The disk has no space left for the package.'),
          sentence('Free some space on the disk of temporary files, then try again.'),
          { cause },
        )
      : new PackingError(
          sentence('The package of the folder could not be written ({0}).', errorCode(cause)),
          sentence('Check the folder of temporary files, then try again.'),
          { cause },
        );
  }

  /** @param folder its name */
  static nothingToSend(folder: string): PackingError {
    return new PackingError(
      sentence('{0} has no files for an app: it’s empty, or all its files are left out.', folder),
      sentence('Check its .gitignore and .appbuildignore. A line such as !www/ includes a folder.'),
    );
  }

  /** @param folder its name */
  static tooManyFiles(folder: string, maximum: number): PackingError {
    return new PackingError(
      sentence('The folder {0} holds more than {1} files and folders.', folder, maximum),
      sentence('List files that the app doesn’t need in .appbuildignore.'),
    );
  }

  /** A folder of another computer, or of a file system that an extension provides. @param folder its name */
  static notOnDisk(folder: string): PackingError {
    return new PackingError(
      sentence('The folder {0} is not on a disk of the computer that App Build runs on.', folder),
      sentence('Open a copy of it on this computer.'),
    );
  }
}

/** Says that there are no pages. @param pages their folder below the project */
export function absentPages(pages: string): Sentence {
  return pages === ''
    ? sentence('The pages aren’t built yet: index.html doesn’t exist.')
    : sentence('The pages aren’t built yet: {0} has no index.html.', pages);
}
