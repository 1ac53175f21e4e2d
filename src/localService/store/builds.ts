/** The latest build of each app for each platform. */
import type { Build } from './model.ts';
import type { Row, Store } from './store.ts';

export function findBuild(store: Store, appId: number, platform: string): Build | undefined {
  const row = store.get('SELECT * FROM builds WHERE appId = ? AND platform = ?', appId, platform);
  return row && toBuild(row);
}

function toBuild(row: Row): Build {
  const { appId, platform, status, error, number, queuedAt, startedAt, finishedAt, logFile } = row;
  const { artifactFile: file, artifactName: name, artifactSize: size, builder } = row;
  return {
    ...{ appId, platform, status, error, number, queuedAt, startedAt, finishedAt, logFile },
    artifact: file === null ? null : { file, name, size, builder },
  } as Build;
}
