import ignore, { type Ignore } from 'ignore';
import { BuildServiceError } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import { MAX_CONFIGURATION_BYTES, MAX_PATH_BYTES } from '../limits.ts';

/** A line of an ignore file. */
export interface IgnoreRule {
  /** Path of the ignore file, as it's shown. */
  readonly file: string;
  /** As it is written there. */
  readonly rule: string;
}

/** An ignore file can't be read, because it or one of its rules is too long. What it leaves out must not be sent. */
export class RulesTooLongError extends BuildServiceError {
  readonly kind = 'rulesTooLong';

  /** @param file the ignore file, as it's shown */
  constructor(file: string) {
    super({
      what: sentence(
        '{0} is larger than {1}, or has a line longer than {2} characters.',
        file,
        { bytes: MAX_CONFIGURATION_BYTES },
        MAX_PATH_BYTES,
      ),
      next: sentence('Leave out whole folders instead of each file in them.'),
      remedy: 'retry',
    });
  }
}

/** What is left of a negated pattern's last segment when its wildcards are taken away: it names something. */
const NAMED = /[^*?./\s\\]/;

/**
 * The rules of ignore files, as git reads them: the last one that matches decides, and what is in a folder that is left out
 * cannot be taken in again. Paths are below the folder at the top, with `/`.
 *
 * Source: git-scm.com/docs/gitignore
 */
export class IgnoreRules {
  readonly #isCaseSensitive: boolean;
  /** Each is marked with its {@link IgnoreRule}, in JSON. */
  readonly #all: Ignore;
  /** The negated patterns that name something, without the others. */
  readonly #named: Ignore;

  constructor(isCaseSensitive: boolean, all = ignore(), named = ignore()) {
    this.#isCaseSensitive = isCaseSensitive;
    this.#all = all;
    this.#named = named;
  }

  /**
   * These rules and those of one more ignore file, which win.
   *
   * @param folder of the ignore file: its rules are about what is below it
   * @param file how the ignore file is called in {@link IgnoreRule}
   * @throws RulesTooLongError: a rule becomes an expression, and one longer than any path matches none
   */
  with(text: string, folder: string, file: string): IgnoreRules {
    const lines = text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      // Of nothing but slashes no file is made.
      .filter((line) => !line.startsWith('#') && /[^/ ]/.test(line.replace(/^!/, '')));
    if (text.length > MAX_CONFIGURATION_BYTES || lines.some(({ length }) => length > MAX_PATH_BYTES)) {
      throw new RulesTooLongError(file);
    }
    const added = lines.map((rule) => ({ pattern: below(folder, rule), mark: JSON.stringify({ file, rule }) }));
    const named = added.filter(({ pattern }) => pattern.startsWith('!') && NAMED.test(lastSegment(pattern)));
    return added.length === 0 ? this : this.#and(this.#rules().add(added), this.#rules().add(named));
  }

  /** These rules and others, which win. */
  followedBy(others: IgnoreRules): IgnoreRules {
    return this.#and(others.#all, others.#named);
  }

  /** The rule by which a path is left out, also when that is about a folder above it. */
  ruleAgainst(path: string, isFolder: boolean): IgnoreRule | undefined {
    const { rule } = this.#all.test(isFolder ? `${path}/` : path);
    return rule?.mark === undefined ? undefined : (JSON.parse(rule.mark) as IgnoreRule);
  }

  /** Whether a negated rule names this path itself: `!*.p12` names `a.p12`; `!www/` and `!www/**` do not name `www/a.p12`. */
  names(path: string, isFolder: boolean): boolean {
    return this.#named.test(isFolder ? `${path}/` : path).unignored;
  }

  /** Rules that were read before are not read again. */
  #and(all: Ignore, named: Ignore): IgnoreRules {
    return new IgnoreRules(
      this.#isCaseSensitive,
      this.#rules().add([this.#all, all]),
      this.#rules().add([this.#named, named]),
    );
  }

  #rules(): Ignore {
    return ignore({ ignorecase: !this.#isCaseSensitive });
  }
}

function lastSegment(pattern: string): string {
  return pattern.slice(1).replace(/\/ *$/, '').split('/').at(-1) ?? '';
}

/** The same rule, written for the folder at the top instead of a folder below it. */
function below(folder: string, line: string): string {
  if (folder === '') {
    return line;
  }
  const isNegated = line.startsWith('!');
  const body = isNegated ? line.slice(1) : line;
  const prefix = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  // A slash at the beginning or in the middle ties a rule to its own folder.
  const isTied = /\/ *[^/ ]/.test(body);
  return `${isNegated ? '!' : ''}${prefix}/${isTied ? '' : '**/'}${body.replace(/^\//, '')}`;
}

/** A file or folder, below the project, with `/`. */
export interface IgnoredPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * The line of an ignore file that leaves out one path and no other. It begins with `/`, which ties it to the folder of the
 * ignore file; what the format gives a meaning is escaped.
 *
 * Source: git-scm.com/docs/gitignore
 */
export function ignoreLine({ path, isFolder }: IgnoredPath): string {
  const escaped = path.replace(/[\\*?[\]]/g, '\\$&');
  // Spaces at the end would be taken away.
  return `/${isFolder ? `${escaped}/` : escaped.replace(/(?<! ) +$/, (spaces) => '\\ '.repeat(spaces.length))}`;
}

/** The text of an ignore file with the line that leaves out a path, unless its rules do already. @throws RulesTooLongError */
export function withLine(text: string, path: IgnoredPath): string {
  // On a file system that ignores case, a line too many does no harm.
  if (new IgnoreRules(true).with(text, '', '.appbuildignore').ruleAgainst(path.path, path.isFolder) !== undefined) {
    return text;
  }
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  return text + start + ignoreLine(path) + end;
}

/** The text without the lines that {@link withLine} adds for a path. */
export function withoutLine(text: string, path: IgnoredPath): string {
  const line = ignoreLine(path);
  return text
    .split('\n')
    .filter((each) => each.replace(/\r$/, '') !== line)
    .join('\n');
}
