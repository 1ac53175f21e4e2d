import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import type { BuildStep } from '../buildStep.ts';
import type { Layout } from '../layout.ts';
import { errorCode, isMissingFile } from '../projectFolder.ts';
import { sourceMessage } from '../sourceMark.ts';

type Problem =
  | 'noSuchFolder'
  | 'unreadable'
  | 'nothingToSend'
  | 'notBuilt'
  | 'sourcePage'
  | 'tooManyFiles'
  | 'notOnDisk'
  | 'vanished'
  | 'changed'
  | 'noSpace'
  | 'cannotWrite';

/** A folder could not be packed. */
export class PackingError extends BuildServiceError {
  readonly kind = 'packing';
  readonly problem: Problem;
  /** The file that it is about, below the project, and its line from 1. */
  readonly place: { readonly path: string; readonly line: number | undefined } | undefined;

  private constructor(
    problem: Problem,
    what: Sentence,
    next: Sentence,
    cause?: unknown,
    place?: PackingError['place'],
  ) {
    super({ what, next, remedy: 'retry', cause });
    this.problem = problem;
    this.place = place;
  }

  /**
   * A project whose pages cannot be sent.
   *
   * @param step that builds them; undefined when its package.json has none
   */
  static withoutPages({ pages, state }: Pick<Layout, 'pages' | 'state'>, step: BuildStep | undefined): PackingError {
    const next =
      step === undefined
        ? sentence('Build the app with its own tool first.')
        : sentence('Run “{0}” first.', step.command);
    if (state.kind === 'built' || state.kind === 'notBuilt') {
      return new PackingError('notBuilt', absentPages(pages), next);
    }
    const { file: path, line } = state;
    const failure = (problem: Problem, what: Sentence, remedy: Sentence): PackingError =>
      new PackingError(problem, what, remedy, undefined, { path, line });
    switch (state.kind) {
      case 'source':
        return failure('sourcePage', sourceMessage(path, state.mark), next);
      case 'none':
        return failure('notBuilt', state.reason, sentence('Change {0}, then build the pages.', path));
      case 'unknown':
        return failure(
          'notBuilt',
          state.isBroken === undefined
            ? sentence(
                '“{0}” in {1} is an expression, and no code is run to find the folder of the pages.',
                state.name,
                path,
              )
            : sentence('{0} has a syntax error or is too large to read, so the folder of the pages isn’t known.', path),
          sentence('Run “Build This Folder”: it asks for the folder of the pages once.'),
        );
    }
  }

  /** @param folder its name */
  static ofFolder(folder: string, error: unknown): PackingError {
    return isMissingFile(error)
      ? new PackingError(
          'noSuchFolder',
          sentence('The folder {0} cannot be found.', folder),
          sentence('It may have been moved or deleted. Open it again.'),
          error,
        )
      : new PackingError(
          'unreadable',
          sentence('The folder {0} cannot be read.', folder),
          sentence('Check its permissions, then try again.'),
          error,
        );
  }

  /** @param path of the file, below the project */
  static ofFile(path: string, error: unknown): PackingError {
    return isMissingFile(error)
      ? new PackingError(
          'vanished',
          sentence('{0} was deleted while the folder was packed.', path),
          sentence('Try again once the files no longer change.'),
          error,
        )
      : new PackingError(
          'unreadable',
          sentence('{0} cannot be read.', path),
          sentence('Check its permissions, or leave it out with a line in .appbuildignore.'),
          error,
        );
  }

  /** @param path of the file, below the project */
  static changed(path: string): PackingError {
    return new PackingError(
      'changed',
      sentence('{0} changed while the folder was packed.', path),
      sentence('Try again once the files no longer change.'),
    );
  }

  /** The temporary file could not be written. */
  static ofPackage(error: unknown): PackingError {
    return /^(?:ENOSPC|EDQUOT|EFBIG)$/.test(errorCode(error))
      ? new PackingError(
          'noSpace',
          sentence('There is no space left for the package of the folder.'),
          sentence('Free some space on the disk of temporary files, then try again.'),
          error,
        )
      : new PackingError(
          'cannotWrite',
          sentence('The package of the folder could not be written ({0}).', errorCode(error)),
          sentence('Check the folder of temporary files, then try again.'),
          error,
        );
  }

  /** @param folder its name */
  static nothingToSend(folder: string): PackingError {
    return new PackingError(
      'nothingToSend',
      sentence('There is nothing to send in {0}: it is empty, or all its files are left out.', folder),
      sentence('Look at its .gitignore and .appbuildignore. A line such as !www/ takes a folder in.'),
    );
  }

  /** @param folder its name */
  static tooManyFiles(folder: string, maximum: number): PackingError {
    return new PackingError(
      'tooManyFiles',
      sentence('The folder {0} holds more than {1} files and folders.', folder, maximum),
      sentence('Leave out what the app does not need with lines in .appbuildignore.'),
    );
  }

  /** A folder of another computer, or of a file system that an extension provides. @param folder its name */
  static notOnDisk(folder: string): PackingError {
    return new PackingError(
      'notOnDisk',
      sentence('The folder {0} is not on a disk of the computer that App Build runs on.', folder),
      sentence('Open a copy of it on this computer.'),
    );
  }
}

/** Says that there are no pages. @param pages their folder below the project */
export function absentPages(pages: string): Sentence {
  return pages === ''
    ? sentence('The pages are not built yet: there is no index.html.')
    : sentence('The pages are not built yet: there is no index.html in {0}.', pages);
}
