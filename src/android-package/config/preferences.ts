/** Reads the preferences in config.xml for the built-in builder. */
import type { ConfigFile } from './packageConfig.ts';
import { removeUnsafeCharacters } from './appValues.ts';
import type { WriteLog } from '../buildError.ts';

/** The preferences in a config.xml. Ignores the case of names. Logs and ignores invalid values. */
export class Preferences {
  readonly #values: ReadonlyMap<string, { readonly name: string; readonly value: string }>;
  readonly #log: WriteLog;
  readonly #known = new Set<string>();

  constructor(config: ConfigFile, log: WriteLog) {
    this.#values = new Map(
      config.preferences.map(({ name, value }) => [name.toLowerCase(), { name, value: value.trim() }]),
    );
    this.#log = log;
  }

  /** Returns a preference's text, or `undefined` if it isn't set or is empty. */
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

  /** Returns the value that a preference's text represents. @param values values, keyed by lowercase text */
  choice<T>(name: string, values: ReadonlyMap<string, T>): T | undefined {
    return this.read(name, (value) => values.get(value.toLowerCase()));
  }

  /** Converts a preference's text to a value. @param read converts the text, and returns `undefined` if it's invalid */
  read<T>(name: string, read: (value: string) => T | undefined): T | undefined {
    const value = this.text(name);
    const result = value === undefined ? undefined : read(value);
    if (value !== undefined && result === undefined) {
      this.#log(`config.xml: the value of the preference “${name}” isn’t valid, so it’s ignored.`);
    }
    return result;
  }

  /** Logs a line for each preference that hasn't been read. */
  logUnread(): void {
    for (const [key, { name }] of this.#values) {
      if (!this.#known.has(key)) {
        this.#log(`config.xml: the preference “${removeUnsafeCharacters(name)}” has no effect in this package.`);
      }
    }
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Reads a color in config.xml: `#rgb`, `#rrggbb`, or `#aarrggbb`, with `#` or `0x`.
 *
 * @returns signed 32-bit ARGB, as in Java, or `undefined` for an invalid color
 */
function readColor(text: string): number | undefined {
  const [, digits = ''] = /^(?:#|0x)([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text.trim()) ?? [];
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return long === '' ? undefined : Number.parseInt(long.padStart(8, 'f'), 16) | 0;
}

/** Reports whether a color is so dark that text on it must be light. */
export function isDark(argb: number): boolean {
  const [red, green, blue] = [(argb >> 16) & 0xff, (argb >> 8) & 0xff, argb & 0xff];
  // Perceived brightness (ITU-R BT.601).
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}
