import * as vscode from 'vscode';
import type { Field } from '../../api/hypermedia/resource.ts';

/** Icon for a value that is known as a build status; it always stands beside the word itself. */
export function statusIcon(value: Field['value']): vscode.ThemeIcon | undefined {
  const [icon, color] = byStatus.get(value) ?? [];
  return icon === undefined
    ? undefined
    : new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

const byStatus: ReadonlyMap<unknown, readonly [icon: string, color?: string]> = new Map([
  ['complete', ['pass', 'testing.iconPassed']],
  ['error', ['error', 'testing.iconFailed']],
  ['pending', ['clock', 'testing.iconQueued']],
  ['skip', ['debug-step-over']],
] as const);

const byRelation = new Map([
  ['user', 'account'],
  ['apps', 'package'],
  ['app', 'package'],
  ['keys', 'key'],
  ['key', 'key'],
  ['collaborators', 'organization'],
  ['active', 'person'],
  ['pending', 'person-add'],
  ['icon', 'file-media'],
  ['download', 'cloud-download'],
  ['self', 'link'],
  ['status', 'checklist'],
  ['error', 'warning'],
  ['next', 'arrow-right'],
  ['prev', 'arrow-left'],
  ['previous', 'arrow-left'],
]);

/** Icon for what a relation leads to, as far as its name tells. */
export function relationIcon(relation: string, otherwise: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(byRelation.get(relation.toLowerCase()) ?? otherwise);
}
