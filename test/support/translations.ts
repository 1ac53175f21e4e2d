import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from './repository.ts';

/** Languages of the extension besides English, by VS Code's names. */
const LANGUAGES = ['de', 'ja'] as const;

type Language = (typeof LANGUAGES)[number];

/** Translations by key. In a bundle, the key is the English text. */
export type Texts = Readonly<Record<string, string>>;

/** Returns the path of the file with package.json's strings in English or another language. */
export function manifestFile(language?: Language): string {
  return language === undefined ? 'package.nls.json' : `package.nls.${language}.json`;
}

/** Returns the path of the file with the code's strings in a language. English has no such file. */
export function bundleFile(language: Language): string {
  return `l10n/bundle.l10n.${language}.json`;
}

/** Reads a file of translations. @returns an empty result if the file doesn't exist */
export async function readTexts(file: string): Promise<Texts> {
  const whole = path.join(repositoryRoot, file);
  return existsSync(whole) ? (JSON.parse(await readFile(whole, 'utf8')) as Texts) : {};
}

/** Names that are identical in all languages. */
const NAMES = ['Application Build Service', 'App Build', 'App Build: {0}', 'JSON'];

/** English words that the language also uses. */
const SHARED_WORDS: Readonly<Record<Language, readonly string[]>> = {
  de: [
    'Alias',
    'Alias: {0}',
    'Apps',
    'Browser',
    'Builder',
    'Builds',
    'Debug',
    'Details…',
    'Hydration',
    'Keystore',
    'Repository: {0}',
    'Team: {0}',
    'Tester',
  ],
  ja: [],
};

/** Parts that a translation must repeat: arguments, commands in links, code, and addresses in links. */
const REPEATED = [/\{\d+\}/g, /\(command:[\w.]+\)/g, /`[^`]*`/g, /\]\(https?:[^)]*\)/g];

/** Sentences that end in an argument that is itself a sentence. */
const ENDS_IN_A_SENTENCE = /。\{\d+\}$/;
const JAPANESE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';

/** The style of VS Code's own Japanese language pack: rules, and the problem if a translation breaks one. */
const JAPANESE_RULES: readonly (readonly [problem: string, holds: (japanese: string, english: string) => boolean])[] = [
  [
    'a sentence ends in 。, a title does not',
    (japanese, english) => english.endsWith('.') === japanese.endsWith('。') || ENDS_IN_A_SENTENCE.test(japanese),
  ],
  [
    'a space stands between Japanese and Latin letters, numbers and arguments',
    (japanese) =>
      !new RegExp(`[${JAPANESE}][A-Za-z0-9{\`]|[A-Za-z0-9}\`][${JAPANESE}]`, 'u').test(withoutLinkTargets(japanese)),
  ],
  ['no space stands beside 、 。 「 」', (japanese) => !/[、。」] | [、。」]/.test(japanese)],
  ['brackets, colons and question marks have half the width', (japanese) => !/[（）：！？\u3000]/.test(japanese)],
  ['quotation marks are 「」', (japanese) => !/[“”„]/.test(japanese)],
  ['「 and 」 come in pairs', (japanese) => count(japanese, '「') === count(japanese, '」')],
];

/** A file of translations into a language, with the English strings that it must contain. */
export interface Translation {
  readonly language: Language;
  readonly file: string;
  readonly english: Texts;
}

/** Returns all required files. @param code English strings in the code */
export async function translations(code: readonly string[]): Promise<readonly Translation[]> {
  const manifest = await readTexts(manifestFile());
  const bundle = Object.fromEntries(code.map((text) => [text, text]));
  return LANGUAGES.flatMap((language) => [
    { language, file: manifestFile(language), english: manifest },
    { language, file: bundleFile(language), english: bundle },
  ]);
}

/** Returns the keys of a file that aren't translated, and those that the sources don't contain. `npm run l10n` lists and removes them. */
export function outdatedKeys({ english }: Translation, translated: Texts): readonly string[] {
  return [
    ...Object.keys(english).filter((key) => !Object.hasOwn(translated, key)),
    ...Object.keys(translated).filter((key) => !Object.hasOwn(english, key)),
  ];
}

/** Returns the mistakes in a file's translations, one per line. */
export function getProblems({ language, file, english }: Translation, translated: Texts): readonly string[] {
  return Object.entries(english).flatMap(([key, text]) => {
    const translation = translated[key];
    const problem = translation === undefined ? undefined : getProblem(text, translation, language);
    return problem === undefined ? [] : [`${file}: ${problem}: ${key}`];
  });
}

function getProblem(english: string, translation: string, language: Language): string | undefined {
  if (translation.trim() === '') {
    return 'is empty';
  }
  if (translation === english) {
    const same = [...NAMES, ...SHARED_WORDS[language]];
    return same.includes(english) || !hasWords(english) ? undefined : 'is English';
  }
  if (REPEATED.some((pattern) => repeated(english, pattern) !== repeated(translation, pattern))) {
    return 'has other arguments, links or code';
  }
  if (english.endsWith('…') !== translation.endsWith('…')) {
    return 'ends otherwise (…)';
  }
  return language === 'ja' ? JAPANESE_RULES.find(([, holds]) => !holds(translation, english))?.[0] : undefined;
}

function withoutLinkTargets(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text.replaceAll(/\{\d+\}/g, ''));
}

function repeated(text: string, pattern: RegExp): string {
  return [...new Set(Array.from(text.matchAll(pattern), ([match]) => match))].sort().join(' ');
}
