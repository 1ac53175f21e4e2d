import { ABSENT, lineOf, pathIn, textOf, type PathValue, type Value } from './configValue.ts';

/** The script `build` of a package.json, as far as it names a folder. */
export class BuildScript {
  /** Of the commands, their words. */
  readonly #commands: readonly (readonly string[])[];
  readonly #line: number;

  constructor(script: Value) {
    this.#line = lineOf(script);
    const commands: string[][] = [[]];
    for (const [word] of (textOf(script) ?? '').matchAll(/(?:"[^"]*"|'[^']*'|[^\s"';&|])+|[;&|]+/g)) {
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
