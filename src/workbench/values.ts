import * as vscode from 'vscode';
import { valueText } from '../api/errors/sentence.ts';

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
