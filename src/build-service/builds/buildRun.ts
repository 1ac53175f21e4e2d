/** Runs one build, from the upload to the package. */
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

import { findApp } from '../store/apps.ts';
import { isCurrent, type BuildOutcome } from '../store/builds.ts';
import { isDiskFull } from '../store/database.ts';
import type { App, ArtifactFile, Build } from '../store/model.ts';
import type { BuildData, Builder, BuildJob } from './builder.ts';
import { getStack, runWithFaults } from './buildFaults.ts';
import { findBuildKey } from './buildKeys.ts';
import { createMask, openBuildLog, type BuildLog } from './buildLog.ts';
import {
  BuildError,
  type BuiltFile,
  escapeMarkup,
  FILE_MODE,
  PackageError,
  readAppFiles,
  type WriteLog,
} from '../../android-package/index.ts';
import { unpackPackage } from './packages/uploadedPackage.ts';

/** Parts of the service that builds need. */
export interface BuildContext extends BuildData {
  readonly builder: Builder;
  /** Called with one line for each internal failure. */
  readonly report: WriteLog;
  readonly buildTimeoutMs: number;
}

/** Display names of platforms and builders in logs. */
const NAMES: Readonly<Record<string, string>> = {
  android: 'Android',
  ios: 'iOS',
  winphone: 'Windows Phone',
  browser: 'browsers',
  builtin: 'the built-in builder',
  cordova: 'Apache Cordova',
};

function getName(key: string): string {
  return NAMES[key] ?? key;
}

/** Error message of a build that failed because of the service itself. */
export const FAILED_INSIDE = 'The build failed inside the service.';

/**
 * Builds an app and writes the log.
 *
 * @param build must contain the name of the log
 * @param cancelled aborted when the result isn't needed anymore
 * @returns the outcome, whose package is already stored, or `undefined` if the build was canceled
 */
export async function runBuild(
  context: BuildContext,
  build: Build,
  cancelled: AbortSignal,
): Promise<BuildOutcome | undefined> {
  const { store, files, builder, report, buildTimeoutMs } = context;
  const { appId, platform, logFile } = build;
  const limit = AbortSignal.timeout(buildTimeoutMs);
  const signal = AbortSignal.any([cancelled, limit]);
  const reportFault = (error: unknown): void =>
    report(`The build of app #${appId} for ${platform}: ${getStack(error)}`);
  const getFailureMessage = (error: unknown): string => {
    // A builder can throw any error when it's aborted.
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (signal.aborted && cause === limit.reason) {
      const minutes = Number((buildTimeoutMs / 60_000).toFixed(2));
      const time = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
      return `The build took longer than ${time} and was stopped.`;
    }
    if (cause instanceof BuildError || cause instanceof PackageError) {
      return cause.message;
    }
    // If the build ended because its upload was replaced, it hasn't failed.
    if (!cancelled.aborted && isCurrent(store, build)) {
      reportFault(cause);
    }
    return isDiskFull(cause) ? 'The service doesn’t have enough disk space for the build.' : FAILED_INSIDE;
  };
  let endLog: BuildLog['end'] | undefined;
  let mask = createMask([]);
  try {
    const app = findApp(store, String(appId));
    if (app === undefined || logFile === null) {
      return undefined;
    }
    const key = findBuildKey(context, app, platform);
    const missing = (await runWithFaults(() => builder.platforms(), reportFault))[platform];
    mask = createMask(Object.values(key?.passwords ?? {}));
    const { write, end } = openBuildLog(files.getPath(logFile), mask);
    endLog = end;
    write(`Building ${app.title} ${app.version} for ${getName(platform)} with ${getName(builder.name)}`);
    write(`Package ${app.package}`);
    if (missing !== undefined) {
      throw new BuildError(missing);
    }
    const outcome = await files.withWorkFolder((folder) =>
      runWithFaults((fault) => {
        const options = { app, platform, key, lastVersionCode: build.versionCode ?? undefined, folder };
        return makeArtifact(context, options, write, AbortSignal.any([signal, fault]));
      }, reportFault),
    );
    const { artifact } = outcome;
    const made = [artifact, ...(artifact.bundle ? [artifact.bundle] : [])];
    end(`Built ${made.map(({ name, size }) => `${name}, ${size} bytes`).join(', and ')}.`);
    return outcome;
  } catch (error) {
    const failure = getFailureMessage(error);
    endLog?.(failure);
    return cancelled.aborted ? undefined : { status: 'error', error: mask(failure) };
  }
}

/**
 * Unpacks an app and builds it in an empty folder.
 *
 * @throws BuildError or PackageError if the app can't be built, or the signal's reason when it's aborted
 */
async function makeArtifact(
  { files, builder }: BuildContext,
  { folder, ...options }: Pick<BuildJob, 'app' | 'platform' | 'key' | 'lastVersionCode'> & { readonly folder: string },
  log: WriteLog,
  signal: AbortSignal,
): Promise<BuildOutcome & { readonly status: 'complete' }> {
  const { upload, iconFile } = options.app;
  const [sourceFolder, workFolder, iconCopy] = [join(folder, 'source'), join(folder, 'work'), join(folder, 'icon.png')];
  await mkdir(sourceFolder);
  await mkdir(workFolder);
  if (upload === null) {
    log('No files were uploaded for this app, so the build contains a page with its title.');
    await generateFiles(options.app, sourceFolder);
  } else {
    await unpackPackage(files.getPath(upload.file), upload.type, sourceFolder, signal);
  }
  const icon = iconFile === null ? undefined : iconCopy;
  if (iconFile !== null) {
    await copyFile(files.getPath(iconFile), iconCopy);
  }
  const source = await readAppFiles(sourceFolder, options.platform);
  signal.throwIfAborted();
  const job = { ...options, source, workFolder, icon };
  const result = await builder.build(job, log, signal);
  signal.throwIfAborted();
  const keep = async ({ path, fileName }: BuiltFile): Promise<ArtifactFile> => {
    const size = await checkArtifact(path, workFolder);
    return { file: await files.store(path), name: basename(fileName), size };
  };
  const { builder: maker = builder.name, signedWith = null, fingerprints = null, versionCode } = result;
  const bundle = result.bundle === undefined ? null : await keep(result.bundle);
  try {
    const artifact = { ...(await keep(result)), builder: maker, signedWith, fingerprints, bundle };
    return { status: 'complete', artifact, versionCode };
  } catch (error) {
    await files.remove([bundle?.file]);
    throw error;
  }
}

/**
 * Checks a package and gives it the same permissions as the service's files.
 *
 * @returns its size in bytes
 * @throws BuildError if it isn't a valid package
 */
async function checkArtifact(path: string, workFolder: string): Promise<number> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) {
    throw new BuildError('The build ended without a package.');
  }
  const isInside = `${await realpath(dirname(path))}${sep}`.startsWith(`${await realpath(workFolder)}${sep}`);
  if (!stat.isFile() || !isInside) {
    throw new BuildError('The build’s package isn’t a regular file.');
  }
  if (stat.size === 0) {
    throw new BuildError('The build’s package is empty.');
  }
  // Don't change the permissions of a link's target. Windows has neither this flag nor these permissions.
  const file = await open(path, constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW));
  try {
    await file.chmod(FILE_MODE);
  } finally {
    await file.close();
  }
  return stat.size;
}

/** Creates the files for an app that was never uploaded, such as a demo app: a page with its title. */
async function generateFiles({ title, package: id, version, description }: App, folder: string): Promise<void> {
  const [name, text] = [escapeMarkup(title), escapeMarkup(description)];
  await writeFile(
    join(folder, 'config.xml'),
    `<?xml version="1.0" encoding="UTF-8"?>
<widget xmlns="http://www.w3.org/ns/widgets" id="${escapeMarkup(id)}" version="${escapeMarkup(version)}">
  <name>${name}</name>
  <description>${text}</description>
  <content src="index.html" />
</widget>
`,
  );
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<h1>${name}</h1>
<p>${text}</p>
<p>No files of this app were uploaded.</p>
`,
  );
}
