import { packageJsonIn } from '../projectJson.ts';
import { TextLines } from '../../formats/textLines.ts';
import { ABSENT, pathIn, type Fields, type PathValue } from './configValue.ts';
import { readConfig } from './readConfig.ts';

const SCRIPT_EXTENSIONS = ['.js', '.mjs', '.ts', '.cjs', '.mts', '.cts'] as const;

/** A configuration, and the file that it is in. */
export interface ConfigFile {
  readonly file: string;
  readonly config: Fields;
}

type ReadFile = (name: string) => Promise<string | undefined>;

/** The files of a folder by which its tools are recognised. */
export class ToolFolder {
  readonly #files: ReadonlySet<string>;
  readonly #read: ReadFile;
  readonly #configs = new Map<string, Promise<ConfigFile>>();
  readonly #packages: ReadonlySet<string>;
  readonly #scripts: readonly string[];
  readonly #commands: ReadonlySet<string>;
  readonly buildScript: BuildScript;

  private constructor(files: ReadonlySet<string>, read: ReadFile, packageJson: string) {
    this.#files = files;
    this.#read = read;
    const { dependencies = [], scripts = new Map<string, string>() } = packageJsonIn(packageJson) ?? {};
    this.#packages = new Set(dependencies);
    this.#scripts = [...scripts.values()];
    this.#commands = new Set(this.#scripts.flatMap((script) => script.split(/[\s;&|()"']/)));
    const line = new TextLines(packageJson).lineAt(Math.max(0, packageJson.search(/"build"\s{0,9}:/)));
    this.buildScript = new BuildScript(scripts.get('build') ?? '', line);
  }

  static async read(files: Iterable<string>, read: ReadFile): Promise<ToolFolder> {
    const names = new Set(files);
    const packageJson = names.has('package.json') ? await read('package.json').catch(() => undefined) : undefined;
    return new ToolFolder(names, read, packageJson ?? '');
  }

  dependsOn(...packages: readonly string[]): boolean {
    return packages.some((name) => this.#packages.has(name));
  }

  /** Whether a script has this word. */
  calls(command: string): boolean {
    return this.#commands.has(command);
  }

  someScriptHas(words: string): boolean {
    return this.#scripts.some((script) => script.includes(words));
  }

  /** The first of these files that there is. */
  async config(...names: readonly string[]): Promise<ConfigFile | undefined> {
    const file = names.find((name) => this.#files.has(name));
    if (file === undefined) {
      return undefined;
    }
    const config = this.#configs.get(file) ?? this.#readConfig(file);
    this.#configs.set(file, config);
    return config;
  }

  /** The configuration of this name, with any of the extensions of a script. */
  script(...names: readonly string[]): Promise<ConfigFile | undefined> {
    return this.config(...names.flatMap((name) => SCRIPT_EXTENSIONS.map((extension) => `${name}${extension}`)));
  }

  async #readConfig(file: string): Promise<ConfigFile> {
    const text = await this.#read(file).catch(() => undefined);
    return { file, config: await readConfig(text ?? '', file) };
  }
}

/** The script `build` of a package.json, as far as it names a folder. */
class BuildScript {
  /** Of the commands, their words. */
  readonly #commands: readonly (readonly string[])[];
  readonly #line: number;

  /** @param line where it is, from 1 */
  constructor(script: string, line: number) {
    this.#line = line;
    const commands: string[][] = [[]];
    for (const [word] of script.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"';&|])+|[;&|]+/g)) {
      if (/^[;&|]/.test(word)) {
        commands.push([]);
      } else {
        commands.at(-1)?.push(word.replaceAll(/["']/g, ''));
      }
    }
    this.#commands = commands;
  }

  /** The folder of `--option folder` or `--option=folder` behind the words of a command. */
  option(command: readonly string[], option: string): PathValue {
    const words = this.#commands.find((each) => command.every((word) => each.includes(word))) ?? [];
    const index = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
    return this.#path(words[index] === option ? words[index + 1] : words[index]?.slice(option.length + 1));
  }

  /** The folder of `NAME=folder` before a command. */
  variable(name: string): PathValue {
    const word = this.#commands.flat().find((each) => each.startsWith(`${name}=`));
    return this.#path(word?.slice(name.length + 1));
  }

  #path(value: string | undefined): PathValue {
    if (value === undefined || value === '') {
      return ABSENT;
    }
    // The shell fills these in.
    return /[$%`*]/.test(value)
      ? { kind: 'expression', line: this.#line }
      : pathIn({ kind: 'literal', value, line: this.#line });
  }
}
