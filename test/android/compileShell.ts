/**
 * `node test/android/compileShell.ts DX ANDROID`: compiles the shell into `classes.dex` and each family of plugins into a separate dex, and
 * records their sources in `compiled.json`. `DX` is the jar of dx or a folder with its classes, and `ANDROID` is a jar of Android's
 * classes; see README.md for the versions. Requires a JDK.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import {
  compileDex,
  compilePlugins,
  computeDigest,
  computeSourcesDigest,
  dx,
  readOutput,
  pluginSources,
  sha256,
  shellFolder,
  type Compiled,
} from './shellSource.ts';

const [place, android] = process.argv.slice(2);
if (place === undefined || android === undefined) {
  throw new Error('Specify the jar of dx and the jar of Android.');
}
const dex = path.join(shellFolder, 'classes.dex');
const plugins = path.join(shellFolder, 'plugins');
const work = await mkdtemp(path.join(tmpdir(), 'shell-'));
try {
  await compileDex(place, dex, work);
  await compilePlugins(place, android, plugins, work);
} finally {
  await rm(work, { recursive: true, force: true });
}
const compiled: Compiled = {
  dex: sha256(await readFile(dex)),
  sources: await computeSourcesDigest(),
  plugins: Object.fromEntries(
    await Promise.all(
      Array.from(pluginSources(), async ([name, sources]) => [
        name,
        { dex: sha256(await readFile(path.join(plugins, `${name}.dex`))), sources: await computeDigest(sources) },
      ]),
    ),
  ) as Compiled['plugins'],
  javac: (await readOutput('javac', '-version')).trim(),
  dx: (await dx(place, '--version')).trim(),
};
await writeFile(path.join(shellFolder, 'compiled.json'), `${JSON.stringify(compiled, undefined, 2)}\n`);
