import assert from 'node:assert/strict';
import { bundleFile, manifestFile, readTexts } from '../../support/translations.ts';

/** Sentences that end in an argument which is a sentence itself. */
const ENDS_IN_A_SENTENCE = /。\{\d+\}$/;
const JAPANESE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー';

/** What the Japanese language pack of VS Code holds to. */
const RULES: readonly (readonly [rule: string, holds: (japanese: string, english: string) => boolean])[] = [
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

describe('the Japanese texts', () => {
  let texts: readonly (readonly [english: string, japanese: string])[];

  before(async () => {
    const [english, japanese, bundle] = await Promise.all(
      [manifestFile(), manifestFile('ja'), bundleFile('ja')].map(readTexts),
    );
    const manifest = Object.entries(japanese ?? {}).map(([key, text]) => [english?.[key] ?? '', text] as const);
    texts = [...manifest, ...Object.entries(bundle ?? {})];
    assert.ok(texts.length > 1_000);
  });

  for (const [rule, holds] of RULES) {
    it(rule, () => {
      const wrong = texts.filter(([english, japanese]) => !holds(japanese, english)).map(([, japanese]) => japanese);
      assert.deepEqual(wrong, []);
    });
  }
});

function withoutLinkTargets(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
