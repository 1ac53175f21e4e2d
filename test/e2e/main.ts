/**
 * `npm run test:e2e`: runs all end-to-end tests, or those in the files after `--`. `--shuffle` runs the files in another order, and
 * `--shuffle=SEED` repeats it. Other options are passed to Mocha, such as `--grep words`.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';
import { shuffled } from '../support/shuffle.ts';

const mocha = path.join(repositoryRoot, 'node_modules', 'mocha', 'bin', 'mocha.js');
const args = process.argv.slice(2);
const isFile = (arg: string): boolean => arg.endsWith('.test.ts');
const shuffle = args.find((arg) => /^--shuffle(=|$)/.test(arg));
const options = args.filter((arg) => !isFile(arg) && arg !== shuffle);

let files = args.filter(isFile);
if (files.length === 0) {
  files = globSync('test/e2e/**/*.test.ts', { cwd: repositoryRoot }).sort();
}
if (shuffle !== undefined) {
  const seed = shuffle.split('=')[1] ?? String(randomInt(1_000_000));
  files = shuffled(files, seed);
  console.log(`In the order of --shuffle=${seed}: ${files.map((file) => path.basename(file, '.test.ts')).join(' ')}`);
}
const child = spawn(
  process.execPath,
  [
    mocha,
    '--no-config',
    '--require',
    'test/support/vscodeInNode.ts',
    '--timeout',
    '120000',
    '--exit',
    '--forbid-only',
    '--forbid-pending',
    ...options,
    ...files,
  ],
  { cwd: repositoryRoot, stdio: 'inherit' },
);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
