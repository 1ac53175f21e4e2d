/** One build with Cordova: its project, and running programs in it. */
import { mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { BuildError, type BuildJob } from '../builder.ts';
import { inheritedEnvironment, ProgramError, runProgram } from '../runProgram.ts';
import { cordovaScript, type Engine } from './engine.ts';
import { createProject } from './project.ts';
import type { ProjectConfig } from './projectConfig.ts';

/** A program that a build runs in its project. */
export interface RunOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of Cordova. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A build for one platform, with the project that was made for it. */
export interface PlatformBuild {
  readonly job: BuildJob;
  /** The work folder of the job, without links in its path. */
  readonly workFolder: string;
  /** The Cordova project. */
  readonly folder: string;
  readonly config: ProjectConfig;
  readonly engine: Engine;
  /** The environment of the service, in which tools are looked for. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /**
   * Runs a program.
   *
   * @returns the last lines of what it has printed
   * @throws BuildError when it fails; the signal's reason when it is aborted
   */
  readonly run: (step: string, options: RunOptions) => Promise<readonly string[]>;
  /** Runs Cordova: a command, a platform, and options. */
  readonly cordova: (step: string, args: readonly string[], env?: RunOptions['env']) => Promise<unknown>;
}

/** Lines of the output in which a failure is looked for. */
const MAX_FAILURE_LINES = 200;

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
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<PlatformBuild> {
  // Cordova resolves links in the path of its project, and compares.
  const workFolder = await realpath(givenJob.workFolder);
  const job = { ...givenJob, workFolder };
  log(`Cordova ${engine.version}, cordova-${job.platform} ${engine.platforms[job.platform] ?? ''}`);
  const { folder, config } = await createProject(job, engine, log, signal);
  const ownEnv = await cordovaEnvironment(workFolder, env);
  const run: PlatformBuild['run'] = async (step, { command, args, env: stepEnv }) => {
    const lines: string[] = [];
    const onLine = (line: string): void => {
      if (lines.push(line) > MAX_FAILURE_LINES) {
        lines.shift();
      }
      log(line);
    };
    log(`── ${step}`);
    try {
      await runProgram({ command, args, cwd: folder, env: { ...ownEnv, ...stepEnv }, log: onLine, signal });
    } catch (error) {
      if (error instanceof ProgramError) {
        log(`The step ${error.message}.`);
        throw cordovaFailure(step, lines);
      }
      throw error;
    }
    return lines;
  };
  const cordova: PlatformBuild['cordova'] = (step, args, stepEnv) =>
    run(step, {
      command: process.execPath,
      args: [cordovaScript(engine.folder), ...args.slice(0, 2), '--nohooks', '.*', ...args.slice(2)],
      env: stepEnv,
    });
  return { job, workFolder, folder, config, engine, env, log, signal, run, cordova };
}

/** Without these, programs do not start on Windows. */
const WINDOWS_NAMES = ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'ProgramData', 'ProgramFiles'];

/**
 * The environment of Cordova itself, with which no other program is found: Cordova would fetch with npm what it does not
 * find, and run its scripts.
 *
 * @param workFolder the work folder of the build, in which a home and a temporary folder are made
 */
export async function cordovaEnvironment(
  workFolder: string,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<Record<string, string>> {
  const [home, temporary, noPrograms] = ['home', 'tmp', 'no-programs'].map((name) => path.join(workFolder, name));
  const folders = { HOME: home ?? '', TMPDIR: temporary ?? '', PATH: noPrograms ?? '' };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  const { HOME, TMPDIR } = folders;
  return {
    ...folders,
    ...(process.platform === 'win32'
      ? {
          TEMP: TMPDIR,
          TMP: TMPDIR,
          USERPROFILE: HOME,
          APPDATA: HOME,
          LOCALAPPDATA: HOME,
          ...inheritedEnvironment(WINDOWS_NAMES, env),
        }
      : {}),
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
    'Plugin not supported: $1. Who runs the service can install it into the Cordova engine.',
  ],
  [/Variable\(s\) missing \(use: --variable (\w+)/, 'One of your plugins requires a parameter: $1.'],
  [/Cannot find plugin\.xml for plugin "([^"\s]+)"/, 'Plugin error: $1 has no plugin.xml.'],
  [/Failed to fetch platform (\S+)/, 'The Cordova engine lacks $1: install the engine again.'],
  [/Parsing .* failed|incorrect root node name/, 'Malformed config.xml.'],
  [/Error validating package name/, 'Invalid application identifier.'],
  [/Could not find an installed version of Gradle/, 'Gradle is missing: install it, and put it on PATH.'],
  [/Failed to find 'ANDROID_HOME'/, 'The Android SDK is missing: install it, and set ANDROID_HOME to its folder.'],
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
