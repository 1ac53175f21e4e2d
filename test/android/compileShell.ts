/**
 * `node test/android/compileShell.ts DX`: compiles the shell into `classes.dex`, and notes in `compiled.json` what it
 * came from. `DX` is the jar of dx, or a folder of its classes: README.md says which one. Needs a JDK.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { compileDex, digestOfSources, dx, outputOf, sha256, shellFolder, type Compiled } from './shellSource.ts';

const place = process.argv[2];
if (place === undefined) {
  throw new Error('Say where dx is.');
}
const dex = path.join(shellFolder, 'classes.dex');
const work = await mkdtemp(path.join(tmpdir(), 'shell-'));
try {
  await compileDex(place, dex, work);
} finally {
  await rm(work, { recursive: true, force: true });
}
const compiled: Compiled = {
  dex: sha256(await readFile(dex)),
  sources: await digestOfSources(),
  javac: (await outputOf('javac', '-version')).trim(),
  dx: (await dx(place, '--version')).trim(),
};
await writeFile(path.join(shellFolder, 'compiled.json'), `${JSON.stringify(compiled, undefined, 2)}\n`);
