import {
  type EmbeddedResource,
  getTargetAddress,
  type Link,
  type Resource,
  type ResourceField,
} from '../../../service-client/index.ts';

/** Text of a row. */
export interface ResourceRowText {
  readonly label: string;
  /** Notes after the label, most important first. */
  readonly notes: readonly string[];
  /** Address or identifier that distinguishes rows with the same text. */
  readonly identity?: string | undefined;
  /** Position that distinguishes rows without an identity. */
  readonly position?: number | undefined;
}

/** Names of members that hold the elements of a list, regardless of their kind. */
const LIST_MEMBERS = new Set(
  (
    'all data elements entries entry item items member members objects orderedItems records Resources results rows value ' +
    'values'
  ).split(' '),
);

/**
 * Returns the text for an embedded resource: its title, or its kind, or its relation and position.
 *
 * @param labelAbove label of the parent row. A part with the same name is labeled with its relation.
 */
export function embeddedText({ rel, index, resource }: EmbeddedResource, labelAbove: string): ResourceRowText {
  const relation = shortRelation(rel);
  const { title, kind, isIdentifier, inside } = index === undefined ? getResourceName(resource) : getItemName(resource);
  const isListMember = kind !== undefined && LIST_MEMBERS.has(rel);
  const kindNote = kind === undefined || isSameWord(kind, relation) ? [] : [kind];
  /** Note for a label that already describes the kind. */
  const relationNote = isListMember || kindNote.length === 0 ? [] : [relation];
  const identity = getIdentity(resource);
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

/** Returns the text for a link: its title or relation as the label, and its name and value as notes. */
export function linkText({ rel, target, title, name, text }: Link): ResourceRowText {
  const relation = shortRelation(rel);
  const label = title ?? relation;
  const notes = [text, name, relation].filter((note) => note !== undefined);
  return { label, notes: notes.filter((note) => note !== label), identity: getTargetAddress(target) };
}

/** Distinguishes rows with the same text by the differences between their addresses, or by their positions. */
export function distinguishTexts(rows: readonly ResourceRowText[]): readonly ResourceRowText[] {
  const groups = Map.groupBy(rows, ({ label, notes }) => JSON.stringify([label, notes]));
  const distinct = new Map<ResourceRowText, ResourceRowText>();
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

/** Joins the lines of a tooltip. The tooltip includes a relation URL in full, because the row shows only its end. */
export function rowTooltip(label: string, relation: string, ...more: readonly (string | undefined)[]): string {
  return [label, isWebAddress(relation) ? relation : undefined, ...more]
    .filter((line) => line !== undefined)
    .join('\n');
}

function getIdentity({ self, title, fields }: Resource): string | undefined {
  if (self !== undefined) {
    return getTargetAddress(self.target);
  }
  return fields.find(isIdField)?.text ?? title;
}

/**
 * Reports whether two words are equal except for case and a plural “s”, such as `album` and `albums`, or `User` and
 * `user`.
 */
function isSameWord(one: string, other: string): boolean {
  const stem = (word: string): string => word.toLowerCase().replace(/s$/, '');
  return stem(one) === stem(other);
}

interface ResourceName {
  /** Title of the resource. Undefined if it has none. */
  readonly title: string | undefined;
  /** Kind of the resource: `User`, `Pod`, `customer`. */
  readonly kind: string | undefined;
  /** Whether the title is an identifier, which isn't meaningful on its own. */
  readonly isIdentifier: boolean;
  /** Title or kind of the only inner resource, if the resource itself has no title. */
  readonly inside?: string | undefined;
}

/**
 * Fields that describe the kind of an object, best first: JSON-LD, JSON:API and many others, Kubernetes, FHIR, Stripe,
 * OData.
 */
const KIND_FIELDS = new Map(
  ['@type', 'type', 'kind', 'resourceType', 'object', '@odata.type'].map((name, rank) => [name, rank]),
);

/**
 * Returns the name of a resource. An address isn't a title, because it's a location or an identifier for programs.
 * Without a title, a `value` is used, such as an email address in SCIM and FHIR.
 */
function getResourceName(resource: Resource): ResourceName {
  const { fields } = resource;
  const value = fields.find((field) => field.name === 'value' && !isFlag(field))?.text;
  const title = [resource.title, value].find((text) => text !== undefined && text !== '' && !isWebAddress(text));
  const isIdentifier = title !== undefined && fields.some((field) => isIdField(field) && field.text === title);
  return { title, kind: getResourceKind(resource), isIdentifier };
}

function isFlag({ value }: ResourceField): boolean {
  return value === null || typeof value === 'boolean';
}

/**
 * Returns the name of an array element. A wrapper, such as FHIR's `{fullUrl, resource, search}` or Spotify's `{added_at, track}`, is
 * named after the only named object in it.
 */
function getItemName(resource: Resource): ResourceName {
  const own = getResourceName(resource);
  const inside = own.title === undefined ? getContentName(resource) : undefined;
  if (inside === undefined) {
    return own;
  }
  return own.kind === undefined ? inside : { ...own, inside: inside.title ?? inside.kind };
}

/**
 * Returns the name of the only named object in a resource. A title is better than an identifier, which is better than a
 * kind.
 */
function getContentName({ embedded }: Resource): ResourceName | undefined {
  const parts = embedded.length === 1 ? embedded : embedded.filter(({ index }) => index === undefined);
  const names = parts.map(({ resource }) => getResourceName(resource));
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

function isIdField({ name }: ResourceField): boolean {
  return name.length === 2 && name.toLowerCase() === 'id';
}

function getResourceKind({ classes, fields }: Resource): string | undefined {
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
  // `#Trip.Service.Models.Person` is a type with its namespace (OData JSON Format 4.01 §4.6.3).
  return best?.startsWith('#') ? best.slice(Math.max(best.lastIndexOf('.'), 0) + 1) : best && shortRelation(best);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/**
 * Returns the last meaningful part of a web address: `date` for `https://api.example/rels/date` and `…#date`. Other
 * strings are returned unchanged.
 */
function shortRelation(relation: string): string {
  return isWebAddress(relation) ? getLastSegment(relation.split(/[/#?]/)) : relation;
}

/**
 * Returns the differences between addresses or identifiers: the last path segments if they're unique, otherwise the segments and
 * parameters that differ.
 *
 * @returns one string per address, which is empty if no part of the address differs.
 */
export function differences(addresses: readonly string[]): readonly string[] {
  const ends = addresses.map((address) => getLastSegment(address.split(/[?#{]/, 1)[0]?.split('/') ?? []));
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

function getLastSegment(segments: readonly string[]): string {
  return decoded(segments.findLast((segment) => segment !== '') ?? '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
