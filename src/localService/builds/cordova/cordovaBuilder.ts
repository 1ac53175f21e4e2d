/** Builds apps with Apache Cordova. */
import { realpath } from 'node:fs/promises';

import { BuildError, type Builder, type BuildJob, type BuildResult } from '../builder.ts';
import { ProgramError, runProgram } from '../runProgram.ts';
import { buildAndroid } from './android.ts';
import { buildBrowser } from './browser.ts';
import { cordovaScript, type Engine } from './engine.ts';
import { cordovaEnvironment } from './environment.ts';
import { buildIos } from './ios.ts';
import { cordovaFailure } from './messages.ts';
import { createProject } from './project.ts';
import type { PlatformBuild, RunOptions } from './platformBuild.ts';
import { missingRequirements } from './requirements.ts';

/** For how long what this machine can build is taken for known: whoever installs a tool sees it soon. */
const REQUIREMENTS_TIMEOUT_MS = 2 * 60_000;
/** Lines of the output in which a failure is looked for. */
const MAX_FAILURE_LINES = 200;

/** @param env the environment of the service, in which the tools of the platforms are looked for */
export function createCordovaBuilder(engine: Engine, env: Readonly<NodeJS.ProcessEnv>): Builder {
  let known: { readonly until: number; readonly platforms: ReturnType<Builder['platforms']> } | undefined;
  return {
    name: 'cordova',
    plugins: [...engine.plugins].map(([name, version]) => ({
      ...{ name, version },
      variables: engine.pluginVariables.get(name) ?? [],
    })),
    platforms: () => {
      if (known === undefined || known.until < performance.now()) {
        known = {
          until: performance.now() + REQUIREMENTS_TIMEOUT_MS,
          platforms: missingRequirements(engine, env),
        };
      }
      return known.platforms;
    },
    build: (job, log, signal) => buildWithCordova({ engine, env, job, log, signal }),
  };
}

interface CordovaBuild {
  readonly engine: Engine;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly job: BuildJob;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

async function buildWithCordova({ engine, env, job, log, signal }: CordovaBuild): Promise<BuildResult> {
  // Cordova resolves links in the path of its project, and compares.
  const workFolder = await realpath(job.workFolder);
  const version = engine.platforms[job.platform] ?? '';
  log(`Cordova ${engine.version}, cordova-${job.platform} ${version}`);
  const { folder, config } = await createProject({ ...job, workFolder }, engine, log, signal);
  const ownEnv = await cordovaEnvironment(workFolder, env);
  const folders: readonly (readonly [path: string | undefined, name: string])[] = [
    [workFolder, '<build>'],
    [engine.folder, '<engine>'],
    [env.ANDROID_HOME, '<android-sdk>'],
    [env.JAVA_HOME, '<jdk>'],
  ];
  const hidePaths = (line: string): string =>
    folders.reduce(
      (text, [path, name]) => (path === undefined || path === '' ? text : text.replaceAll(path, name)),
      line,
    );

  /** Runs a program in the project; a failure is told in a sentence. */
  const run = async (step: string, { command, args, env: stepEnv = {} }: RunOptions): Promise<readonly string[]> => {
    const lines: string[] = [];
    const onLine = (line: string): void => {
      const shown = hidePaths(line);
      lines.push(shown);
      if (lines.length > MAX_FAILURE_LINES) {
        lines.shift();
      }
      log(shown);
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
      args: [cordovaScript(engine), ...args.slice(0, 2), '--nohooks', '.*', ...args.slice(2)],
      env: stepEnv,
    });
  const build: PlatformBuild = { job, workFolder, folder, config, engine, env, log, signal, run, cordova };
  return buildPlatform(build);
}

async function buildPlatform(build: PlatformBuild): Promise<BuildResult> {
  switch (build.job.platform) {
    case 'browser':
      return buildBrowser(build);
    case 'android':
      return buildAndroid(build);
    case 'ios':
      return buildIos(build);
    case 'winphone':
      throw new BuildError('Cordova builds no winphone apps.');
  }
}
