import * as vscode from 'vscode';
import { visibleText } from '../api/hypermedia/label.ts';
import { valueText } from '../api/errors/sentence.ts';
import { MAX_LINE_LENGTH, MAX_TEXT_LENGTH } from './limits.ts';

/**
 * Text for whatever VS Code shows: it reads as it is written, with its line breaks, and is nothing but text. What cannot be seen
 * is taken out. VS Code makes links, even to commands, of `[text](target)`, and icons of `$(name)`; a zero-width space between
 * the two parts prevents both.
 */
export function plainText(text: string): string {
  const short = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  return visibleText(short).replace(/[\]$](?=\()/g, '$&\u200b');
}

/** The first of several texts that a notification shows in one line, else the last. @param texts the longest first */
export function lineOf(...texts: readonly string[]): string {
  return texts.find(({ length }) => length <= MAX_LINE_LENGTH) ?? texts.at(-1) ?? '';
}

/** A name of at most `length` characters, with an ellipsis if something is left out. */
export function shortened(name: string, length: number): string {
  return name.length > length ? `${visibleText(name.slice(0, length - 1))}…` : name;
}

/** A number on the icon of a view, and a text that says what it counts, which is shown as it is written. */
export function viewBadge(value: number, tooltip: string): vscode.ViewBadge {
  return { value, tooltip: plainText(tooltip) };
}

/** Stands between the parts of a row. */
const SEPARATOR = ' · ';

/**
 * Joins texts to one that a screen reader says: with commas, where it would read a sign aloud or pass over it without a pause.
 * A part that comes twice is spoken once, and a sentence ends with its own full stop.
 */
export function spokenText(parts: readonly (string | undefined)[]): string {
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

/** The end of a sentence. Closing quotation marks count: a full stop stands inside of them. */
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

/** A number as the language of the workbench writes it. */
export function numberText(value: number): string {
  return valueText(value, vscode.env.language);
}

/** A number of bytes, such as `12.3 MB`. */
export function sizeText(bytes: number): string {
  return valueText({ bytes }, vscode.env.language);
}

/** A list in a sentence, such as `android, ios`. */
export function listText(items: readonly string[]): string {
  return valueText(items, vscode.env.language);
}
