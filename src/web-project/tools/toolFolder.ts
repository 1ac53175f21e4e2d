import { posix } from 'node:path';

import { sentence, type Sentence } from '../../errors/index.ts';
import { TextLines } from '../../android-package/index.ts';
import { packageJsonIn } from '../projectJson.ts';
import { ABSENT, type ConfigValue, ToolConfig } from './toolConfig.ts';

const SCRIPT_EXTENSIONS = ['.js', '.mjs', '.ts', '.cjs', '.mts', '.cts'] as const;

/** The files in a folder that show which tools it uses. */
export type ToolFolder = Awaited<ReturnType<typeof readToolFolder>>;

/**
 * Reads the package.json of a folder, and returns functions that examine the folder.
 *
 * @param read returns the text of a file, or undefined if it can't be read
 */
export async function readToolFolder(files: Iterable<string>, read: (name: string) => Promise<string | undefined>) {
  const names: ReadonlySet<string> = new Set(files);
  const readOptional = (name: string) => read(name).catch(() => undefined);
  const packageJson = (names.has('package.json') ? await readOptional('package.json') : undefined) ?? '';
  const {
    dependencies = [],
    scripts = new Map<string, string>(),
    isLibrary = false,
  } = packageJsonIn(packageJson) ?? {};
  const commands = [...scripts.values()];
  return {
    names,

    /** Returns the text of a file, or undefined if it can't be read. */
    text: readOptional,

    /** Whether package.json describes a library for other packages. */
    isLibrary,

    dependsOn: (...packages: readonly string[]): boolean => packages.some((name) => dependencies.includes(name)),

    /** Reports whether a script of package.json contains a word. */
    calls: (command: string): boolean => commands.some((script) => script.split(/[\s;&|()"']/).includes(command)),

    someScriptHas: (words: string): boolean => commands.some((script) => script.includes(words)),

    /** Returns the first argument after a command, such as `vitepress build`, in each script that has one. */
    argumentsOf: (command: string): readonly string[] =>
      commands.flatMap((script) => /^ ([\w.][\w./-]*)/.exec(script.split(command)[1] ?? '')?.slice(1) ?? []),

    /** Reads the first configuration file that exists. A name without extension matches all script extensions. */
    config: async (...candidates: readonly string[]): Promise<ToolConfig | undefined> => {
      const file = candidates
        .flatMap((name) => (/\.(?:json|[jt]s)$/.test(name) ? [name] : SCRIPT_EXTENSIONS.map((each) => name + each)))
        .find((name) => names.has(name));
      return file === undefined ? undefined : new ToolConfig(file, await readOptional(file));
    },

    /**
     * Returns the value of an option in the `build` script.
     *
     * @param words the command that must contain the option, such as `vite build`
     * @param options spellings of the option, up to the value, such as `--outDir=`
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
      // The shell expands these characters.
      return /[$%`*]/.test(value) ? { kind: 'expression', line } : { kind: 'literal', value, isResolved: false, line };
    },
  };
}

/**
 * Output folder of a tool, from the literals in its configuration. Paths are relative to the folder of the
 * configuration and use `/`. The folder itself is the empty path.
 */
export type ToolOutput =
  | {
      readonly kind: 'folders';
      /** Possible folders. The first one that contains index.html is used. */
      readonly paths: readonly string[];
      /**
       * Files and folders that the build adds to a page of the sources, of which one is enough, relative to the
       * configuration. If empty, the scripts that the page loads. Undefined if the build also creates the page.
       */
      readonly added?: readonly string[] | undefined;
    }
  /** The value isn't a literal, so only the tool can compute it. `isBroken` if the file can't be read. */
  | {
      readonly kind: 'unknown';
      readonly file: string;
      readonly line: number;
      readonly name: string;
      readonly isBroken?: true;
    }
  /**
   * The tool doesn't create pages that an app can contain. `outside` is the folder of its pages if it's above or beside
   * the folder of the configuration, as in a monorepo.
   */
  | {
      readonly kind: 'none';
      readonly file: string;
      readonly line: number | undefined;
      readonly reason: Sentence;
      /** The next step for the user. Defaults to a change of the file. */
      readonly next?: Sentence | undefined;
      readonly outside?: string;
    };

/**
 * Returns the output for a folder in the configuration, or for the tool's default folders if the configuration doesn't
 * specify one.
 */
export function toOutput(file: string, name: string, value: ConfigValue, defaults: readonly string[]): ToolOutput {
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

/**
 * Returns the output of a tool that doesn't create pages for an app.
 *
 * @param value the value in the configuration that causes this
 */
export function noOutput(file: string, value: ConfigValue, reason: Sentence, next?: Sentence): ToolOutput {
  return { kind: 'none', file, line: value.kind === 'absent' ? undefined : value.line, reason, next };
}

/** Returns the output for a folder. Each path is relative to the previous one. */
export function toFolder(file: string, line: number, ...paths: readonly string[]): ToolOutput {
  const parts = paths.map((path) => path.replaceAll('\\', '/'));
  const path = posix.join(...parts).replace(/\/$/, '');
  const isAbsolute = parts.some((part) => /^(?:\/|[A-Za-z]:)/.test(part));
  if (isAbsolute || path === '..' || path.startsWith('../')) {
    const written = posix.join(...paths);
    const reason = sentence('{0} writes the pages to {1}, which is outside the folder of this file.', file, written);
    return { kind: 'none', file, line, reason, ...(!isAbsolute && { outside: path }) };
  }
  return { kind: 'folders', paths: [path === '.' ? '' : path] };
}
