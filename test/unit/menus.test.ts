import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { repositoryRoot } from '../support/repository.ts';

interface MenuEntry {
  readonly command?: string;
  readonly when: string;
  readonly group: string;
}

interface Manifest {
  readonly contributes: { readonly menus: { readonly 'view/item/context': readonly MenuEntry[] } };
}

/** The view and the rows of a condition: `viewItem == form`, `viewItem =~ /^app;/`. */
const CONDITION = /view == (?<view>\S+) && viewItem (?:== (?<word>\w+)|=~ \/(?<pattern>.*)\/)/;

/** Whether a condition is true for a row of a view. */
function holdsFor({ when }: MenuEntry, view: string, viewItem: string): boolean {
  const { groups = {} } = CONDITION.exec(when) ?? assert.fail(when);
  const pattern = groups.word === undefined ? (groups.pattern ?? '') : `^${groups.word}$`;
  return groups.view === view && new RegExp(pattern).test(viewItem);
}

describe('the menus', () => {
  let entries: readonly MenuEntry[];

  before(async () => {
    const text = await readFile(path.join(repositoryRoot, 'package.json'), 'utf8');
    entries = (JSON.parse(text) as Manifest).contributes.menus['view/item/context'];
  });

  it('ask an agent about a failed build only, and not where the features of AI are turned off', () => {
    const [entry, ...others] = entries.filter(({ command }) => command === 'appBuild.askAgent');
    assert.ok(entry !== undefined && others.length === 0);
    assert.match(entry.when, / && !config\.chat\.disableAIFeatures && !chatSetupHidden(?: && |$)/);
    const isOffered = (row: string) => holdsFor(entry, 'appBuild.resources', row);
    const rows = [
      'platform;build;log;failed;',
      'platform;build;log;download;android;',
      'platform;',
      'app;build;failed;',
    ];
    assert.deepEqual(rows.filter(isOffered), rows.slice(0, 1));
  });

  it('offer in the menu of a row, which a key opens, whatever a button at its end does', () => {
    const isButton = ({ group }: MenuEntry): boolean => group.startsWith('inline');
    const buttons = entries.filter(isButton);
    const words = [...new Set(entries.flatMap(({ when }) => when.match(/\b[a-zA-Z]+\b/g) ?? []))];
    // Rows of each kind, with none and with each of the things that can be done.
    const rows = words.flatMap((kind) => [kind, ...words.map((flag) => `${kind};${flag};`)]);
    assert.ok(buttons.length > 15);
    for (const button of buttons) {
      const view = CONDITION.exec(button.when)?.groups?.view ?? '';
      const shownAt = rows.filter((row) => holdsFor(button, view, row));
      assert.ok(shownAt.length > 0, `${button.command} is shown nowhere: ${button.when}`);
      const inMenus = entries.filter((entry) => !isButton(entry) && entry.command === button.command);
      for (const row of shownAt) {
        assert.ok(
          inMenus.some((entry) => holdsFor(entry, view, row)),
          `${button.command} is a button of ${row}, and not in its menu`,
        );
      }
    }
  });
});
