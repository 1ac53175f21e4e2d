/** The latest build of each app for each platform. */
import { timestamp, type App, type Artifact, type Build, type Platform } from './model.ts';
import type { Row, Store } from './store.ts';

/** A build that has not ended, and who runs it. */
export interface UnfinishedBuild extends Build {
  /** Name of the process that runs it; `null`: it waits. */
  readonly worker: string | null;
  /** Until when the process is taken to be alive, milliseconds since the epoch; `null`: it waits. */
  readonly leaseUntil: number | null;
}

/** How a build ended. */
export type BuildOutcome =
  | { readonly status: 'complete'; readonly artifact: Artifact }
  | { readonly status: 'error'; readonly error: string };

/** Unfinished builds that are looked at, the first ones first. More than can run at once. */
const MAX_LOOKED_AT = 200;

export function findBuild(store: Store, appId: number, platform: string): Build | undefined {
  const row = store.get('SELECT * FROM builds WHERE appId = ? AND platform = ?', appId, platform);
  return row && toBuild(row);
}

/** The builds that wait or run, the one that has waited for the longest time first. */
export function findUnfinishedBuilds(store: Store): readonly UnfinishedBuild[] {
  const rows = store.all(
    'SELECT * FROM builds WHERE queuedAt IS NOT NULL AND finishedAt IS NULL ORDER BY queuedAt LIMIT ?',
    MAX_LOOKED_AT,
  );
  return rows.map((row) => ({ ...toBuild(row), worker: row.worker, leaseUntil: row.leaseUntil }) as UnfinishedBuild);
}

/** Asks for builds of an app: the latest ones are replaced. To be called within a transaction. */
export function requestBuilds(store: Store, appId: number, platforms: readonly Platform[], now: number): void {
  for (const platform of platforms) {
    store.run(
      `INSERT INTO builds (appId, platform, status, number, queuedAt) VALUES (?, ?, 'pending', 1, ?)
        ON CONFLICT DO UPDATE SET status = 'pending', number = number + 1, queuedAt = excluded.queuedAt, error = NULL,
          startedAt = NULL, finishedAt = NULL, worker = NULL, leaseUntil = NULL, logFile = NULL,
          artifactFile = NULL, artifactName = NULL, artifactSize = NULL, builder = NULL`,
      ...[appId, platform, now],
    );
  }
  if (platforms.length > 0) {
    store.run('UPDATE apps SET buildCount = buildCount + 1 WHERE id = ?', appId);
  }
}

/**
 * Ends a build that waits or runs. Who runs it notices that it is claimed no longer. To be called within a transaction.
 *
 * @param error why it ended
 * @returns false when there is no such build
 */
export function endBuild(store: Store, appId: number, platform: Platform, error: string, now: number): boolean {
  const changed = store.run(
    `UPDATE builds SET status = 'error', error = ?, finishedAt = ?, worker = NULL, leaseUntil = NULL
      WHERE appId = ? AND platform = ? AND status = 'pending'`,
    ...[error, now, appId, platform],
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

/**
 * Takes over a build that waits, or whose process is gone, unless another process or a request was faster.
 *
 * @param claim the process, until when it is taken to be alive, and the name of the log
 */
export function claimBuild(
  store: Store,
  { appId, platform, number, worker, leaseUntil }: UnfinishedBuild,
  claim: { readonly worker: string; readonly leaseUntil: number; readonly startedAt: number; readonly logFile: string },
): boolean {
  const changed = store.run(
    `UPDATE builds SET worker = ?, leaseUntil = ?, startedAt = ?, logFile = ?
      WHERE appId = ? AND platform = ? AND number = ? AND worker IS ? AND leaseUntil IS ? AND finishedAt IS NULL`,
    ...[claim.worker, claim.leaseUntil, claim.startedAt, claim.logFile],
    ...[appId, platform, number, worker, leaseUntil],
  );
  return changed === 1;
}

/** Whether a build is still the one that a process has claimed: not replaced, deleted, or taken over by another process. */
export function isClaimed(store: Store, { appId, platform, number }: Build, worker: string): boolean {
  const row = store.get(
    'SELECT 1 FROM builds WHERE appId = ? AND platform = ? AND number = ? AND worker = ?',
    ...[appId, platform, number, worker],
  );
  return row !== undefined;
}

/** Says that the process that has claimed a build is alive. */
export function renewLease(store: Store, { appId, platform }: Build, worker: string, leaseUntil: number): void {
  store.run(
    'UPDATE builds SET leaseUntil = ? WHERE appId = ? AND platform = ? AND worker = ?',
    ...[leaseUntil, appId, platform, worker],
  );
}

/** Lets other processes have the builds of this one. */
export function releaseBuilds(store: Store, worker: string): void {
  // What has not ended is in an index, the workers are not.
  store.run(
    `UPDATE builds SET worker = NULL, leaseUntil = NULL, startedAt = NULL
      WHERE worker = ? AND queuedAt IS NOT NULL AND finishedAt IS NULL`,
    worker,
  );
}

/** Records how a build ended. @returns false when it is no longer the one that the process has claimed */
export function finishBuild(
  store: Store,
  { appId, platform, number }: Build,
  worker: string,
  outcome: BuildOutcome,
  now: number,
): boolean {
  const artifact = outcome.status === 'complete' ? outcome.artifact : undefined;
  const error = outcome.status === 'error' ? outcome.error : null;
  return store.transaction(() => {
    const changed = store.run(
      `UPDATE builds SET status = ?, error = ?, finishedAt = ?, worker = NULL, leaseUntil = NULL,
          artifactFile = ?, artifactName = ?, artifactSize = ?, builder = ?
        WHERE appId = ? AND platform = ? AND number = ? AND worker = ?`,
      ...[outcome.status, error, now],
      ...[artifact?.file ?? null, artifact?.name ?? null, artifact?.size ?? null, artifact?.builder ?? null],
      ...[appId, platform, number, worker],
    );
    if (changed === 1) {
      store.run('UPDATE apps SET lastBuild = ? WHERE id = ?', timestamp(new Date(now)), appId);
    }
    return changed === 1;
  });
}

function toBuild(row: Row): Build {
  const { appId, platform, status, error, number, queuedAt, startedAt, finishedAt, logFile } = row;
  const { artifactFile: file, artifactName: name, artifactSize: size, builder } = row;
  return {
    ...{ appId, platform, status, error, number, queuedAt, startedAt, finishedAt, logFile },
    artifact: file === null ? null : { file, name, size, builder },
  } as Build;
}
