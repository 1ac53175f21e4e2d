import { BuildServiceError, type FailureDetails, sentence, type Sentence } from '../../errors/index.ts';
import { DEFAULT_START_PAGE } from '../../config-xml/index.ts';
import type { PagesState, ProjectKind, ProjectLayout } from '../projectLayout.ts';
import type { FindingRemedy } from '../check/projectFinding.ts';
import { MAX_CONFIGURATION_BYTES, MAX_PATH_BYTES } from '../limits.ts';
import { join } from '../paths.ts';
import { errorCode, isMissingFile } from '../projectFolder.ts';
import { sourceMessage } from '../htmlPage.ts';
import { getToolCommand } from '../tools/toolNames.ts';

interface PackingErrorDetails extends Pick<FailureDetails, 'cause' | 'offers'> {
  readonly code?: PackingError['code'];
  readonly location?: PackingError['location'];
  readonly remedies?: readonly FindingRemedy[];
}

/** A folder couldn't be packed. */
export class PackingError extends BuildServiceError {
  readonly kind = 'packing';
  /**
   * `notBuilt`: the folder doesn't contain a page. `sourcePage`: it contains only the source of a page. `package`: any
   * other problem.
   */
  readonly code: 'notBuilt' | 'sourcePage' | 'package';
  /** Location of the problem: a path relative to the project and a line number, starting at 1. */
  readonly location: { readonly path: string; readonly line: number | undefined } | undefined;
  readonly remedies: readonly FindingRemedy[];

  private constructor(
    what: Sentence,
    next: Sentence | undefined,
    { code = 'package', location, remedies = [], ...details }: PackingErrorDetails = {},
  ) {
    super({ what, next, remedy: 'retry', ...details });
    this.code = code;
    this.location = location;
    this.remedies = remedies;
  }

  /**
   * Creates the error for a project whose pages are missing or aren't built.
   *
   * @param step the script that builds the pages. Undefined if package.json doesn't have one
   */
  static withoutPages(
    { pages, state, kind }: Pick<ProjectLayout, 'pages' | 'state'> & Partial<Pick<ProjectLayout, 'kind'>>,
    step: { readonly command: string } | undefined,
  ): PackingError {
    const next = step === undefined ? buildAdvice(kind, pages) : sentence('Run “{0}” first.', step.command);
    const code = 'notBuilt';
    if (state.kind === 'built' || state.kind === 'notBuilt') {
      return new PackingError(absentPages(pages, state), next, { code });
    }
    const { file: path, line } = state;
    const location = { path, line };
    switch (state.kind) {
      case 'source':
        return new PackingError(sourceMessage(path, state.mark), next, { code: 'sourcePage', location });
      case 'none':
        return new PackingError(
          state.reason,
          state.next ??
            (state.outside === undefined
              ? sentence('Change {0}, then build the pages.', path)
              : sentence('Open the folder that contains both, or change {0}.', path)),
          { code, location },
        );
      case 'unknown':
        return new PackingError(
          state.isBroken === undefined
            ? sentence('“{0}” in {1} is an expression, so the pages folder isn’t known.', state.name, path)
            : sentence('{0} has a syntax error or is too large to read, so the pages folder isn’t known.', path),
          sentence('Choose the pages folder.'),
          { code, location, remedies: ['choosePages'] },
        );
    }
  }

  /** Returns the same error with buttons for the user. */
  withOffers(offers: FailureDetails['offers'] = []): PackingError {
    const { what, next, code, location, remedies, cause } = this;
    return new PackingError(what, next, { code, location, remedies, cause, offers });
  }

  /**
   * Creates the error for a folder that can't be read.
   *
   * @param folder its name
   */
  static forFolder(folder: string, cause: unknown): PackingError {
    return isMissingFile(cause)
      ? new PackingError(
          sentence('The folder {0} can’t be found.', folder),
          sentence('It may have been moved or deleted. Open it again.'),
          { cause },
        )
      : new PackingError(
          sentence('The folder {0} can’t be read.', folder),
          sentence('Check its permissions, then try again.'),
          { cause },
        );
  }

  /**
   * Creates the error for a file that can't be read.
   *
   * @param path relative to the project
   */
  static forFile(path: string, cause: unknown): PackingError {
    return isMissingFile(cause)
      ? new PackingError(
          sentence('{0} was deleted while the folder was being packed.', path),
          sentence('Try again once the files no longer change.'),
          { cause },
        )
      : new PackingError(
          sentence('{0} can’t be read.', path),
          sentence('Check its permissions, or leave it out with a line in .appbuildignore.'),
          { cause },
        );
  }

  /**
   * Creates the error for a file that changed during packing.
   *
   * @param path relative to the project
   */
  static changed(path: string): PackingError {
    return new PackingError(
      sentence('{0} changed while the folder was being packed.', path),
      sentence('Try again once the files no longer change.'),
    );
  }

  /**
   * Creates the error for an ignore file that is too large or has a rule that is too long. Packing can't continue
   * without the file's rules.
   *
   * @param file the path of the ignore file, for display
   */
  static forIgnoreFile(file: string): PackingError {
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

  /** Creates the error for a package that couldn't be written. */
  static forPackage(cause: unknown): PackingError {
    return /^(?:ENOSPC|EDQUOT|EFBIG)$/.test(errorCode(cause))
      ? new PackingError(
          sentence('Not enough disk space for the package.'),
          sentence('Free some space on the disk with the temporary folder, then try again.'),
          { cause },
        )
      : new PackingError(
          sentence('The folder’s package couldn’t be written ({0}).', errorCode(cause)),
          sentence('Check the temporary folder, then try again.'),
          { cause },
        );
  }

  /**
   * Creates the error for a folder that doesn't contain any files for an app.
   *
   * @param folder its name
   */
  static nothingToSend(folder: string): PackingError {
    return new PackingError(
      sentence('{0} has no files for an app: it’s empty, or all its files are left out.', folder),
      sentence('Check its .gitignore and .appbuildignore. A line such as !www/ includes a folder.'),
    );
  }

  /**
   * Creates the error for a folder with too many entries.
   *
   * @param folder its name
   */
  static tooManyFiles(folder: string, maximum: number): PackingError {
    return new PackingError(
      sentence('The folder {0} contains more than {1} files and folders.', folder, maximum),
      sentence('In .appbuildignore, list the files that the app doesn’t need.'),
    );
  }

  /**
   * Creates the error for a folder on another computer, or in another extension's file system.
   *
   * @param folder its name
   */
  static notOnDisk(folder: string): PackingError {
    return new PackingError(
      sentence('The folder {0} isn’t on a disk of the computer that App Build runs on.', folder),
      sentence('Open a copy of it on this computer.'),
    );
  }
}

/** Returns the advice for building the pages of a project whose package.json has no script for it. */
function buildAdvice(kind: ProjectKind | undefined, pages: string): Sentence {
  const tool = kind === undefined ? undefined : getToolCommand(kind);
  if (tool === undefined) {
    return sentence('Run the app’s build tool first.');
  }
  return pages === ''
    ? sentence('Build the {0} app first: “{1}”.', tool.name, tool.command)
    : sentence('Build the {0} app first: “{1}”. Its pages are then in {2}.', tool.name, tool.command, pages);
}

/**
 * Returns the message for missing pages.
 *
 * @param pages the pages folder, relative to the project
 */
export function absentPages(pages: string, state: PagesState): Sentence {
  if (state.kind === 'notBuilt' && state.isEmpty) {
    return sentence('The pages haven’t been built yet: {0} has no content.', join(pages, DEFAULT_START_PAGE));
  }
  return pages === ''
    ? sentence('The pages haven’t been built yet: index.html doesn’t exist.')
    : sentence('The pages haven’t been built yet: {0} has no index.html.', pages);
}
