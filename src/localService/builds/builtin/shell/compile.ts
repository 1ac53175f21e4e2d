/**
 * `node src/localService/builds/builtin/shell/compile.ts --dx DX.JAR`: compiles the shell into `classes.dex`, and notes in
 * `compiled.json` what it came from. Needs a JDK. With `--output FILE` both stay as they are, and the dex is written there.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import {
  androidStubs,
  compileClasses,
  compileShell,
  digestOfSources,
  outputOf,
  sha256,
  shellFolder,
  type Compiled,
} from './shellSource.ts';

const { values } = parseArgs({ options: { dx: { type: 'string' }, output: { type: 'string' } } });
if (values.dx === undefined) {
  throw new Error('--dx names the jar, or the folder of classes, of dx: README.md says which one.');
}
const work = await mkdtemp(path.join(tmpdir(), 'shell-'));
try {
  const stubs = path.join(work, 'stubs');
  const classes = path.join(work, 'classes');
  await compileClasses(await androidStubs(), stubs);
  await compileShell(classes, stubs);
  const dex = values.output ?? path.join(shellFolder, 'classes.dex');
  const dx = ['-cp', values.dx, 'com.android.dx.command.Main'];
  process.stdout.write(await outputOf('java', ...dx, '--dex', `--output=${path.resolve(dex)}`, classes));
  if (values.output === undefined) {
    const compiled: Compiled = {
      dex: sha256(await readFile(dex)),
      sources: await digestOfSources(),
      javac: (await outputOf('javac', '-version')).trim(),
      dx: (await outputOf('java', ...dx, '--version')).trim(),
    };
    await writeFile(path.join(shellFolder, 'compiled.json'), `${JSON.stringify(compiled, undefined, 2)}\n`);
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
