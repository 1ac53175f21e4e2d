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
  readonly #scripts: readonly string[];
  /** The commands of the script `build`. */
  readonly #buildCommands: readonly string[];
  readonly #buildLine: number;

  private constructor(files: ReadonlySet<string>, read: ReadFile, packageJson: string) {
    this.#files = files;
    this.#read = read;
    const { dependencies = [], scripts = new Map<string, string>() } = packageJsonIn(packageJson) ?? {};
    this.#packages = new Set(dependencies);
    this.#scripts = [...scripts.values()];
    this.#buildCommands = (scripts.get('build') ?? '').split(/[;&|]+/);
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
    return this.#scripts.some((script) => script.split(/[\s;&|()"']/).includes(command));
  }

  someScriptHas(words: string): boolean {
    return this.#scripts.some((script) => script.includes(words));
  }

  /** The configuration in the first of these files that exists. */
  async config(...names: readonly string[]): Promise<ToolConfig | undefined> {
    const file = names.find((name) => this.#files.has(name));
    return file === undefined ? undefined : new ToolConfig(file, await this.#read(file).catch(() => undefined));
  }

  /** The configuration of this name, with any of the extensions of a script. */
  script(...names: readonly string[]): Promise<ToolConfig | undefined> {
    return this.config(...names.flatMap((name) => SCRIPT_EXTENSIONS.map((extension) => `${name}${extension}`)));
  }

  /**
   * A value in the script `build`.
   *
   * @param words of the command that it's in
   * @param names what it may follow, such as `--outDir=`
   */
  buildOption(words: string, ...names: readonly string[]): ConfigValue {
    const command = ` ${this.#buildCommands.find((each) => each.includes(words)) ?? ''}`;
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
