import type { Store } from './store.ts';

/**
 * An ID for a new row of `table`, larger than any before: clients remember the IDs of what was deleted. To be called within
 * the transaction that adds the row.
 */
export function nextId(store: Store, table: 'apps' | 'keys' | 'collaborators'): number {
  // The table is looked at for the first ID only: it may have no index that tells its largest one.
  const row = store.get(
    `INSERT INTO lastIds (name, id)
      VALUES (?, coalesce((SELECT id FROM lastIds WHERE name = ?), (SELECT max(id) FROM ${table}), 0) + 1)
      ON CONFLICT (name) DO UPDATE SET id = excluded.id RETURNING id`,
    table,
    table,
  );
  return Number(row?.id);
}
