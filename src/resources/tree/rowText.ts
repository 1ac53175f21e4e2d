import { addressOf } from '../../api/hypermedia/links.ts';
import type { Embedded, Link, Resource } from '../../api/hypermedia/resource.ts';
import { differences, isWebAddress, shortRelation } from './addressText.ts';
import { isIdField, nameOf, nameOfItem } from './resourceName.ts';

/** What a row says: which one, and what it is. */
export interface RowText {
  readonly label: string;
  /** Stand beside the label, the most telling first. */
  readonly notes: readonly string[];
  /** Address or identifier: tells apart rows that would say the same. */
  readonly identity?: string | undefined;
  /** Tells them apart where there is no identity. */
  readonly position?: number | undefined;
}

/** Names of members that hold the elements of a list, whatever these are. */
const LIST_MEMBERS = new Set([
  'all',
  'data',
  'elements',
  'entries',
  'entry',
  'item',
  'items',
  'member',
  'members',
  'objects',
  'orderedItems',
  'records',
  'Resources',
  'results',
  'rows',
  'value',
  'values',
]);

/**
 * The text of an embedded resource: its title, or what it is, or the relation and its position.
 *
 * @param labelAbove what the row above says: a part of the same name is called by its relation.
 */
export function embeddedText({ rel, index, resource }: Embedded, labelAbove: string): RowText {
  const relation = shortRelation(rel);
  const { title, kind, isIdentifier, inside } = index === undefined ? nameOf(resource) : nameOfItem(resource);
  const isListMember = kind !== undefined && LIST_MEMBERS.has(rel);
  const kindNote = kind === undefined || isSameWord(kind, relation) ? [] : [kind];
  /** Beside a label that says what the thing is. */
  const relationNote = isListMember || kindNote.length === 0 ? [] : [relation];
  const identity = identityOf(resource);
  const label = isIdentifier && kind !== undefined ? `${kind} ${title ?? ''}` : title;
  if (label !== undefined && label !== relation && !(index === undefined && label === labelAbove)) {
    const notes = label !== title ? relationNote : isListMember ? [kind] : [relation, ...kindNote];
    return { label, notes, identity };
  }
  if (index === undefined) {
    return { label: relation, notes: kindNote, identity };
  }
  const position = index + 1;
  const insideNote = inside === undefined ? [] : [inside];
  return kind === undefined
    ? { label: `${relation} ${position}`, notes: insideNote }
    : { label: kind, notes: [...insideNote, ...relationNote], identity, position };
}

/** The text of a link: its title or relation, beside it its name and value. */
export function linkText({ rel, target, title, name, text }: Link): RowText {
  const relation = shortRelation(rel);
  const label = title ?? relation;
  const notes = [text, name, relation].filter((note) => note !== undefined);
  return { label, notes: notes.filter((note) => note !== label), identity: addressOf(target) };
}

/** Tells apart rows that say the same: by what is different in their addresses, or by their positions. */
export function tellApart(rows: readonly RowText[]): readonly RowText[] {
  const groups = new Map<string, RowText[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.label, row.notes]);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [row]);
    } else {
      group.push(row);
    }
  }
  const told = new Map<RowText, RowText>();
  for (const group of groups.values()) {
    if (group.length > 1) {
      const notes = differences(group.map(({ identity = '' }) => identity));
      for (const [place, row] of group.entries()) {
        const note = notes[place] ?? '';
        if (note !== '') {
          told.set(row, { ...row, notes: [note, ...row.notes] });
        } else if (row.position !== undefined) {
          told.set(row, { ...row, label: `${row.label} ${row.position}` });
        }
      }
    }
  }
  return rows.map((row) => told.get(row) ?? row);
}

/** The lines of a tooltip, with the relation in whole where a row shows only its end. */
export function rowTooltip(label: string, relation: string, address?: string): string {
  return [label, ...(isWebAddress(relation) ? [relation] : []), ...(address === undefined ? [] : [address])].join('\n');
}

function identityOf({ self, title, fields }: Resource): string | undefined {
  if (self !== undefined) {
    return addressOf(self.target);
  }
  return fields.find(isIdField)?.text ?? title;
}

/** True for `album` and `albums`, `User` and `user`. */
function isSameWord(one: string, other: string): boolean {
  const stem = (word: string): string => word.toLowerCase().replace(/s$/, '');
  return stem(one) === stem(other);
}
