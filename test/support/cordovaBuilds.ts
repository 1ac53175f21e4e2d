/** Runs the Cordova builder in tests, without a service. */
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BuildJob, BuildResult } from '../../src/build-service/builds/builder.ts';
import { createCordovaBuilder } from '../../src/build-service/builds/cordova/cordovaBuilder.ts';
import { type CordovaEngine, openEngine } from '../../src/build-service/builds/cordova/engine.ts';
import { readAppFiles } from '../../src/android-package/config/appFiles.ts';
import { findCordovaEngine } from '../host/cordovaEngine.ts';
import { testJob } from './buildJob.ts';
import { useFolderForEachTest } from './hooks.ts';

/** Files, keyed by paths with slashes. */
export type Files = Readonly<Record<string, string>>;

interface TestBuild extends Partial<Pick<BuildJob, 'platform' | 'icon' | 'key'>> {
  /** Engine to use. Defaults to the tests' engine. */
  readonly engine?: CordovaEngine;
  readonly files: Files;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly onLog?: (line: string) => void;
  /** Changes the folder of the app's files before the build. */
  readonly prepare?: (folder: string) => Promise<void>;
}

interface TestBuildResult extends BuildResult {
  readonly log: readonly string[];
}

/** Creates a folder for each test of a `describe`, and the tests' engine. Available only in tests and hooks. */
export function useTestCordova(): TestCordova {
  const cordova = new TestCordova();
  before(async function () {
    this.timeout(300_000);
    cordova.engine = await findCordovaEngine();
  });
  useFolderForEachTest((folder) => (cordova.root = folder));
  return cordova;
}

class TestCordova {
  root = '';
  engine: CordovaEngine = { folder: '', version: '', platforms: {}, plugins: [] };

  /** Creates an empty folder. */
  make(name: string): Promise<string> {
    return mkdtemp(path.join(this.root, `${name}-`));
  }

  async build({
    engine = this.engine,
    files,
    env = process.env,
    signal,
    onLog,
    prepare,
    ...options
  }: TestBuild): Promise<TestBuildResult> {
    const folder = await this.make('job');
    const made = await testJob(folder, { platform: 'browser', ...options }, files);
    const log: string[] = [];
    await prepare?.(made.source.folder);
    const job = { ...made, source: await readAppFiles(made.source.folder, made.platform) };
    const builder = createCordovaBuilder(engine, env);
    const onLine = (line: string): void => {
      log.push(line);
      onLog?.(line);
    };
    return { ...(await builder.build(job, onLine, signal ?? new AbortController().signal)), log };
  }

  /** Returns the engine with more packages: allowed plugins, or replacements for its own packages. */
  async engineWith(packages: Readonly<Record<string, Files>>): Promise<CordovaEngine> {
    const folder = await this.make('engine');
    const modules = path.join(folder, 'node_modules');
    await mkdir(modules);
    for (const name of await readdir(path.join(this.engine.folder, 'node_modules'))) {
      if (packages[name] === undefined) {
        await symlink(path.join(this.engine.folder, 'node_modules', name), path.join(modules, name), 'junction');
      }
    }
    for (const [name, files] of Object.entries(packages)) {
      await writeFiles(path.join(modules, name), files);
    }
    const dependencies = Object.fromEntries(Object.keys(packages).map((name) => [name, '*']));
    await writeFiles(folder, { 'package.json': JSON.stringify({ dependencies }) });
    const opened = await openEngine(folder);
    if (opened === undefined) {
      throw new Error('The engine of the test has no Cordova.');
    }
    return opened;
  }
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text, { mode: 0o755 });
  }
}
