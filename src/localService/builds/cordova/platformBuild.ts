/** One build with Cordova: its project, and running programs in it. */
import { constants, copyFile, mkdir, readFile, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { pngSize } from '../../../formats/png.ts';
import type { Platform } from '../../store/model.ts';
import { BuildError, type BuildJob, type Log } from '../builder.ts';
import { inheritedEnvironment, ProgramError, runProgram } from '../runProgram.ts';
import { cordovaScript, exists, pluginsFolder, type Engine } from './engine.ts';
import { element, projectConfig, type ProjectConfig } from './projectConfig.ts';

/** A build for one platform, with the project that was made for it. */
export type PlatformBuild = Awaited<ReturnType<typeof startPlatformBuild>>;

/**
 * Makes the project of a build.
 *
 * @param env the environment of the service
 * @throws BuildError when the app cannot be built; the signal's reason when it is aborted
 */
export async function startPlatformBuild(
  givenJob: BuildJob,
  engine: Engine,
  env: Readonly<NodeJS.ProcessEnv>,
  log: Log,
  signal: AbortSignal,
) {
  // Cordova resolves links in the path of its project, and compares.
  const workFolder = await realpath(givenJob.workFolder);
  const job = { ...givenJob, workFolder };
  log(`Cordova ${engine.version}, cordova-${job.platform} ${engine.platforms[job.platform] ?? ''}`);
  const { folder, config } = await createProject(job, engine, log, signal);
  const ownEnv = await cordovaEnvironment(workFolder, env);
  /**
   * Runs a program in the project.
   *
   * @param more variables of its environment, beside those of Cordova
   * @returns the last lines of what it has printed
   * @throws BuildError when it fails; the signal's reason when it is aborted
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
  /** Runs Cordova: a command, a platform, and options. */
  const cordova = async (step: string, args: readonly string[], more?: Readonly<Record<string, string>>) => {
    // No hooks is a second wall: a project that the service makes has none, and no folder of an upload is looked at.
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
 * Makes a project in the work folder of a build: plain files of the app's web root, and a config.xml and package.json of
 * checked values. The upload is never the project: Cordova's own files in it are ignored.
 *
 * @throws BuildError when the app cannot be built; the signal's reason when it is aborted
 */
export async function createProject(
  job: BuildJob,
  engine: Engine,
  log: Log,
  signal: AbortSignal,
): Promise<{ readonly folder: string; readonly config: ProjectConfig }> {
  const { platform, workFolder, icon } = job;
  const { webRoot, webFiles } = job.source;
  const versions = new Map(engine.plugins.map(({ name, version }) => [name, version]));
  const config = projectConfig(job, versions, icon === undefined ? '' : await iconElement(icon, platform), log);
  const folder = path.join(workFolder, 'project');
  // Cordova climbs from its working folder to parents that look like a project. With `platforms`, this one is the first: a second
  // wall, as the folders above are those of the service.
  await mkdir(path.join(folder, 'platforms'), { recursive: true });
  await copyFiles(webRoot, path.join(folder, 'www'), webFiles, signal);
  if (icon !== undefined) {
    await copyFile(icon, path.join(folder, platform === 'browser' ? `www/${BROWSER_ICON}` : ICON));
  }
  await writeFile(path.join(folder, 'config.xml'), config.xml);
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(packageOf(config, platform, engine), undefined, 2));
  // Platforms and plugins are looked for here first, and found without npm.
  await symlink(path.join(engine.folder, 'node_modules'), path.join(workFolder, 'node_modules'), 'junction');
  const plugins = path.join(pluginsFolder(engine.folder), 'node_modules');
  if (await exists(plugins)) {
    await symlink(plugins, path.join(folder, 'node_modules'), 'junction');
  }
  return { folder, config };
}

/** The package.json that npm and Cordova would otherwise take from the upload. The engine has exactly these versions. */
function packageOf({ plugins }: ProjectConfig, platform: Platform, engine: Engine): unknown {
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

/** @param files relative, with slashes */
async function copyFiles(from: string, to: string, files: readonly string[], signal: AbortSignal): Promise<void> {
  const folders = new Set(files.map((file) => path.dirname(path.join(to, file))));
  for (const folder of folders) {
    await mkdir(folder, { recursive: true });
  }
  for (const file of files) {
    signal.throwIfAborted();
    // File systems that can share the content do.
    await copyFile(path.join(from, file), path.join(to, file), constants.COPYFILE_FICLONE);
  }
}

const ICON = 'icon.png';
const BROWSER_ICON = 'app-icon.png';

/** For a browser, the icon is one of the pages' files, and its manifest names the size. Elsewhere Cordova makes all sizes. */
async function iconElement(icon: string, platform: Platform): Promise<string> {
  if (platform !== 'browser') {
    return element('icon', { src: ICON });
  }
  const { width, height } = pngSize(await readFile(icon)) ?? {};
  return width === undefined ? '' : element('icon', { src: BROWSER_ICON, width: `${width}`, height: `${height}` });
}

/** Without these, programs do not start on Windows. */
const WINDOWS_NAMES = ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'ProgramData', 'ProgramFiles'];

/**
 * The environment of Cordova itself, with which no other program is found: Cordova would fetch with npm what it does not
 * find, and run its scripts.
 *
 * @param workFolder the work folder of the build, in which a home and a temporary folder are made
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
  const ofWindows = { TEMP: TMPDIR, TMP: TMPDIR, USERPROFILE: HOME, APPDATA: HOME, LOCALAPPDATA: HOME };
  return {
    ...folders,
    ...(process.platform === 'win32' ? { ...ofWindows, ...inheritedEnvironment(WINDOWS_NAMES, env) } : {}),
    // In VS Code, the running program is the editor.
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
 * Makes sure that a build has made a file or folder: Cordova's status 0 is no proof.
 *
 * @param since milliseconds since the epoch
 * @throws BuildError
 */
export async function requireMade(path: string, since: number): Promise<string> {
  const made = await stat(path).catch(() => undefined);
  // File systems keep times in steps of up to two seconds.
  if (made === undefined || made.mtimeMs < since - 2000) {
    throw new BuildError('Cordova has ended without an error, and has made no app. The log may say why.');
  }
  return path;
}

/** Failures as Cordova prints them, and the sentence for the developer of the app. `$1` is the first group. */
const SENTENCES: readonly (readonly [printed: RegExp, sentence: string])[] = [
  [
    /Failed to fetch plugin (\S+)/,
    'Plugin not supported: $1. Another plugin needs this version, which isn’t installed. Add it to config.xml or package.json, and run “Install Engine…”.',
  ],
  [
    /Version of installed plugin: "(\S+)" does not satisfy/,
    'Plugin error: another plugin needs a different version of $1. Find that version in the log, add it to config.xml or package.json, and run “Install Engine…”.',
  ],
  [/Variable\(s\) missing \(use: --variable (\w+)/, 'One of your plugins requires a parameter: $1.'],
  [/Cannot find plugin\.xml for plugin "([^"\s]+)"/, 'Plugin error: $1 has no plugin.xml.'],
  [/Failed to fetch platform (\S+)/, 'The Cordova engine lacks $1: install the engine again.'],
  [/Parsing .{0,300} failed|incorrect root node name/, 'Malformed config.xml.'],
  [/Error validating package name/, 'Invalid application identifier.'],
  [/Could not find an installed version of Gradle/, 'Gradle is missing: install it, and put it on PATH.'],
  [/Failed to find 'ANDROID_HOME'/, 'The Android SDK is missing: install it, and set ANDROID_HOME to its folder.'],
  [
    /File google-services\.json is missing/,
    'One of your plugins needs the file google-services.json from Google Firebase, which can’t be added here. Build the app with Cordova’s own command line.',
  ],
  [
    /Could not (?:resolve|GET|HEAD) '?([^\s']+)/,
    'Gradle couldn’t download $1. Connect this computer to the Internet, and build again.',
  ],
  [/xcodebuild was not found/, 'Xcode is missing: install it from the App Store, and open it once.'],
];

/**
 * The failure of a step of Cordova, in a sentence.
 *
 * @param lines what it has printed
 */
export function cordovaFailure(step: string, lines: readonly string[]): BuildError {
  for (const [printed, sentence] of SENTENCES) {
    const found = lines.map((line) => printed.exec(line)).find((match) => match !== null);
    if (found) {
      return new BuildError(sentence.replace('$1', () => found[1] ?? ''));
    }
  }
  return new BuildError(`The step “${step}” has failed. The log says why.`);
}
