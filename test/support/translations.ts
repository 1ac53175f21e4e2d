import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from './repository.ts';

/** The languages that the extension speaks besides English, as VS Code names them. */
export const LANGUAGES = ['de', 'ja'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Texts by key. In a bundle the key is the English text itself. */
export type Texts = Readonly<Record<string, string>>;

/** Texts of package.json in English, or in a language. */
export function manifestFile(language?: Language): string {
  return language === undefined ? 'package.nls.json' : `package.nls.${language}.json`;
}

/** Texts of the code in a language. English needs no such file. */
export function bundleFile(language: Language): string {
  return `l10n/bundle.l10n.${language}.json`;
}

/** @returns no texts when there is no such file. */
export async function readTexts(file: string): Promise<Texts> {
  const whole = path.join(repositoryRoot, file);
  return existsSync(whole) ? (JSON.parse(await readFile(whole, 'utf8')) as Texts) : {};
}

/** Texts that may be the same in both languages: names, and what is made of arguments alone. */
const SAME_IN_EACH_LANGUAGE = new Set<string>([]);

/** What a translation has to repeat: arguments, commands behind a link, code, and the address of a link. */
const REPEATED = [/\{\d+\}/g, /\(command:[\w.]+\)/g, /`[^`]*`/g, /\]\(https?:[^)]*\)/g];

/**
 * What is wrong with the texts of a language, a line each.
 *
 * @param english by the same keys
 */
export function problemsOf(file: string, english: Texts, translated: Texts): readonly string[] {
  const missing = Object.keys(english).filter((key) => !Object.hasOwn(translated, key));
  const unused = Object.keys(translated).filter((key) => !Object.hasOwn(english, key));
  const wrong = Object.entries(english).flatMap(([key, text]) => {
    const translation = translated[key];
    const problem = translation === undefined ? undefined : problemOf(text, translation);
    return problem === undefined ? [] : [`${file}: ${problem}: ${key}`];
  });
  return [
    ...missing.map((key) => `${file}: is missing: ${key}`),
    ...unused.map((key) => `${file}: is not used: ${key}`),
    ...wrong,
  ];
}

function problemOf(english: string, translation: string): string | undefined {
  if (translation.trim() === '') {
    return 'is empty';
  }
  if (translation === english) {
    return SAME_IN_EACH_LANGUAGE.has(english) || !hasWords(english) ? undefined : 'is English';
  }
  if (REPEATED.some((pattern) => repeated(english, pattern) !== repeated(translation, pattern))) {
    return 'has other arguments, links or code';
  }
  if (english.endsWith('…') !== translation.endsWith('…')) {
    return 'ends otherwise (…)';
  }
  return undefined;
}

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text.replaceAll(/\{\d+\}/g, ''));
}

function repeated(text: string, pattern: RegExp): string {
  return [...new Set(Array.from(text.matchAll(pattern), ([match]) => match))].sort().join(' ');
}
