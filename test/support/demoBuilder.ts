import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { EXTENSIONS, type Builder, type BuildJob, type BuildResult } from '../../src/build-service/builds/builder.ts';
import { keyFault } from '../../src/build-service/builds/buildKeys.ts';
import { chooseWebRoot, listFiles } from '../../src/android-package/config/appFiles.ts';
import { zipFolder } from '../../src/build-service/builds/packages/zipArchive.ts';
import { BuildError } from '../../src/android-package/buildError.ts';
import { artifactName } from '../../src/android-package/config/appValues.ts';

/** A builder that checks an app and its key and packs its files, in milliseconds. The package can't be installed. */
export const demoBuilder: Builder = {
  name: 'demo',
  platforms: () => Promise.resolve({ browser: 'The demo builder can’t build browser apps.' }),
  build,
};

async function build(job: BuildJob, log: (line: string) => void, signal: AbortSignal): Promise<BuildResult> {
  const { app, platform, source, workFolder, key } = job;
  log('This is a demo package: it holds the files of the app, and cannot be installed.');
  const { hasConfig, config, webRoot } = source;
  if (hasConfig && config.name === '') {
    throw new BuildError('Malformed config.xml: the element name is missing or empty.');
  }
  log(!hasConfig ? 'There is no config.xml: the fields of the app are used.' : 'config.xml is well-formed.');
  if (platform === 'ios' && key === undefined) {
    throw new BuildError('You must provide a signing key, first');
  }
  // A Windows Phone app's key is the ID of its publisher, which needs no password.
  const fault = key === undefined || platform === 'winphone' ? undefined : await keyFault(key);
  if (fault !== undefined) {
    throw new BuildError(fault);
  }
  log(key === undefined ? 'No signing key is used.' : `A build would sign with the key “${key.key.title}”.`);
  const folder = join(workFolder, 'package');
  await mkdir(folder);
  if (hasConfig) {
    await copyFile(
      join(source.folder, chooseWebRoot(await listFiles(source.folder)).config ?? ''),
      join(folder, 'config.xml'),
    );
  }
  await rename(webRoot, join(folder, 'www'));
  const extension = EXTENSIONS[platform];
  const path = join(workFolder, `demo.${extension}`);
  await zipFolder(folder, path, signal);
  log('The files are packed.');
  return { path, fileName: `${artifactName(app.title, app.version)}-demo.${extension}` };
}
