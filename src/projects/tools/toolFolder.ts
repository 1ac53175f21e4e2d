import { posix } from 'node:path';

import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { TextLines } from '../../formats/textLines.ts';
import { packageJsonIn } from '../projectJson.ts';
import { ABSENT, type ConfigValue, ToolConfig } from './toolConfig.ts';

const SCRIPT_EXTENSIONS = ['.js', '.mjs', '.ts', '.cjs', '.mts', '.cts'] as const;

type ReadFile = (name: string) => Promise<string | undefined>;

/** The files of a folder by which its tools are recognized. */
export class ToolFolder {
  readonly #files: ReadonlySet<string>;
  readonly #read: ReadFile;
  readonly #packages: ReadonlySet<string>;
  readonly #scripts: ReadonlyMap<string, string>;
  readonly #buildLine: number;

  private constructor(files: ReadonlySet<string>, read: ReadFile, packageJson: string) {
    this.#files = files;
    this.#read = read;
    const { dependencies = [], scripts = new Map() } = packageJsonIn(packageJson) ?? {};
    this.#packages = new Set(dependencies);
    this.#scripts = scripts;
    this.#buildLine = new TextLines(packageJson).lineAt(Math.max(0, packageJson.search(/"build"\s{0,9}:/)));
  }

  static async read(files: Iterable<string>, read: ReadFile): Promise<ToolFolder> {
    const names = new Set(files);
    const packageJson = names.has('package.json') ? await read('package.json').catch(() => undefined) : undefined;
    return new ToolFolder(names, read, packageJson ?? '');
  }

  dependsOn(...packages: readonly string[]): boolean {
    return packages.some((name) => this.#packages.has(name));
  }

  /** Whether a script of package.json has this word. */
  calls(command: string): boolean {
    return [...this.#scripts.values()].some((script) => script.split(/[\s;&|()"']/).includes(command));
  }

  someScriptHas(words: string): boolean {
    return [...this.#scripts.values()].some((script) => script.includes(words));
  }

  /** The configuration in the first of these files that exists; a name without extension has any of those of a script. */
  async config(...names: readonly string[]): Promise<ToolConfig | undefined> {
    const file = names
      .flatMap((name) => (/\.(?:json|[jt]s)$/.test(name) ? [name] : SCRIPT_EXTENSIONS.map((each) => name + each)))
      .find((name) => this.#files.has(name));
    return file === undefined ? undefined : new ToolConfig(file, await this.#read(file).catch(() => undefined));
  }

  /**
   * A value in the script `build`.
   *
   * @param words of the command that it's in
   * @param names what it may follow, such as `--outDir=`
   */
  buildOption(words: string, ...names: readonly string[]): ConfigValue {
    const commands = (this.#scripts.get('build') ?? '').split(/[;&|]+/);
    const command = ` ${commands.find((each) => each.includes(words)) ?? ''}`;
    const [after = ''] = names.flatMap((name) => command.split(` ${name}`).slice(1, 2));
    const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([^\s"']+))/.exec(after) ?? [];
    const value = double ?? single ?? plain ?? '';
    if (value === '') {
      return ABSENT;
    }
    // The shell fills these in.
    return /[$%`*]/.test(value)
      ? { kind: 'expression', line: this.#buildLine }
      : { kind: 'literal', value, isResolved: false, line: this.#buildLine };
  }
}

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

/** @param value that says so */
export function noOutput(file: string, value: ConfigValue, reason: Sentence): Output {
  return { kind: 'none', file, line: value.kind === 'absent' ? undefined : value.line, reason };
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
