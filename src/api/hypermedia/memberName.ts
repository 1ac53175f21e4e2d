import { pointerTo } from './pointer.ts';

/** What a plain convention makes of a member by its name alone. */
export type PlainRole =
  /** The resource's own address (contract, "link attributes"). */
  | 'own'
  /** The resource's own address when it is on the same origin; otherwise just an address. */
  | 'address'
  /** A link only when the value is unmistakably an address: a location can also be a town. */
  | 'paging'
  /** `html_url`, `avatarUrl`. */
  | 'suffix'
  | 'none';

/** What the name of a member says about its value. */
export interface MemberName {
  readonly name: string;
  readonly role: PlainRole;
  /** Relation of a link found under this name. */
  readonly rel: string;
  /** Position among the names that make a title, best first; Infinity for the others. */
  readonly titleRank: number;
  /** The step in a JSON Pointer, with its slash. */
  readonly step: string;
}

/** Members by which people recognise a thing, best first. */
const TITLES = ['title', 'name', 'username', 'id'];

const ROLES = new Map<string, PlainRole>([
  ['link', 'own'],
  ['self', 'own'],
  ['href', 'address'],
  ['url', 'address'],
  ['uri', 'address'],
  ['next', 'paging'],
  ['previous', 'paging'],
  ['prev', 'paging'],
  ['first', 'paging'],
  ['last', 'paging'],
  ['location', 'paging'],
]);

/** Position among the names that make a title, best first; Infinity for the others. */
export function titleRank(name: string): number {
  const rank = TITLES.indexOf(name);
  return rank < 0 ? Infinity : rank;
}

/** Works out what a member's name says. */
export function memberName(name: string): MemberName {
  const step = pointerTo('', name);
  const suffix = name.endsWith('_url') ? 4 : name.endsWith('Url') ? 3 : 0;
  if (suffix > 0 && name.length > suffix) {
    return { name, role: 'suffix', rel: name.slice(0, -suffix), titleRank: titleRank(name), step };
  }
  const role = ROLES.get(name) ?? 'none';
  return { name, role, rel: role === 'own' ? 'self' : name, titleRank: titleRank(name), step };
}
