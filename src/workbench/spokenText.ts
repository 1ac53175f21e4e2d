/** What stands between the parts of a row that is looked at. */
const SEPARATOR = ' · ';

/**
 * Joins texts to one that a screen reader says: with commas, where it would read a sign aloud or pass over it without a pause.
 * What was said is not said again, and a sentence ends with its own full stop.
 */
export function spokenText(parts: readonly (string | undefined)[]): string {
  const said = parts.flatMap((part = '') => part.split(SEPARATOR)).map((part) => part.trim());
  const once = [...new Set(said)].filter((part) => part !== '');
  return once.reduce((text, part) => (text === '' ? part : `${text}${endsSentence(text) ? ' ' : ', '}${part}`), '');
}

function endsSentence(text: string): boolean {
  return /[.!?:;。！？]$/u.test(text);
}
