import path from 'node:path';

import { artifactName } from '../artifactName.ts';
import type { BuildResult } from '../builder.ts';
import { zipFolder } from '../packages/zipFolder.ts';
import { requireMade, type PlatformBuild } from './platformBuild.ts';

/** A zip archive that any web server takes. */
export async function buildBrowser({
  folder,
  workFolder,
  config,
  signal,
  cordova,
}: PlatformBuild): Promise<BuildResult> {
  const start = Date.now();
  await cordova('Prepare', ['prepare', 'browser']);
  await cordova('Compile', ['compile', 'browser']);
  const www = path.join(folder, 'platforms', 'browser', 'www');
  await requireMade(path.join(www, 'cordova.js'), start);
  // Cordova keeps the times of the files that it copies.
  await requireMade(path.join(www, config.startPage), 0);
  const artifact = path.join(workFolder, 'artifact.zip');
  await zipFolder(www, artifact, signal);
  return { path: artifact, fileName: `${artifactName({ title: config.name, version: config.version })}-browser.zip` };
}
