import { posix } from 'node:path';

import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { isAbsolute, type PathValue } from './configValue.ts';

/**
 * Where a tool writes the pages, as far as its configuration says it in literals. Paths are below the folder of the
 * configuration, with `/`; the folder itself is the empty path.
 */
export type Output =
  /** The first that holds an index.html counts. */
  | { readonly kind: 'folders'; readonly paths: readonly string[] }
  /** Known only when the tool runs: this value is not a literal. */
  | UnknownOutput
  /** The tool makes no pages that an app can hold. */
  | { readonly kind: 'none'; readonly file: string; readonly line: number | undefined; readonly reason: Sentence };

export interface UnknownOutput {
  readonly kind: 'unknown';
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The file can't be read at all. */
  readonly isBroken?: true;
}

/** A folder that is made by a build tool. */
export interface ToolProject {
  readonly kind: ToolKind;
  /** Of one application among several of a folder. */
  readonly name?: string | undefined;
  readonly output: Output;
}

export type ToolKind =
  | 'capacitor'
  | 'angular'
  | 'next'
  | 'nuxt'
  | 'astro'
  | 'svelte'
  | 'react-router'
  | 'vite'
  | TableKind;

/** Tools of the table in `toolOutput.ts`. */
export type TableKind =
  | 'react-scripts'
  | 'vue-cli'
  | 'rsbuild'
  | 'quasar'
  | 'docusaurus'
  | 'gatsby'
  | 'eleventy'
  | 'stencil'
  | 'ember'
  | 'parcel'
  | 'webpack';

/** The folder that a value names; without one, the tool's own choice. */
export function folderBy(file: string, name: string, value: PathValue, defaults: readonly string[]): Output {
  if (value.kind === 'absent') {
    return { kind: 'folders', paths: defaults };
  }
  if (value.kind === 'expression') {
    return { ...unknown(file, value.line, name), ...(value.isBroken && { isBroken: value.isBroken }) };
  }
  return folderIn(file, value.line, value.value);
}

/** The folder at these paths, each below the one before it. */
export function folderIn(file: string, line: number, ...paths: readonly string[]): Output {
  const parts = paths.map((path) => path.replaceAll('\\', '/'));
  const path = posix.join(...parts).replace(/\/$/, '');
  if (path === '..' || path.startsWith('../') || parts.some(isAbsolute)) {
    const reason = sentence(
      '{0} has the pages written to {1}, which is not in the folder of this file.',
      file,
      posix.join(...paths),
    );
    return { kind: 'none', file, line, reason };
  }
  return { kind: 'folders', paths: [path === '.' ? '' : path] };
}

export function unknown(file: string, line: number, name: string): UnknownOutput {
  return { kind: 'unknown', file, line, name };
}
