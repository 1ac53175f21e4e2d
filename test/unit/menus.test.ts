import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { repositoryRoot } from '../support/repository.ts';

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly enablement?: string }[];
    readonly submenus: readonly { readonly id: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  };
}

/** Matches the conditions of a row: `viewItem == form`, `viewItem =~ /^app;/`. */
const CONDITION = /(?:view == (?<view>\S+) && )?viewItem (?<operator>==|!=|=~) (?:(?<word>\w+)|\/(?<pattern>.*)\/)/;
const VIEW = 'appBuild.resources';
/** Rows in the states that offer the most actions. */
const FULL_ROWS = [
  'folder;folder;',
  'app;folder;linked;build;log;download;android;shared;watched;installsBuilds;update;upload;pull;icon;addCollaborator;delete;',
  'app;folder;linked;cancel;log;download;android;shared;watched;update;upload;pull;icon;addCollaborator;delete;',
  'app;linkable;build;log;download;android;update;pull;icon;addCollaborator;delete;',
  'platform;build;log;download;bundle;android;fingerprint;shared;installsBuilds;',
  'platform;build;log;failed;problem;',
  'platform;cancel;log;watched;android;',
  'key;unlock;default;delete;fingerprint;',
  'key;lock;default;delete;fingerprint;',
  'keys;add;',
  'apps;create;',
  'collaborators;add;',
  'collaborator;role;remove;',
  'builder;install;',
  'resource',
  'form',
  'download',
  'external',
  'template',
  'failure',
  'loadMore',
  'bundle',
];
const MAX_ROW_ENTRIES = 7;
const MAX_PALETTE_COMMANDS = 25;

/** Reports whether a condition is true for a row of a view. Conditions without a row are always true. */
function holdsFor({ when = '' }: MenuEntry, view: string, viewItem: string): boolean {
  const groups = CONDITION.exec(when)?.groups;
  if (groups === undefined) {
    return true;
  }
  const pattern = groups.word === undefined ? (groups.pattern ?? '') : `^${groups.word}$`;
  const isRow = new RegExp(pattern).test(viewItem);
  return (groups.view ?? view) === view && (groups.operator === '!=' ? !isRow : isRow);
}

const isButton = ({ group }: MenuEntry): boolean => group.startsWith('inline');

describe('the menus', () => {
  let contributes: Manifest['contributes'];
  let entries: readonly MenuEntry[];

  /** Returns a menu's entries, including those of submenus. */
  const withSubmenus = (menu: readonly MenuEntry[], row: string): readonly MenuEntry[] =>
    menu
      .filter((entry) => holdsFor(entry, VIEW, row))
      .flatMap((entry) =>
        entry.submenu === undefined ? [entry] : withSubmenus(contributes.menus[entry.submenu] ?? [], row),
      );

  before(async () => {
    const text = await readFile(path.join(repositoryRoot, 'package.json'), 'utf8');
    ({ contributes } = JSON.parse(text) as Manifest);
    entries = contributes.menus['view/item/context'] ?? [];
  });

  it('ask an agent only about a failed build, and only if AI features are turned on', () => {
    const [entry, ...others] = entries.filter(({ command }) => command === 'appBuild.askAgent');
    assert.ok(entry !== undefined && others.length === 0);
    assert.match(entry.when ?? '', / && !config\.chat\.disableAIFeatures && !chatSetupHidden(?: && |$)/);
    const isOffered = (row: string) => holdsFor(entry, VIEW, row);
    const rows = [
      'platform;build;log;failed;',
      'platform;build;log;download;android;',
      'platform;',
      'app;build;failed;',
    ];
    assert.deepEqual(rows.filter(isOffered), rows.slice(0, 1));
  });

  it('offer every action of a row’s inline buttons in its context menu, which opens by keyboard', () => {
    const buttons = entries.filter(isButton);
    const menu = entries.filter((entry) => !isButton(entry));
    const words = [...new Set(entries.flatMap(({ when = '' }) => when.match(/\b[a-zA-Z]+\b/g) ?? []))];
    // These rows cover each kind, without and with each of its actions.
    const rows = words.flatMap((kind) => [kind, ...words.map((flag) => `${kind};${flag};`)]);
    assert.ok(buttons.length > 15);
    for (const button of buttons) {
      const view = CONDITION.exec(button.when ?? '')?.groups?.view ?? '';
      const shownAt = rows.filter((row) => holdsFor(button, view, row));
      assert.ok(shownAt.length > 0, `${button.command} is never shown: ${button.when}`);
      // The button that chooses how to install corresponds to the submenu with both ways.
      const commands = button.command === 'appBuild.install' ? ['appBuild.installOverUsb'] : [button.command];
      for (const row of shownAt) {
        const offered = view === VIEW ? withSubmenus(menu, row) : menu.filter((each) => holdsFor(each, view, row));
        assert.ok(
          offered.some(({ command }) => commands.includes(command)),
          `${button.command} is a button of ${row}, and not in its menu`,
        );
      }
    }
  });

  it('show at most seven entries per row', () => {
    const menu = entries.filter((entry) => !isButton(entry));
    for (const row of FULL_ROWS) {
      const shown = menu.filter((entry) => holdsFor(entry, VIEW, row)).map((entry) => entry.command ?? entry.submenu);
      assert.ok(shown.length > 0, `${row} has no menu`);
      assert.ok(shown.length <= MAX_ROW_ENTRIES, `${row}: ${shown.join(', ')}`);
      assert.deepEqual(shown, [...new Set(shown)], row);
    }
    const overflow = (contributes.menus['view/title'] ?? []).filter(
      ({ group, when = '' }) => !group.startsWith('navigation') && when.includes(VIEW),
    );
    assert.ok(overflow.length > 0 && overflow.length <= MAX_ROW_ENTRIES);
  });

  it('contain only existing commands and submenus, and no submenu with a single entry', () => {
    const commands = new Set(contributes.commands.map(({ command }) => command));
    for (const { id } of contributes.submenus) {
      assert.ok((contributes.menus[id] ?? []).length > 1, id);
    }
    for (const { command, submenu } of Object.values(contributes.menus).flat()) {
      assert.ok(commands.has(command ?? '') || contributes.submenus.some(({ id }) => id === submenu), command);
    }
  });

  it('limit the Command Palette to commands that need no selection, where they work', () => {
    const hidden = new Set(
      (contributes.menus.commandPalette ?? []).filter(({ when }) => when === 'false').map(({ command }) => command),
    );
    const shown = contributes.commands.filter(({ command }) => !hidden.has(command));
    assert.ok(shown.length <= MAX_PALETTE_COMMANDS, `${shown.length} commands are in the palette`);
    const anywhere = shown.filter(
      ({ command, enablement }) =>
        enablement === undefined &&
        !(contributes.menus.commandPalette ?? []).some((entry) => entry.command === command),
    );
    assert.deepEqual(
      anywhere.map(({ command }) => command.slice('appBuild.'.length)).sort(),
      ['collectDiagnostics', 'connect', 'createSampleProject', 'getStarted', 'services', 'showLog'],
      'commands without a condition',
    );
  });
});
