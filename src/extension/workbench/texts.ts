import * as vscode from 'vscode';
import { visibleText } from '../../service-client/index.ts';
import { formatValue } from '../../errors/index.ts';
import { MAX_LINE_LENGTH, MAX_TEXT_LENGTH } from './limits.ts';

/**
 * Returns text that VS Code shows verbatim, with its line breaks but without invisible characters. VS Code turns
 * `[text](target)` into links, including command links, and `$(name)` into icons. A zero-width space between the two
 * parts prevents both.
 */
export function toPlainText(text: string): string {
  const short = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  return visibleText(short).replace(/[\]$](?=\()/g, '$&\u200b');
}

/**
 * Returns the first alternative that fits on one line of a notification, or else the last one.
 *
 * @param texts alternatives, longest first.
 */
export function chooseLine(...texts: readonly string[]): string {
  return texts.find(({ length }) => length <= MAX_LINE_LENGTH) ?? texts.at(-1) ?? '';
}

/** Shortens a name to at most `length` characters, with an ellipsis if text is omitted. */
export function shortened(name: string, length: number): string {
  return name.length > length ? `${visibleText(name.slice(0, length - 1))}…` : name;
}

/** Creates a badge for the icon of a view. The tooltip is shown verbatim. */
export function viewBadge(value: number, tooltip: string): vscode.ViewBadge {
  return { value, tooltip: toPlainText(tooltip) };
}

/** Separator between the parts of a row. */
const SEPARATOR = ' · ';

/**
 * Joins strings for a screen reader. Separators become commas, because a screen reader would read them aloud or skip
 * them without a pause. A repeated part is spoken once, and sentences keep their punctuation.
 */
export function toSpokenText(parts: readonly (string | undefined)[]): string {
  const all = parts.flatMap((part = '') => part.split(SEPARATOR)).map((part) => part.trim());
  const different = [...new Set(all)].filter((part) => part !== '');
  return different.reduce(
    (text, part) => (text === '' ? part : `${text}${endsSentence(text) ? ' ' : ', '}${part}`),
    '',
  );
}

function endsSentence(text: string): boolean {
  return /[.!?:;。！？]$/u.test(text);
}

/** Matches the end of a sentence, including closing quotation marks, because a period may be inside them. */
const ENDED = /[.!?…”。！？」]$/;
/**
 * Matches text that ends with a Japanese or Chinese character. These languages use the period `。` without a space after
 * it.
 */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u;
const NO_SPACE_AFTER = /[。！？」]$/;

/**
 * Joins sentences into a paragraph. Missing periods, common in text from the service, are added. Sentences are separated by a space if
 * the language of the first one uses spaces.
 *
 * @param sentences complete, translated sentences.
 */
export function paragraph(sentences: readonly string[]): string {
  return sentences
    .map(withFullStop)
    .reduce((text, next) => (text === '' || NO_SPACE_AFTER.test(text) ? text + next : `${text} ${next}`), '');
}

function withFullStop(text: string): string {
  return ENDED.test(text) ? text : text + (EAST_ASIAN.test(text) ? '。' : '.');
}

/** Formats a number in the display language. */
export function numberText(value: number): string {
  return formatValue(value, vscode.env.language);
}

/** Formats a number of bytes, such as `12.3 MB`, in the display language. */
export function sizeText(bytes: number): string {
  return formatValue({ bytes }, vscode.env.language);
}

/** Formats a list for use in a sentence, such as `android, ios`. */
export function listText(items: readonly string[]): string {
  return formatValue(items, vscode.env.language);
}
