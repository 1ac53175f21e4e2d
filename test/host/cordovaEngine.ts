import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type CordovaEngine, openEngine } from '../../src/build-service/builds/cordova/engine.ts';
import { installEngine } from '../../src/build-service/builds/cordova/installEngine.ts';
import { repositoryRoot } from '../support/repository.ts';
import { CACHE, removeOutdated } from './install.ts';

const SOURCES = path.join(repositoryRoot, 'src', 'build-service', 'builds', 'cordova');

/**
 * Returns the local service's Cordova engine. Installs it from npm once per lock file, with the same code that installs it for users.
 * @throws Error if npm fails, after printing its output
 */
export async function findCordovaEngine(): Promise<CordovaEngine> {
  const lockFile = await readFile(path.join(SOURCES, 'engine', 'package-lock.json'));
  const hash = createHash('sha256').update(lockFile).digest('hex').slice(0, 16);
  const dataFolder = path.join(CACHE, 'engine', hash);
  const installed = await openEngine(path.join(dataFolder, 'engine'));
  if (installed !== undefined) {
    return installed;
  }
  const { signal } = new AbortController();
  const folder = await installEngine({ dataFolder, report: console.log, signal, env: process.env });
  await removeOutdated(dataFolder);
  const engine = await openEngine(folder);
  if (engine === undefined) {
    throw new Error(`Cordova is missing in ${folder}.`);
  }
  return engine;
}
