/** Runs one build with Cordova: creates a project, and runs programs in it. */
import { constants, copyFile, mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { BuildError, type Platform, pngSize, type WriteLog } from '../../../android-package/index.ts';
import type { BuildJob } from '../builder.ts';
import { inheritedEnvironment, ProgramError, runProgram } from '../runProgram.ts';
import { cordovaScript, pathExists, pluginsFolder, type CordovaEngine } from './engine.ts';
import { element, projectConfig, type ProjectConfig } from './projectConfig.ts';

/** A build for one platform, with its project. */
export type CordovaPlatformBuild = Awaited<ReturnType<typeof startPlatformBuild>>;

/**
 * Creates the project for a build.
 *
 * @param env the service's environment
 * @throws BuildError if the app can't be built, or the signal's reason when it's aborted
 */
export async function startPlatformBuild(
  givenJob: BuildJob,
  engine: CordovaEngine,
  env: Readonly<NodeJS.ProcessEnv>,
  log: WriteLog,
  signal: AbortSignal,
) {
  // Cordova resolves links in the path of its project, and compares the result with unresolved paths.
  const workFolder = await realpath(givenJob.workFolder);
  const job = { ...givenJob, workFolder };
  log(`Cordova ${engine.version}, cordova-${job.platform} ${engine.platforms[job.platform] ?? ''}`);
  const { folder, config } = await createProject(job, engine, log, signal);
  const ownEnv = await cordovaEnvironment(workFolder, env);
  /**
   * Runs a program in the project.
   *
   * @param more environment variables in addition to Cordova's
   * @returns the last lines of its output
   * @throws BuildError if the program fails, or the signal's reason when it's aborted
   */
  const run = async (
    step: string,
    command: string,
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> => {
    log(`── ${step}`);
    const program = { command, args, cwd: folder, env: { ...ownEnv, ...more }, log, signal };
    return runProgram(program).catch((error: unknown) => {
      if (!(error instanceof ProgramError)) {
        throw error;
      }
      log(`The step ${error.message}.`);
      throw cordovaFailure(step, error.lines);
    });
  };
  /** Runs Cordova with a command, a platform, and options. */
  const cordova = async (step: string, args: readonly string[], more?: Readonly<Record<string, string>>) => {
    // Disabling hooks is defense in depth: the service's projects don't have any, and the upload's folders aren't read.
    const all = [cordovaScript(engine.folder), ...args.slice(0, 2), '--nohooks', '.*', ...args.slice(2)];
    const lines = await run(step, process.execPath, all, more);
    const skipped = lines.map((line) => /^Skipping '([^']+)' for /.exec(line)?.[1]).find((name) => name !== undefined);
    if (skipped !== undefined) {
      throw new BuildError(`Plugin error: ${skipped} doesn’t work with the engine’s version of Cordova.`);
    }
  };
  return { job, workFolder, folder, config, engine, env, signal, run, cordova };
}

/**
 * Creates a project in the work folder of a build: the regular files in the app's web root, and a config.xml and a
 * package.json with validated values. Never uses the upload as a project, so Cordova's files in it are ignored.
 *
 * @throws BuildError if the app can't be built, or the signal's reason when it's aborted
 */
export async function createProject(
  job: BuildJob,
  engine: CordovaEngine,
  log: WriteLog,
  signal: AbortSignal,
): Promise<{ readonly folder: string; readonly config: ProjectConfig }> {
  const { platform, workFolder, icon } = job;
  const { webRoot, webFiles } = job.source;
  const versions = new Map(engine.plugins.map(({ name, version }) => [name, version]));
  const config = projectConfig(job, versions, icon === undefined ? '' : await iconElement(icon, platform), log);
  const folder = path.join(workFolder, 'project');
  // Cordova searches its working directory and its parents for a project. With the folder `platforms`, it finds this
  // project first. This is defense in depth, because the parent folders also belong to the service.
  await mkdir(path.join(folder, 'platforms'), { recursive: true });
  await copyFiles(webRoot, path.join(folder, 'www'), webFiles, signal);
  if (icon !== undefined) {
    await copyFile(icon, path.join(folder, platform === 'browser' ? `www/${BROWSER_ICON}` : ICON));
  }
  await writeFile(path.join(folder, 'config.xml'), config.xml);
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify(createPackageJson(config, platform, engine), undefined, 2),
  );
  // Cordova searches this folder first, so it doesn't need npm to find platforms and plugins.
  await symlink(path.join(engine.folder, 'node_modules'), path.join(workFolder, 'node_modules'), 'junction');
  const plugins = path.join(pluginsFolder(engine.folder), 'node_modules');
  if (await pathExists(plugins)) {
    await symlink(plugins, path.join(folder, 'node_modules'), 'junction');
  }
  return { folder, config };
}

/**
 * Returns a package.json with exactly the versions in the engine. It replaces the upload's package.json, which npm and
 * Cordova would otherwise read.
 */
function createPackageJson({ plugins }: ProjectConfig, platform: Platform, engine: CordovaEngine): unknown {
  const versions = plugins.map(({ name, version }): readonly [string, string] => [name, version]);
  return {
    name: 'app',
    version: '0.0.0',
    private: true,
    devDependencies: { [`cordova-${platform}`]: engine.platforms[platform], ...Object.fromEntries(versions) },
    cordova: {
      platforms: [platform],
      plugins: Object.fromEntries(plugins.map(({ name, variables }) => [name, variables])),
    },
  };
}

/**
 * Copies files to a new folder.
 *
 * @param files relative paths with `/`
 */
async function copyFiles(from: string, to: string, files: readonly string[], signal: AbortSignal): Promise<void> {
  const folders = new Set(files.map((file) => path.dirname(path.join(to, file))));
  for (const folder of folders) {
    await mkdir(folder, { recursive: true });
  }
  for (const file of files) {
    signal.throwIfAborted();
    // Share the content on file systems that support it.
    await copyFile(path.join(from, file), path.join(to, file), constants.COPYFILE_FICLONE);
  }
}

const ICON = 'icon.png';
const BROWSER_ICON = 'app-icon.png';

/**
 * Returns the `<icon>` element. For the browser platform, the icon is part of the pages, and the manifest needs its
 * size. For other platforms, Cordova creates all sizes.
 */
async function iconElement(icon: string, platform: Platform): Promise<string> {
  if (platform !== 'browser') {
    return element('icon', { src: ICON });
  }
  const { width, height } = pngSize(await readFile(icon)) ?? {};
  return width === undefined ? '' : element('icon', { src: BROWSER_ICON, width: `${width}`, height: `${height}` });
}

/** Environment variables without which programs don't start on Windows. */
const WINDOWS_NAMES = ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'ProgramData', 'ProgramFiles'];

/**
 * Creates the environment for Cordova itself. It doesn't include a PATH to other programs, because Cordova would use
 * npm to fetch missing packages and run their scripts.
 *
 * @param workFolder the build's work folder, in which this creates a home folder and a temporary folder
 */
async function cordovaEnvironment(
  workFolder: string,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<Record<string, string>> {
  const folders = {
    HOME: path.join(workFolder, 'home'),
    TMPDIR: path.join(workFolder, 'tmp'),
    PATH: path.join(workFolder, 'no-programs'),
  };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  const { HOME, TMPDIR } = folders;
  const windowsFolders = { TEMP: TMPDIR, TMP: TMPDIR, USERPROFILE: HOME, APPDATA: HOME, LOCALAPPDATA: HOME };
  return {
    ...folders,
    ...(process.platform === 'win32' ? { ...windowsFolders, ...inheritedEnvironment(WINDOWS_NAMES, env) } : {}),
    // In VS Code, the current executable is the editor.
    ELECTRON_RUN_AS_NODE: '1',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    CI: '1',
    NO_UPDATE_NOTIFIER: '1',
    npm_config_ignore_scripts: 'true',
    npm_config_offline: 'true',
  };
}

/**
 * Checks that a build created a file or folder. Needed because Cordova can exit with status 0 without creating it.
 *
 * @param since milliseconds since the epoch
 * @throws BuildError
 */
export async function requireMade(path: string, since: number): Promise<string> {
  const made = await stat(path).catch(() => undefined);
  // Some file systems store times with a resolution of two seconds.
  if (made === undefined || made.mtimeMs < since - 2000) {
    throw new BuildError('Cordova ended without an error but didn’t create an app. See the log for details.');
  }
  return path;
}

/**
 * Patterns for failures in Cordova's output, with messages for the app's developer. `$1` is the first capture group.
 */
const SENTENCES: readonly (readonly [printed: RegExp, sentence: string])[] = [
  [
    /Failed to fetch plugin (\S+)/,
    'Plugin not supported: $1. Another plugin needs this version, which isn’t installed. Add it to config.xml or package.json, then run “Install Engine…”.',
  ],
  [
    /Version of installed plugin: "(\S+)" does not satisfy/,
    'Plugin error: another plugin needs a different version of $1. Find that version in the log, add it to config.xml or package.json, then run “Install Engine…”.',
  ],
  [/Variable\(s\) missing \(use: --variable (\w+)/, 'One of your plugins requires a parameter: $1.'],
  [/Cannot find plugin\.xml for plugin "([^"\s]+)"/, 'Plugin error: $1 doesn’t have a plugin.xml.'],
  [/Failed to fetch platform (\S+)/, 'The Cordova engine doesn’t contain $1. Install the engine again.'],
  [/Parsing .{0,300} failed|incorrect root node name/, 'Malformed config.xml.'],
  [/Error validating package name/, 'Invalid application identifier.'],
  [/Could not find an installed version of Gradle/, 'Gradle is missing. Install it and add it to PATH.'],
  [/Failed to find 'ANDROID_HOME'/, 'The Android SDK is missing. Install it and set ANDROID_HOME to its folder.'],
  [
    /File google-services\.json is missing/,
    'One of your plugins needs the file google-services.json from Google Firebase, which can’t be added here. Build the app with Cordova’s own command line.',
  ],
  [
    /Could not (?:resolve|GET|HEAD) '?([^\s']+)/,
    'Gradle couldn’t download $1. Connect this computer to the internet and build again.',
  ],
  [/xcodebuild was not found/, 'Xcode is missing. Install it from the App Store and open it once.'],
];

/**
 * Creates an error that explains why a Cordova step failed.
 *
 * @param lines lines that the step printed
 */
export function cordovaFailure(step: string, lines: readonly string[]): BuildError {
  for (const [printed, sentence] of SENTENCES) {
    const found = lines.map((line) => printed.exec(line)).find((match) => match !== null);
    if (found) {
      return new BuildError(sentence.replace('$1', () => found[1] ?? ''));
    }
  }
  return new BuildError(`The step “${step}” failed. See the log for details.`);
}
