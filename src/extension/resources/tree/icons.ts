import * as vscode from 'vscode';
import type { ResourceField } from '../../../service-client/index.ts';

/** Icons of build statuses (contract, Resources). */
const STATUS_ICONS: ReadonlyMap<unknown, readonly [icon: string, color?: string]> = new Map([
  ['complete', ['pass', 'testing.iconPassed']],
  ['error', ['error', 'testing.iconFailed']],
  ['pending', ['clock', 'testing.iconQueued']],
  ['skip', ['debug-step-over']],
] as const);

const RELATION_ICONS = new Map([
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

/**
 * Returns the icon for a build status, or undefined for any other value. The status text is always shown with the icon.
 */
export function statusIcon(value: ResourceField['value']): vscode.ThemeIcon | undefined {
  const [icon, color] = STATUS_ICONS.get(value) ?? [];
  return icon === undefined
    ? undefined
    : new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Returns the icon for a relation. @param fallback icon ID for a relation without an icon. */
export function relationIcon(relation: string, fallback: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(RELATION_ICONS.get(relation.toLowerCase()) ?? fallback);
}
