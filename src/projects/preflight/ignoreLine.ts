import { IgnoreRules } from '../packing/ignoreRules.ts';

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
  return `/${isFolder ? `${escaped}/` : escaped.replace(/ +$/, (spaces) => '\\ '.repeat(spaces.length))}`;
}

/**
 * The lines to add to an ignore file, so that the paths are left out.
 *
 * @param text of the file.
 * @returns none for what its rules leave out already, nor for what is in one of the folders.
 */
export function linesToAdd(text: string, paths: readonly IgnoredPath[]): readonly string[] {
  // On a file system that ignores case, a line too many does no harm.
  const empty = new IgnoreRules(true);
  const lines: string[] = [];
  let rules = empty.with(text, '', '');
  // Folders first: what is in them needs no line.
  for (const each of paths.toSorted((left, right) => Number(right.isFolder) - Number(left.isFolder))) {
    if (rules.ruleAgainst(each.path, each.isFolder) === undefined) {
      lines.push(ignoreLine(each));
      rules = rules.followedBy(empty.with(ignoreLine(each), '', ''));
    }
  }
  return lines;
}

/** A text with lines at its end, and its own kind of line ends. */
export function withLines(text: string, lines: readonly string[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  return text + start + lines.map((line) => line + end).join('');
}

/** A text without the last of each of the lines. */
export function withoutLines(text: string, lines: readonly string[]): string {
  const rest = text.split('\n');
  for (const line of lines) {
    const index = rest.findLastIndex((each) => each.replace(/\r$/, '') === line);
    if (index >= 0) {
      rest.splice(index, 1);
    }
  }
  return rest.join('\n');
}
