import type { Resource } from '../../api/hypermedia/resource.ts';

/** In which order the entries of a list stand: `service` is as the service lists them. */
export const ORDERS = ['service', 'title', 'updated', 'state'] as const;
export type Order = (typeof ORDERS)[number];

/** Which rows of the Resources view are shown, and in which order. */
export interface Arrangement {
  /** Words to look for; empty when everything is shown. */
  readonly filter: string;
  readonly order: Order;
}

/** Everything, as the service lists it. */
export const AS_SERVED: Arrangement = { filter: '', order: 'service' };

/** True when rows are hidden, or stand elsewhere. */
export function isArrangement({ filter, order }: Arrangement): boolean {
  return filter !== AS_SERVED.filter || order !== AS_SERVED.order;
}

/** Characters of a filter, more than a person types. */
export const MAX_FILTER_LENGTH = 200;

/** The sort keys of an entry of a list. */
export interface Entry {
  readonly title: string;
  /** When it last changed, or was last built. */
  readonly updatedAt: Date | undefined;
  readonly state: EntryState | undefined;
}

/** In the order of a list that is sorted by state. */
const ENTRY_STATES = ['underWay', 'failed', 'other', 'complete', 'none'] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

/** Makes an arrangement of what was stored, whatever that is. */
export function readArrangement(stored: unknown): Arrangement {
  const { filter, order } = Object(stored) as { readonly filter?: unknown; readonly order?: unknown };
  return {
    filter: typeof filter === 'string' ? cleanFilter(filter) : AS_SERVED.filter,
    order: ORDERS.find((each) => each === order) ?? AS_SERVED.order,
  };
}

/** A filter without spaces at its ends, and not too long. */
export function cleanFilter(text: string): string {
  return text.trim().slice(0, MAX_FILTER_LENGTH).trim();
}

/** The words of a filter, as {@link hasWords} compares them. None when it hides nothing. */
export function wordsOf(filter: string): readonly string[] {
  return folded(filter)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** True when a text has all of the words somewhere, in whatever case and with whatever accents. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const searched = folded(text);
  return words.every((word) => searched.includes(word));
}

/** Upper case folds more than lower case: ß and SS, ς and σ. What NFKD takes apart can be in lower case again. */
function folded(text: string): string {
  return text.toUpperCase().normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
}

/**
 * Rows with their entries in order. What is no entry stays where it is, and entries that do not differ stay as the service
 * lists them; those without what is sorted by come last.
 *
 * @param entryOf undefined for a row that is no entry of the list.
 * @param language of the titles, as a BCP 47 tag.
 */
export function inOrder<T>(
  rows: readonly T[],
  entryOf: (row: T) => Entry | undefined,
  order: Order,
  language: string,
): readonly T[] {
  const compare = comparison(order, language);
  if (compare === undefined) {
    return rows;
  }
  const entries = rows.flatMap((row) => {
    const entry = entryOf(row);
    return entry === undefined ? [] : [{ row, entry }];
  });
  const places = new Set(entries.map(({ row }) => row));
  const sorted = entries.sort((one, other) => compare(one.entry, other.entry)).values();
  return rows.map((row) => (places.has(row) ? (sorted.next().value?.row ?? row) : row));
}

function comparison(order: Order, language: string): ((one: Entry, other: Entry) => number) | undefined {
  switch (order) {
    case 'service':
      return undefined;
    case 'title': {
      const { compare } = new Intl.Collator(language, { numeric: true });
      return (one, other) => compare(one.title, other.title);
    }
    case 'updated':
      return (one, other) => updateTime(other) - updateTime(one);
    case 'state':
      return (one, other) => rankOf(one) - rankOf(other);
  }
}

/** In ms; the beginning of time where it is unknown. Not infinity: the difference of two would be NaN. */
function updateTime({ updatedAt }: Entry): number {
  const time = updatedAt?.getTime() ?? NaN;
  return Number.isNaN(time) ? -Number.MAX_SAFE_INTEGER : time;
}

function rankOf({ state }: Entry): number {
  return state === undefined ? ENTRY_STATES.length : ENTRY_STATES.indexOf(state);
}

/** Fields that say when a thing last changed, best first; without underscores, in lower case. */
const TIME_FIELDS = [
  'updatedat',
  'updated',
  'modifiedat',
  'lastmodified',
  'modified',
  'lastbuild',
  'createdat',
  'created',
];
const STATE_FIELDS = ['state', 'status'];

/** Words for a state, in lower case. */
const STATE_WORDS: readonly (readonly [state: EntryState, words: readonly string[]])[] = [
  ['underWay', ['pending', 'queued', 'waiting', 'building', 'running', 'in_progress']],
  ['failed', ['error', 'failed', 'failure']],
  ['complete', ['complete', 'completed', 'success', 'succeeded']],
];

/** Numbers below are seconds since 1970, numbers above are milliseconds. */
const MAX_EPOCH_SECONDS = 1e11;

/** The sort keys of a resource of any kind. @param title as its row says. */
export function resourceEntry(title: string, resource: Resource | undefined): Entry {
  const state = fieldText(resource, STATE_FIELDS);
  return {
    title,
    updatedAt: timeOfText(fieldText(resource, TIME_FIELDS)),
    state: state === undefined ? undefined : stateOfText(state),
  };
}

function stateOfText(text: string): EntryState {
  return STATE_WORDS.find(([, words]) => words.includes(text.toLowerCase()))?.[0] ?? 'other';
}

function fieldText(resource: Resource | undefined, names: readonly string[]): string | undefined {
  const fields = resource?.fields.filter(({ value }) => value !== null) ?? [];
  for (const name of names) {
    const field = fields.find((each) => each.name.replaceAll('_', '').toLowerCase() === name);
    if (field !== undefined) {
      return field.text;
    }
  }
  return undefined;
}

function timeOfText(text: string | undefined): Date | undefined {
  if (text === undefined) {
    return undefined;
  }
  const number = Number(text);
  const date = new Date(Number.isNaN(number) ? text : number < MAX_EPOCH_SECONDS ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
