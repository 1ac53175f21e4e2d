import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { App, Platform } from '../store/model.ts';
import { artifactName, BuildError, EXTENSIONS, type Builder, type BuildJob, type BuildResult } from './builder.ts';
import { keyFault } from './buildKeys.ts';
import { zipFolder } from './packages/zipFolder.ts';
import { requireWebApp } from './webApp.ts';

const NOTE = 'This is a demo package: it holds the files of the app, and cannot be installed.';

/** Checks an app and packs its files, for tests of clients. The package cannot be installed. */
export const demoBuilder: Builder = {
  name: 'demo',
  platforms: () =>
    Promise.resolve({ browser: 'The demo builder makes no browser apps. Start the service with --builder cordova.' }),
  build,
};

async function build(job: BuildJob, log: (line: string) => void, signal: AbortSignal): Promise<BuildResult> {
  const { app, platform, source, workFolder, key } = job;
  log(NOTE);
  const { config, webRoot } = requireWebApp(source);
  if (config?.name === '') {
    throw new BuildError('Malformed config.xml: the element name is missing or empty.');
  }
  log(config === undefined ? 'There is no config.xml: the fields of the app are used.' : 'config.xml is well-formed.');
  if (platform === 'ios' && key === undefined) {
    throw new BuildError('You must provide a signing key, first');
  }
  // The key of a Windows Phone app is the ID of its publisher, which nothing opens.
  const fault = key === undefined || platform === 'winphone' ? undefined : await keyFault(key);
  if (fault !== undefined) {
    throw new BuildError(fault);
  }
  log(key === undefined ? 'No signing key is used.' : `A build would sign with the key “${key.key.title}”.`);
  const folder = join(workFolder, 'package');
  await mkdir(folder);
  if (source.configFile !== undefined) {
    await copyFile(source.configFile, join(folder, 'config.xml'));
  }
  await writeFile(join(folder, 'README.txt'), readme(app, platform));
  await writeFile(join(folder, 'manifest.json'), manifest(app, platform));
  await rename(webRoot, join(folder, 'www'));
  const extension = EXTENSIONS[platform];
  const path = join(workFolder, `demo.${extension}`);
  await zipFolder(folder, path, signal);
  log('The files are packed.');
  return { path, fileName: `${artifactName(app.title, app.version)}-demo.${extension}` };
}

function readme({ title, version }: App, platform: Platform): string {
  return `${title} ${version} for ${platform}

${NOTE}
The demo builder of the local application build service made it, for tests of clients. To build for real, start the
service without --builder demo.
`;
}

function manifest({ title, package: id, version }: App, platform: Platform): string {
  return `${JSON.stringify({ builder: 'demo', installable: false, note: NOTE, title, package: id, version, platform }, undefined, 2)}\n`;
}
