import type { Store } from './store.ts';

/**
 * An ID for a new row of `table`, larger than any before: clients remember the IDs of what was deleted. To be called within
 * the transaction that adds the row.
 */
export function nextId(store: Store, table: 'apps' | 'keys' | 'collaborators'): number {
  const row = store.get(
    `INSERT INTO lastIds (name, id) VALUES (?, (SELECT coalesce(max(id), 0) + 1 FROM ${table}))
      ON CONFLICT (name) DO UPDATE SET id = max(id + 1, excluded.id) RETURNING id`,
    table,
  );
  return Number(row?.id);
}
