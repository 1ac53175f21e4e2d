import type * as vscode from 'vscode';
import { sentence, type Sentence } from '../../../api/errors/sentence.ts';
import type { Row } from '../../../workbench/row.ts';
import type { PackageChanges } from '../../packing/packageChanges.ts';
import { uriBelow } from '../../packing/paths.ts';
import type { CheckValue } from './checkValue.ts';

/** What became of a file since the last upload. */
type Change = 'added' | 'changed' | 'removed';

const CHANGES: readonly Change[] = ['changed', 'added', 'removed'];

/** @param when when the last upload was, for a person. @param project its folder. */
export function changesRow(changes: PackageChanges, when: string, project: vscode.Uri): Row<CheckValue> {
  const numbers = CHANGES.flatMap((change) =>
    changes[change].length === 0 ? [] : [numberOf(change, changes[change].length)],
  );
  const files = CHANGES.reduce((sum, change) => sum + changes[change].length, 0);
  const label = sentence('Since the last upload');
  const row: Row<CheckValue> = {
    key: 'changes',
    label,
    notes: [changesText(files), when],
    tooltip: [label, when, ...numbers],
    icon: { id: 'history' },
    spoken: [label, when, changesText(files), ...numbers],
    contextValue: 'changes;',
  };
  return files === 0
    ? row
    : {
        ...row,
        isExpanded: false,
        children: () =>
          CHANGES.flatMap((change) => changes[change].map((path) => changeRow(change, path, uriBelow(project, path)))),
      };
}

function changesText(files: number): Sentence {
  switch (files) {
    case 0:
      return sentence('no changes');
    case 1:
      return sentence('1 change');
    default:
      return sentence('{0} changes', files);
  }
}

function changeRow(change: Change, path: string, uri: vscode.Uri): Row<CheckValue> {
  return {
    key: path,
    label: path,
    notes: [wordOf(change)],
    icon: { id: iconOf(change), color: `gitDecoration.${colorOf(change)}ResourceForeground` },
    contextValue: `${change};`,
    opens: change === 'removed' ? undefined : { uri },
  };
}

function numberOf(change: Change, files: number): Sentence {
  const number = files;
  switch (change) {
    case 'added':
      return sentence('{0} added', number);
    case 'changed':
      return sentence('{0} changed', number);
    case 'removed':
      return sentence('{0} removed', number);
  }
}

function wordOf(change: Change): Sentence {
  switch (change) {
    case 'added':
      return sentence('added');
    case 'changed':
      return sentence('changed');
    case 'removed':
      return sentence('removed');
  }
}

function iconOf(change: Change): string {
  switch (change) {
    case 'added':
      return 'diff-added';
    case 'changed':
      return 'diff-modified';
    case 'removed':
      return 'diff-removed';
  }
}

function colorOf(change: Change): string {
  switch (change) {
    case 'added':
      return 'added';
    case 'changed':
      return 'modified';
    case 'removed':
      return 'deleted';
  }
}
