import { posix } from 'node:path';

import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { TextLines } from '../../formats/textLines.ts';
import { packageJsonIn } from '../projectJson.ts';
import { ABSENT, type ConfigValue, ToolConfig } from './toolConfig.ts';

const SCRIPT_EXTENSIONS = ['.js', '.mjs', '.ts', '.cjs', '.mts', '.cts'] as const;

/** The files of a folder by which its tools are recognized. */
export type ToolFolder = Awaited<ReturnType<typeof readToolFolder>>;

/** @param read gives the text of a file; undefined when it cannot be read */
export async function readToolFolder(files: Iterable<string>, read: (name: string) => Promise<string | undefined>) {
  const names = new Set(files);
  const textOf = (name: string) => read(name).catch(() => undefined);
  const packageJson = (names.has('package.json') ? await textOf('package.json') : undefined) ?? '';
  const { dependencies = [], scripts = new Map<string, string>() } = packageJsonIn(packageJson) ?? {};
  const commands = [...scripts.values()];
  return {
    dependsOn: (...packages: readonly string[]): boolean => packages.some((name) => dependencies.includes(name)),

    /** Whether a script of package.json has this word. */
    calls: (command: string): boolean => commands.some((script) => script.split(/[\s;&|()"']/).includes(command)),

    someScriptHas: (words: string): boolean => commands.some((script) => script.includes(words)),

    /** Reads the first of these configuration files that exists. A name without extension stands for each script extension. */
    config: async (...candidates: readonly string[]): Promise<ToolConfig | undefined> => {
      const file = candidates
        .flatMap((name) => (/\.(?:json|[jt]s)$/.test(name) ? [name] : SCRIPT_EXTENSIONS.map((each) => name + each)))
        .find((name) => names.has(name));
      return file === undefined ? undefined : new ToolConfig(file, await textOf(file));
    },

    /**
     * A value in the script `build`.
     *
     * @param words of the command that it's in
     * @param options what it may follow, such as `--outDir=`
     */
    buildOption: (words: string, ...options: readonly string[]): ConfigValue => {
      const command = (scripts.get('build') ?? '').split(/[;&|]+/).find((each) => each.includes(words)) ?? '';
      const [after = ''] = options.flatMap((option) => ` ${command}`.split(` ${option}`).slice(1, 2));
      const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([^\s"']+))/.exec(after) ?? [];
      const value = double ?? single ?? plain ?? '';
      if (value === '') {
        return ABSENT;
      }
      const line = new TextLines(packageJson).lineAt(Math.max(0, packageJson.search(/"build"\s{0,9}:/)));
      // The shell fills these in.
      return /[$%`*]/.test(value) ? { kind: 'expression', line } : { kind: 'literal', value, isResolved: false, line };
    },
  };
}

/**
 * Where a tool writes the pages, as far as its configuration has it in literals. Paths are below the folder of the
 * configuration, with `/`. The folder itself is the empty path.
 */
export type Output =
  /** The first that holds an index.html counts. */
  | { readonly kind: 'folders'; readonly paths: readonly string[] }
  /** Known only when the tool runs: this value is not a literal. `isBroken` if the file can't be read at all. */
  | {
      readonly kind: 'unknown';
      readonly file: string;
      readonly line: number;
      readonly name: string;
      readonly isBroken?: true;
    }
  /** The tool makes no pages that an app can hold. */
  | { readonly kind: 'none'; readonly file: string; readonly line: number | undefined; readonly reason: Sentence };

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

/** @param value the option's */
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
