import type * as vscode from 'vscode';
import { plainText } from './plainText.ts';

/** A number on the icon of a view, and a text that says what it counts, which is shown as it is written. */
export function viewBadge(value: number, tooltip: string): vscode.ViewBadge {
  return { value, tooltip: plainText(tooltip) };
}
