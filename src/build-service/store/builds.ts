/** Stores the latest build of each app for each platform. */
import type { SQLInputValue } from 'node:sqlite';

import { timestamp, type App, type Artifact, type Build } from './model.ts';
import type { DatabaseRow, Store } from './store.ts';
import type { Platform } from '../../android-package/index.ts';

/** Result of a build: a package or an error. */
export type BuildOutcome =
  | { readonly status: 'complete'; readonly artifact: Artifact; readonly versionCode?: number | undefined }
  | { readonly status: 'error'; readonly error: string };

const IS_UNFINISHED = 'queuedAt IS NOT NULL AND finishedAt IS NULL';

/** Returns the latest build of an app for a platform. */
export function findBuild(store: Store, appId: number, platform: string): Build | undefined {
  const row = store.get('SELECT * FROM builds WHERE appId = ? AND platform = ?', appId, platform);
  return row && toBuild(row);
}

/** Returns the queued and running builds, oldest first. @param count maximum number of builds. -1 returns all */
export function findUnfinishedBuilds(store: Store, count = -1): readonly Build[] {
  const rows = store.all(`SELECT * FROM builds WHERE ${IS_UNFINISHED} ORDER BY queuedAt LIMIT ?`, count);
  return rows.map(toBuild);
}

/** Requests builds of an app, which replace its latest ones. Must be called within a transaction. */
export function requestBuilds(store: Store, appId: number, platforms: readonly Platform[]): void {
  for (const platform of platforms) {
    store.run(
      `INSERT INTO builds (appId, platform, status, number, queuedAt) VALUES (?, ?, 'pending', 1, ?)
        ON CONFLICT DO UPDATE SET status = 'pending', number = number + 1, queuedAt = excluded.queuedAt, error = NULL,
          startedAt = NULL, finishedAt = NULL, interruptions = 0, logFile = NULL, artifactFile = NULL,
          artifactName = NULL, artifactSize = NULL, builder = NULL, signedWith = NULL, sha1 = NULL, sha256 = NULL,
          bundleFile = NULL, bundleName = NULL, bundleSize = NULL`,
      appId,
      platform,
      store.now(),
    );
  }
  if (platforms.length > 0) {
    store.run('UPDATE apps SET buildCount = buildCount + 1 WHERE id = ?', appId);
  }
}

/**
 * Ends a queued or running build. After that, {@link isCurrent} returns false for it. Must be called within a
 * transaction.
 *
 * @param error reason why the build ended
 * @returns false if no such build exists
 */
export function endBuild(store: Store, appId: number, platform: Platform, error: string): boolean {
  const values = { status: 'error', error };
  return end(store, appId, values, `appId = ? AND platform = ? AND status = 'pending'`, appId, platform);
}

/** Returns the names of the files that an app's builds refer to. */
export function findBuildFiles(store: Store, appId: App['id']): readonly string[] {
  const rows = store.all('SELECT logFile, artifactFile, bundleFile FROM builds WHERE appId = ?', appId);
  return rows
    .flatMap(({ logFile, artifactFile, bundleFile }) => [logFile, artifactFile, bundleFile])
    .filter((file) => typeof file === 'string');
}

/** Marks a build as running. The log's name distinguishes it from other builds of the same app and platform. */
export function beginBuild(store: Store, { appId, platform }: Build, startedAt: number, logFile: string): void {
  store.update('builds', { startedAt, logFile }, 'appId = ? AND platform = ?', appId, platform);
}

/** Takes over the builds of an earlier process. Retries a build once if it was running when that process was killed. */
export function takeOverBuilds(store: Store): void {
  store.transaction(() => {
    store.run(
      `UPDATE builds SET interruptions = interruptions + 1, startedAt = NULL WHERE startedAt IS NOT NULL AND ${IS_UNFINISHED}`,
    );
    for (const build of store.all(`SELECT * FROM builds WHERE interruptions >= 2 AND ${IS_UNFINISHED}`)) {
      const { appId, platform } = toBuild(build);
      endBuild(store, appId, platform, 'The service stopped twice during this build. Build the app again.');
    }
  });
}

const IS_WANTED = 'appId = ? AND platform = ? AND logFile = ? AND finishedAt IS NULL';

/** Reports whether a build that has begun hasn't been replaced, canceled, or deleted. */
export function isCurrent(store: Store, { appId, platform, logFile }: Build): boolean {
  return store.get(`SELECT 1 FROM builds WHERE ${IS_WANTED}`, appId, platform, logFile) !== undefined;
}

/** Puts a running build back in the queue for the next process, without counting it as interrupted. */
export function releaseBuild(store: Store, { appId, platform, logFile }: Build): void {
  store.update('builds', { startedAt: null }, IS_WANTED, appId, platform, logFile);
}

/**
 * Records the result of a build. Stores the version code only if it's higher than the last one.
 *
 * @returns false if {@link isCurrent} is false for the build
 */
export function finishBuild(store: Store, build: Build, outcome: BuildOutcome): boolean {
  const { appId, platform, logFile } = build;
  const artifact = outcome.status === 'complete' ? outcome.artifact : undefined;
  const error = outcome.status === 'error' ? outcome.error : null;
  const values = {
    status: outcome.status,
    error,
    artifactFile: artifact?.file ?? null,
    artifactName: artifact?.name ?? null,
    artifactSize: artifact?.size ?? null,
    builder: artifact?.builder ?? null,
    signedWith: artifact?.signedWith ?? null,
    sha1: artifact?.fingerprints?.sha1 ?? null,
    sha256: artifact?.fingerprints?.sha256 ?? null,
    bundleFile: artifact?.bundle?.file ?? null,
    bundleName: artifact?.bundle?.name ?? null,
    bundleSize: artifact?.bundle?.size ?? null,
    ...(outcome.status === 'complete' && outcome.versionCode !== undefined
      ? { versionCode: Math.max(build.versionCode ?? 0, outcome.versionCode) }
      : {}),
  };
  return store.transaction(() => end(store, appId, values, IS_WANTED, appId, platform, logFile));
}

/** Records that a build has ended, in the rows of the build and its app. @returns false if no such build exists */
function end(
  store: Store,
  appId: number,
  values: Readonly<Record<string, SQLInputValue>>,
  ...where: readonly [where: string, ...values: SQLInputValue[]]
): boolean {
  const finishedAt = store.now();
  const isChanged = store.update('builds', { ...values, finishedAt }, ...where) === 1;
  if (isChanged) {
    store.update('apps', { lastBuild: timestamp(new Date(finishedAt)) }, 'id = ?', appId);
  }
  return isChanged;
}

function toBuild(row: DatabaseRow): Build {
  const { artifactFile: file, artifactName: name, artifactSize: size, builder, signedWith, ...rest } = row;
  const { bundleFile, bundleName, bundleSize, sha1, sha256, ...build } = rest;
  const bundle = bundleFile === null ? null : { file: bundleFile, name: bundleName, size: bundleSize };
  const fingerprints = sha1 === null ? null : { sha1, sha256 };
  const artifact = file === null ? null : { file, name, size, builder, signedWith, fingerprints, bundle };
  return { ...build, artifact } as unknown as Build;
}
