import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Words that a screen reader must read for the meaning of a row's icon. */
const STATE_WORDS: Readonly<Record<string, RegExp>> = {
  pass: /complete|fine/i,
  check: /available/i,
  clock: /waiting|pending/i,
  'sync~spin': /building/i,
  error: /fail|error/i,
  warning:
    /fail|error|expire|for another app|no longer exists|secret|large|source map|cannot|refused|leave out|unpack|characters/i,
  lock: /locked|fail|secret|approval/i,
  'circle-slash': /skip|not available|fail/i,
  'debug-step-over': /skip/i,
  'debug-disconnect': /fail/i,
  references: /shown above/i,
  'diff-added': /added/i,
  'diff-modified': /changed/i,
  'diff-removed': /removed/i,
};

/**
 * Returns the screen reader's text for a row.
 * @throws AssertionError if the row has no name, if the name contains symbols or icon names, or if only an icon shows a state
 */
export function spokenRow({ label, iconPath, accessibilityInformation, checkboxState }: vscode.TreeItem): string {
  const spoken = accessibilityInformation?.label ?? '';
  const title = typeof label === 'string' ? label : label?.label;
  assert.notEqual(spoken.trim(), '', `${title} has no name`);
  assert.doesNotMatch(spoken, / · |\n|\$\(/, spoken);
  const isNamed =
    checkboxState === undefined || (typeof checkboxState === 'object' && checkboxState.accessibilityInformation?.label);
  assert.ok(isNamed, `the checkbox of ${title} has no name`);
  const words = iconPath instanceof vscode.ThemeIcon ? STATE_WORDS[iconPath.id] : undefined;
  if (words !== undefined) {
    assert.match(spoken, words, `${title}: the icon tells what the name does not`);
  }
  return spoken;
}
