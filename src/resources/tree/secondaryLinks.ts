import type { Link, Resource } from '../../api/hypermedia/resource.ts';

/** Secondary links that may stand among the others. */
const MAX_AMONG_DATA = 15;

/**
 * The links that stand in a group of their own: those that lead to another host or need values first, when there are many
 * of them beside something else. None of a resource that has nothing else.
 */
export function secondaryLinks({ fields, embedded, links, forms }: Resource): ReadonlySet<Link> {
  const secondary = links.filter(isSecondary);
  const rest = fields.length + embedded.length + forms.length + links.length - secondary.length;
  return new Set(secondary.length > MAX_AMONG_DATA && rest > 0 ? secondary : []);
}

/** An inferred link is data as well: its row holds a value of the resource. */
function isSecondary({ target, method = 'GET', convention }: Link): boolean {
  return target.kind !== 'internal' && method === 'GET' && convention !== 'inferred';
}
