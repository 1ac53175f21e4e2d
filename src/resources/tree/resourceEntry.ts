import type { Resource } from '../../api/hypermedia/resource.ts';
import type { Entry, EntryState } from './arrangement.ts';

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

const STATES: ReadonlyMap<string, EntryState> = new Map([
  ['pending', 'underWay'],
  ['queued', 'underWay'],
  ['waiting', 'underWay'],
  ['building', 'underWay'],
  ['running', 'underWay'],
  ['in_progress', 'underWay'],
  ['error', 'failed'],
  ['failed', 'failed'],
  ['failure', 'failed'],
  ['complete', 'complete'],
  ['completed', 'complete'],
  ['success', 'complete'],
  ['succeeded', 'complete'],
]);

/** Numbers below are seconds since 1970, numbers above are milliseconds. */
const MAX_EPOCH_SECONDS = 1e11;

/** What a list sorts a resource of any kind by. @param title as its row says. */
export function resourceEntry(title: string, resource: Resource | undefined): Entry {
  const state = textOf(resource, STATE_FIELDS);
  return {
    title,
    updatedAt: timeOf(textOf(resource, TIME_FIELDS)),
    state: state === undefined ? undefined : (STATES.get(state.toLowerCase()) ?? 'other'),
  };
}

function textOf(resource: Resource | undefined, names: readonly string[]): string | undefined {
  const fields = resource?.fields.filter(({ value }) => value !== null) ?? [];
  for (const name of names) {
    const field = fields.find((each) => each.name.replaceAll('_', '').toLowerCase() === name);
    if (field !== undefined) {
      return field.text;
    }
  }
  return undefined;
}

function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) {
    return undefined;
  }
  const number = Number(text);
  const date = new Date(Number.isNaN(number) ? text : number < MAX_EPOCH_SECONDS ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
