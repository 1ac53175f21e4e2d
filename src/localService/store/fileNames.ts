import type { Store } from './store.ts';

/** The names of all files in `DataFiles` that the database refers to. */
export function fileNamesInUse(store: Store): ReadonlySet<string> {
  const rows = store.all(`
    SELECT uploadFile AS name FROM apps WHERE uploadFile IS NOT NULL
    UNION ALL SELECT iconFile FROM apps WHERE iconFile IS NOT NULL
    UNION ALL SELECT logFile FROM builds WHERE logFile IS NOT NULL
    UNION ALL SELECT artifactFile FROM builds WHERE artifactFile IS NOT NULL
    UNION ALL SELECT keystoreFile FROM keys WHERE keystoreFile IS NOT NULL
    UNION ALL SELECT certFile FROM keys WHERE certFile IS NOT NULL
    UNION ALL SELECT profileFile FROM keys WHERE profileFile IS NOT NULL`);
  return new Set(rows.map(({ name }) => String(name)));
}
