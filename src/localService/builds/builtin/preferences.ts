/** The preferences of config.xml, as the built-in builder reads them. */
import type { ConfigFile } from '../packages/packageConfig.ts';
import { plainText } from '../appValues.ts';
import type { Log } from '../builder.ts';

/** Preferences by names whose case does not count. An invalid value is logged and left out. */
export class Preferences {
  readonly #values: ReadonlyMap<string, { readonly name: string; readonly value: string }>;
  readonly #log: Log;
  readonly #known = new Set<string>();

  constructor(config: ConfigFile, log: Log) {
    this.#values = new Map(
      config.preferences.map(({ name, value }) => [name.toLowerCase(), { name, value: value.trim() }]),
    );
    this.#log = log;
  }

  /** `undefined` for one that is not set, or is empty. */
  text(name: string): string | undefined {
    this.#known.add(name.toLowerCase());
    const value = this.#values.get(name.toLowerCase())?.value;
    return value === '' ? undefined : value;
  }

  isOn(name: string): boolean {
    return this.choice(name, BOOLEANS) ?? false;
  }

  color(name: string): number | undefined {
    return this.read(name, readColor);
  }

  /** @param values by lower-case texts */
  choice<T>(name: string, values: ReadonlyMap<string, T>): T | undefined {
    return this.read(name, (value) => values.get(value.toLowerCase()));
  }

  /** @param read gives `undefined` for a value that is none */
  read<T>(name: string, read: (value: string) => T | undefined): T | undefined {
    const value = this.text(name);
    const result = value === undefined ? undefined : read(value);
    if (value !== undefined && result === undefined) {
      this.#log(`config.xml: the value of the preference “${name}” is not known, and left out.`);
    }
    return result;
  }

  /** Logs a line for each that was not read. */
  noteOthers(): void {
    for (const [key, { name }] of this.#values) {
      if (!this.#known.has(key)) {
        this.#log(`config.xml: the preference “${plainText(name)}” has no effect in this package.`);
      }
    }
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Reads a color of config.xml: `#rgb`, `#rrggbb`, `#aarrggbb`, also with `0x` in front.
 *
 * @returns alpha, red, green and blue in 32 bits, signed as Java has them; `undefined` for what is none
 */
function readColor(text: string): number | undefined {
  const [, digits = ''] = /^(?:#|0x)([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text.trim()) ?? [];
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return long === '' ? undefined : Number.parseInt(long.padStart(8, 'f'), 16) | 0;
}

/** Whether text on this color should be light. */
export function isDark(argb: number): boolean {
  const [red, green, blue] = [(argb >> 16) & 0xff, (argb >> 8) & 0xff, argb & 0xff];
  // How bright the three are to the eye (ITU-R BT.601).
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}
