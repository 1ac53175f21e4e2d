/** What ends a sentence. Closing quotation marks count: a full stop stands inside of them. */
const ENDED = /[.!?…”。！？」]$/;
/** A letter of Japanese or Chinese, whose full stop is `。`, with no space behind it. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
const NO_SPACE_BEHIND = /[。！？」]$/;

/**
 * Sentences as one text. Those that lack a full stop get it, as a service's own words often do; a space goes between two where
 * the language of the first has one.
 *
 * @param sentences whole ones, translated.
 */
export function paragraph(sentences: readonly string[]): string {
  return sentences
    .map(withFullStop)
    .reduce((text, next) => (text === '' || NO_SPACE_BEHIND.test(text) ? text + next : `${text} ${next}`), '');
}

function withFullStop(text: string): string {
  return ENDED.test(text) ? text : text + (EAST_ASIAN.test(text) ? '。' : '.');
}
