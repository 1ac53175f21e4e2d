/** The steps of one build, from the upload to the artifact. */
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';

import { findApp } from '../store/apps.ts';
import type { BuildOutcome } from '../store/builds.ts';
import { FILE_MODE, type DataFiles } from '../store/dataFiles.ts';
import { isDiskFull } from '../store/database.ts';
import type { App, Artifact, Build, Platform } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { BuildError, type Builder, type BuildKey } from './builder.ts';
import { buildKeyOf } from './buildKeys.ts';
import { openBuildLog } from './buildLog.ts';
import { generatePackage } from './generatedPackage.ts';
import { createMask } from './mask.ts';
import { PackageError } from './packages/packageInfo.ts';
import { unpackPackage } from './packages/unpackPackage.ts';

/** What builds work with. */
export interface BuildContext {
  readonly store: Store;
  readonly files: DataFiles;
  readonly builder: Builder;
  /** Receives a line for each failure of the service itself. */
  readonly report: (line: string) => void;
  /** The clock, milliseconds since the epoch. */
  readonly now: () => number;
  readonly buildTimeoutMs: number;
}

/** The longest time that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What an app is built from. */
interface BuildInput {
  readonly app: App;
  readonly platform: Platform;
  readonly key: BuildKey | undefined;
  /** An empty folder. */
  readonly folder: string;
  /** What is missing to build for the platform; `undefined`: nothing. */
  readonly missing: string | undefined;
}

/**
 * Builds an app, and writes the log.
 *
 * @param build has the name of its log
 * @param cancelled aborted when nobody wants the result any more
 * @returns the outcome, an artifact being kept already; `undefined` when it was cancelled
 */
export async function runBuild(
  context: BuildContext,
  { appId, platform, logFile }: Build,
  cancelled: AbortSignal,
): Promise<BuildOutcome | undefined> {
  const { store, files, builder, report, buildTimeoutMs } = context;
  let folder: string | undefined;
  const limit = new AbortController();
  const timer = setTimeout(
    () => {
      const minutes = Number((buildTimeoutMs / 60_000).toFixed(2));
      const time = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
      limit.abort(new BuildError(`The build took longer than ${time} and was stopped.`));
    },
    Math.min(buildTimeoutMs, MAX_TIMER_MS),
  );
  const cancel = (): void => limit.abort(cancelled.reason);
  cancelled.addEventListener('abort', cancel, { once: true });
  const failureOf = (error: unknown): string => {
    // What a builder throws when it is aborted is its own affair.
    const cause: unknown = limit.signal.aborted ? limit.signal.reason : error;
    if (cause instanceof BuildError || cause instanceof PackageError) {
      return cause.message;
    }
    if (!cancelled.aborted) {
      report(
        `The build of app #${appId} for ${platform}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
      );
    }
    return isDiskFull(error) ? 'The service has no space left for the build.' : 'The build failed inside the service.';
  };
  try {
    const app = findApp(store, String(appId));
    if (app === undefined || logFile === null) {
      return undefined;
    }
    folder = await files.createWorkFolder();
    const key = buildKeyOf(context, app, platform);
    const missing = (await builder.platforms())[platform];
    const mask = createMask({
      folders: {
        '<project>': folder,
        '<data>': join(files.pathOf(logFile), '..', '..'),
        '<service>': process.cwd(),
        '<home>': homedir(),
        '<temp>': tmpdir(),
      },
      secrets: Object.values(key?.passwords ?? {}),
    });
    const log = openBuildLog(files.pathOf(logFile), mask);
    log.write(`Building ${app.title} ${app.version} for ${platform} with the ${builder.name} builder`);
    log.write(`Package ${app.package}`);
    try {
      const artifact = await makeArtifact(context, { app, platform, key, folder, missing }, log.write, limit.signal);
      log.end(`Built ${artifact.name}, ${artifact.size} bytes.`);
      return { status: 'complete', artifact };
    } catch (error) {
      const failure = failureOf(error);
      log.end(failure);
      return cancelled.aborted ? undefined : { status: 'error', error: mask(failure) };
    }
  } catch (error) {
    const failure = failureOf(error);
    return cancelled.aborted ? undefined : { status: 'error', error: failure };
  } finally {
    clearTimeout(timer);
    cancelled.removeEventListener('abort', cancel);
    if (folder !== undefined) {
      // What cannot be removed is removed at the next start.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }
}

/** @throws BuildError or PackageError when the app cannot be built; the signal's reason when it is aborted */
async function makeArtifact(
  { files, builder }: BuildContext,
  { app, platform, key, folder, missing }: BuildInput,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<Artifact> {
  if (missing !== undefined) {
    throw new BuildError(missing);
  }
  const [sourceFolder, workFolder, icon] = [join(folder, 'source'), join(folder, 'work'), join(folder, 'icon.png')];
  await mkdir(sourceFolder);
  await mkdir(workFolder);
  if (app.upload === null) {
    log('No files of this app were uploaded: a page with its title is built.');
    await generatePackage(app, sourceFolder);
  } else {
    await unpackPackage(files.pathOf(app.upload.file), app.upload.type, sourceFolder, signal);
  }
  if (app.iconFile !== null) {
    await copyFile(files.pathOf(app.iconFile), icon);
  }
  signal.throwIfAborted();
  const job = { app, platform, sourceFolder, workFolder, icon: app.iconFile === null ? undefined : icon, key };
  const { path, fileName, signedWith = null, builder: maker = builder.name } = await builder.build(job, log, signal);
  signal.throwIfAborted();
  const size = await checkArtifact(path, workFolder);
  return { file: await files.keep(path), name: basename(fileName), size, builder: maker, signedWith };
}

/** Checks an artifact, and gives it the permissions of a file of the service. @returns its size @throws BuildError for what is none */
async function checkArtifact(path: string, workFolder: string): Promise<number> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) {
    throw new BuildError('The build ended without an artifact.');
  }
  const isInside = `${await realpath(dirname(path))}${sep}`.startsWith(`${await realpath(workFolder)}${sep}`);
  if (!stat.isFile() || !isInside) {
    throw new BuildError('What the build made is no plain file.');
  }
  if (stat.size === 0) {
    throw new BuildError('The artifact of the build is empty.');
  }
  // The permissions of what a link leads to are never changed. Windows has no such flag, and no such permissions.
  const file = await open(path, constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW));
  try {
    await file.chmod(FILE_MODE);
  } finally {
    await file.close();
  }
  return stat.size;
}
