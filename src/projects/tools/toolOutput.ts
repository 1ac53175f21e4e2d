import { posix } from 'node:path';

import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import type { ConfigValue } from './toolConfig.ts';

/**
 * Where a tool writes the pages, as far as its configuration has it in literals. Paths are below the folder of the
 * configuration, with `/`. The folder itself is the empty path.
 */
export type Output =
  /** The first that holds an index.html counts. */
  { readonly kind: 'folders'; readonly paths: readonly string[] } | UnknownOutput | NoOutput;

/** Known only when the tool runs: this value is not a literal. */
export interface UnknownOutput {
  readonly kind: 'unknown';
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The file can't be read at all. */
  readonly isBroken?: true;
}

/** The tool makes no pages that an app can hold. */
interface NoOutput {
  readonly kind: 'none';
  readonly file: string;
  readonly line: number | undefined;
  readonly reason: Sentence;
}

/** The folder that a value names; without one, the tool's own choice. */
export function toOutput(file: string, name: string, value: ConfigValue, defaults: readonly string[]): Output {
  switch (value.kind) {
    case 'absent':
      return { kind: 'folders', paths: defaults };
    case 'literal':
      return typeof value.value === 'string'
        ? toFolder(file, value.line, value.value)
        : { kind: 'unknown', file, line: value.line, name };
    case 'expression':
      return { ...value, kind: 'unknown', file, name };
  }
}

/** The folder at these paths, each below the one before it. */
export function toFolder(file: string, line: number, ...paths: readonly string[]): Output {
  const parts = paths.map((path) => path.replaceAll('\\', '/'));
  const path = posix.join(...parts).replace(/\/$/, '');
  const isOutside = path === '..' || path.startsWith('../') || parts.some((part) => /^(?:\/|[A-Za-z]:)/.test(part));
  if (isOutside) {
    const written = posix.join(...paths);
    const reason = sentence(
      '{0} has the pages written to {1}, which is not in the folder of this file.',
      file,
      written,
    );
    return { kind: 'none', file, line, reason };
  }
  return { kind: 'folders', paths: [path === '.' ? '' : path] };
}
