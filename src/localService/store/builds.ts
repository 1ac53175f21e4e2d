/** The latest build of each app for each platform. */
import { timestamp, type App, type Artifact, type Build, type Platform } from './model.ts';
import type { Row, Store } from './store.ts';

export type BuildOutcome =
  | { readonly status: 'complete'; readonly artifact: Artifact }
  | { readonly status: 'error'; readonly error: string };

/** Unfinished builds that are read, the first ones first. More than can run at once. */
const MAX_LOOKED_AT = 200;

export function findBuild(store: Store, appId: number, platform: string): Build | undefined {
  const row = store.get('SELECT * FROM builds WHERE appId = ? AND platform = ?', appId, platform);
  return row && toBuild(row);
}

/** The builds that wait or run, the one that has waited for the longest time first. */
export function findUnfinishedBuilds(store: Store): readonly Build[] {
  const rows = store.all(
    'SELECT * FROM builds WHERE queuedAt IS NOT NULL AND finishedAt IS NULL ORDER BY queuedAt LIMIT ?',
    MAX_LOOKED_AT,
  );
  return rows.map(toBuild);
}

/** Asks for builds of an app: the latest ones are replaced. To be called within a transaction. */
export function requestBuilds(store: Store, appId: number, platforms: readonly Platform[], now: number): void {
  for (const platform of platforms) {
    store.run(
      `INSERT INTO builds (appId, platform, status, number, queuedAt) VALUES (?, ?, 'pending', 1, ?)
        ON CONFLICT DO UPDATE SET status = 'pending', number = number + 1, queuedAt = excluded.queuedAt, error = NULL,
          startedAt = NULL, finishedAt = NULL, logFile = NULL, artifactFile = NULL,
          artifactName = NULL, artifactSize = NULL, builder = NULL, signedWith = NULL`,
      appId,
      platform,
      now,
    );
  }
  if (platforms.length > 0) {
    store.run('UPDATE apps SET buildCount = buildCount + 1 WHERE id = ?', appId);
  }
}

/**
 * Ends a build that waits or runs; what runs is {@link isWanted} no longer. To be called within a transaction.
 *
 * @param error why it ended
 * @returns false when there is no such build
 */
export function endBuild(store: Store, appId: number, platform: Platform, error: string, now: number): boolean {
  const changed = store.run(
    `UPDATE builds SET status = 'error', error = ?, finishedAt = ?
      WHERE appId = ? AND platform = ? AND status = 'pending'`,
    error,
    now,
    appId,
    platform,
  );
  if (changed === 1) {
    store.run('UPDATE apps SET lastBuild = ? WHERE id = ?', timestamp(new Date(now)), appId);
  }
  return changed === 1;
}

/** The files that the builds of an app refer to. */
export function filesOfBuilds(store: Store, appId: App['id']): readonly string[] {
  const rows = store.all('SELECT logFile, artifactFile FROM builds WHERE appId = ?', appId);
  return rows
    .flatMap(({ logFile, artifactFile }) => [logFile, artifactFile])
    .filter((file) => typeof file === 'string');
}

/** Begins a build. Later builds of the same app and platform differ by the name of the log. */
export function beginBuild(store: Store, { appId, platform }: Build, startedAt: number, logFile: string): void {
  store.run(
    'UPDATE builds SET startedAt = ?, logFile = ? WHERE appId = ? AND platform = ?',
    startedAt,
    logFile,
    appId,
    platform,
  );
}

/** Whether a build that was begun is neither replaced nor cancelled nor deleted. */
export function isWanted(store: Store, { appId, platform, logFile }: Build): boolean {
  const row = store.get(
    'SELECT 1 FROM builds WHERE appId = ? AND platform = ? AND logFile = ? AND finishedAt IS NULL',
    appId,
    platform,
    logFile,
  );
  return row !== undefined;
}

/** Records how a build ended. @returns false when it is {@link isWanted} no longer */
export function finishBuild(
  store: Store,
  { appId, platform, logFile }: Build,
  outcome: BuildOutcome,
  now: number,
): boolean {
  const artifact = outcome.status === 'complete' ? outcome.artifact : undefined;
  const error = outcome.status === 'error' ? outcome.error : null;
  return store.transaction(() => {
    const changed = store.run(
      `UPDATE builds SET status = ?, error = ?, finishedAt = ?,
          artifactFile = ?, artifactName = ?, artifactSize = ?, builder = ?, signedWith = ?
        WHERE appId = ? AND platform = ? AND logFile = ? AND finishedAt IS NULL`,
      outcome.status,
      error,
      now,
      artifact?.file ?? null,
      artifact?.name ?? null,
      artifact?.size ?? null,
      artifact?.builder ?? null,
      artifact?.signedWith ?? null,
      appId,
      platform,
      logFile,
    );
    if (changed === 1) {
      store.run('UPDATE apps SET lastBuild = ? WHERE id = ?', timestamp(new Date(now)), appId);
    }
    return changed === 1;
  });
}

function toBuild(row: Row): Build {
  const { artifactFile: file, artifactName: name, artifactSize: size, builder, signedWith, ...build } = row;
  return { ...build, artifact: file === null ? null : { file, name, size, builder, signedWith } } as unknown as Build;
}
