import { addressOfTarget } from '../../api/hypermedia/links.ts';
import type { Embedded, Link, Resource, Field } from '../../api/hypermedia/resource.ts';

export interface RowText {
  readonly label: string;
  /** Stand beside the label, the most important first. */
  readonly notes: readonly string[];
  /** Address or identifier: distinguishes rows of the same text. */
  readonly identity?: string | undefined;
  /** Distinguishes them where there is no identity. */
  readonly position?: number | undefined;
}

/** Names of members that hold the elements of a list, whatever these are. */
const LIST_MEMBERS = new Set(
  (
    'all data elements entries entry item items member members objects orderedItems records Resources results rows value ' +
    'values'
  ).split(' '),
);

/**
 * The text of an embedded resource: its title, or what it is, or the relation and its position.
 *
 * @param labelAbove what the row above says: a part of the same name is called by its relation.
 */
export function embeddedText({ rel, index, resource }: Embedded, labelAbove: string): RowText {
  const relation = shortRelation(rel);
  const { title, kind, isIdentifier, inside } = index === undefined ? nameOfResource(resource) : nameOfItem(resource);
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
  return { label, notes: notes.filter((note) => note !== label), identity: addressOfTarget(target) };
}

/** Distinguishes rows of the same text: by the differences between their addresses, or by their positions. */
export function distinctTexts(rows: readonly RowText[]): readonly RowText[] {
  const groups = Map.groupBy(rows, ({ label, notes }) => JSON.stringify([label, notes]));
  const distinct = new Map<RowText, RowText>();
  for (const group of groups.values()) {
    if (group.length > 1) {
      const notes = differences(group.map(({ identity = '' }) => identity));
      for (const [place, row] of group.entries()) {
        const note = notes[place] ?? '';
        if (note !== '') {
          distinct.set(row, { ...row, notes: [note, ...row.notes] });
        } else if (row.position !== undefined) {
          distinct.set(row, { ...row, label: `${row.label} ${row.position}` });
        }
      }
    }
  }
  return rows.map((row) => distinct.get(row) ?? row);
}

/** The lines of a tooltip, with the relation in whole where a row shows only its end. @param more lines, where there are some. */
export function rowTooltip(label: string, relation: string, ...more: readonly (string | undefined)[]): string {
  return [label, isWebAddress(relation) ? relation : undefined, ...more]
    .filter((line) => line !== undefined)
    .join('\n');
}

function identityOf({ self, title, fields }: Resource): string | undefined {
  if (self !== undefined) {
    return addressOfTarget(self.target);
  }
  return fields.find(isIdField)?.text ?? title;
}

/** True for `album` and `albums`, `User` and `user`. */
function isSameWord(one: string, other: string): boolean {
  const stem = (word: string): string => word.toLowerCase().replace(/s$/, '');
  return stem(one) === stem(other);
}

interface ResourceName {
  /** What it is called; undefined when nothing names it. */
  readonly title: string | undefined;
  /** What it is: `User`, `Pod`, `customer`. */
  readonly kind: string | undefined;
  /** The title is an identifier, which says little by itself. */
  readonly isIdentifier: boolean;
  /** What the one thing inside is called, or is, when the resource itself has no title. */
  readonly inside?: string | undefined;
}

/** Fields that say what a thing is, best first: JSON-LD, JSON:API and many others, Kubernetes, FHIR, Stripe, OData. */
const KIND_FIELDS = new Map(
  ['@type', 'type', 'kind', 'resourceType', 'object', '@odata.type'].map((name, rank) => [name, rank]),
);

/**
 * The name of a resource. An address is no title: it is where the resource is, or an identifier for programs. A value names
 * what has no title, such as an e-mail address in SCIM and FHIR.
 */
function nameOfResource(resource: Resource): ResourceName {
  const { fields } = resource;
  const value = fields.find((field) => field.name === 'value' && !isFlag(field))?.text;
  const title = [resource.title, value].find((text) => text !== undefined && text !== '' && !isWebAddress(text));
  const isIdentifier = title !== undefined && fields.some((field) => isIdField(field) && field.text === title);
  return { title, kind: kindOfResource(resource), isIdentifier };
}

function isFlag({ value }: Field): boolean {
  return value === null || typeof value === 'boolean';
}

/**
 * The name of an element of an array. One that is only a wrapper, such as FHIR's `{fullUrl, resource, search}` or
 * Spotify's `{added_at, track}`, is called what the one named thing in it is called.
 */
function nameOfItem(resource: Resource): ResourceName {
  const own = nameOfResource(resource);
  const inside = own.title === undefined ? nameOfContent(resource) : undefined;
  if (inside === undefined) {
    return own;
  }
  return own.kind === undefined ? inside : { ...own, inside: inside.title ?? inside.kind };
}

/** The name of the one named thing in a resource; a title says more than an identifier, and that more than a kind. */
function nameOfContent({ embedded }: Resource): ResourceName | undefined {
  const parts = embedded.length === 1 ? embedded : embedded.filter(({ index }) => index === undefined);
  const names = parts.map(({ resource }) => nameOfResource(resource));
  for (const candidates of [
    names.filter(({ title, isIdentifier }) => title !== undefined && !isIdentifier),
    names.filter(({ title }) => title !== undefined),
    names.filter(({ kind }) => kind !== undefined),
  ]) {
    if (candidates.length > 0) {
      return candidates.length === 1 ? candidates[0] : undefined;
    }
  }
  return undefined;
}

/** True for the field that numbers or names a thing for programs. */
function isIdField({ name }: Field): boolean {
  return name.length === 2 && name.toLowerCase() === 'id';
}

function kindOfResource({ classes, fields }: Resource): string | undefined {
  if (classes?.[0] !== undefined) {
    return shortRelation(classes[0]);
  }
  let best: string | undefined;
  let bestRank = KIND_FIELDS.size;
  for (const { name, value } of fields) {
    const rank = KIND_FIELDS.get(name) ?? bestRank;
    if (rank < bestRank && typeof value === 'string' && value !== '') {
      best = value;
      bestRank = rank;
    }
  }
  // `#Trip.Service.Models.Person` is a type and its namespace (OData JSON Format 4.01 §4.6.3)
  return best?.startsWith('#') ? best.slice(Math.max(best.lastIndexOf('.'), 0) + 1) : best && shortRelation(best);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** The last part of a web address that says something: `https://api.example/rels/date` and `…#date` are `date`. Other texts stay. */
export function shortRelation(relation: string): string {
  return isWebAddress(relation) ? lastOf(relation.split(/[/#?]/)) : relation;
}

/**
 * The differences between addresses or identifiers: the last segments of their paths, or else the segments and parameters in
 * which they differ.
 *
 * @returns one text for each; empty where an address has nothing of its own
 */
export function differences(addresses: readonly string[]): readonly string[] {
  const ends = addresses.map((address) => lastOf(address.split(/[?#{]/, 1)[0]?.split('/') ?? []));
  if (new Set(ends).size === ends.length) {
    return ends;
  }
  const all = addresses.map((address) => address.split(/[/?#&{}]/));
  const [first = []] = all;
  const shortest = Math.min(...all.map(({ length }) => length));
  let before = 0;
  while (before < shortest && all.every((parts) => parts[before] === first[before])) {
    before += 1;
  }
  let after = 0;
  while (after < shortest - before && all.every((parts) => parts.at(-1 - after) === first.at(-1 - after))) {
    after += 1;
  }
  return all.map((parts) => decoded(parts.slice(before, parts.length - after).join('/')));
}

function lastOf(segments: readonly string[]): string {
  return decoded(segments.findLast((segment) => segment !== '') ?? '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
