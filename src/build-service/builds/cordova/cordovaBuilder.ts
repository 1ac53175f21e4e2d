/** Builds apps with Apache Cordova. */
import path from 'node:path';

import type { Builder, BuildResult } from '../builder.ts';
import { zipFolder } from '../packages/zipArchive.ts';
import { buildAndroid } from './android.ts';
import { openEngine, type CordovaEngine } from './engine.ts';
import { buildIos } from './ios.ts';
import { requireMade, startPlatformBuild, type CordovaPlatformBuild } from './platformBuild.ts';
import { missingRequirements } from './requirements.ts';
import { artifactName, BuildError } from '../../../android-package/index.ts';

/** Time after which the list of available tools is refreshed, in milliseconds. */
const REQUIREMENTS_TIMEOUT_MS = 2 * 60_000;

/** Creates the Cordova builder. @param env the service's environment, which is used to find the platforms' tools */
export function createCordovaBuilder(found: CordovaEngine, env: Readonly<NodeJS.ProcessEnv>): Builder {
  let engine = found;
  let known: { readonly until: number; readonly platforms: ReturnType<Builder['platforms']> } | undefined;
  return {
    name: 'cordova',
    get plugins() {
      return engine.plugins;
    },
    platforms: async () => {
      // The user may have installed plugins while the service was running.
      engine = (await openEngine(engine.folder)) ?? engine;
      if (known === undefined || known.until < performance.now()) {
        known = {
          until: performance.now() + REQUIREMENTS_TIMEOUT_MS,
          platforms: missingRequirements(engine, env),
        };
      }
      return known.platforms;
    },
    build: async (job, log, signal) => {
      if (job.platform === 'winphone') {
        throw new BuildError('Cordova can’t build winphone apps.');
      }
      return BUILDS[job.platform](await startPlatformBuild(job, engine, env, log, signal));
    },
  };
}

const BUILDS = { browser: buildBrowser, android: buildAndroid, ios: buildIos } as const;

/** Builds a zip archive that any web server can serve. */
async function buildBrowser({
  folder,
  workFolder,
  config,
  signal,
  cordova,
}: CordovaPlatformBuild): Promise<BuildResult> {
  const start = Date.now();
  await cordova('Prepare', ['prepare', 'browser']);
  await cordova('Compile', ['compile', 'browser']);
  const www = path.join(folder, 'platforms', 'browser', 'www');
  await requireMade(path.join(www, 'cordova.js'), start);
  // Accept a file of any age, because Cordova preserves the modification times of files that it copies.
  await requireMade(path.join(www, config.startPage), 0);
  const artifact = path.join(workFolder, 'artifact.zip');
  await zipFolder(www, artifact, signal);
  return { path: artifact, fileName: `${artifactName(config.name, config.version)}-browser.zip` };
}
