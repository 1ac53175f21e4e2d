/**
 * `npm run test:unit` runs the unit tests in Node. `-- src/extension/auth` or `-- test/unit/extension/auth` runs the tests of one folder,
 * and `-- FILE…` runs these files. mocha's own options work: `--watch` reruns the tests after each change, and `--grep words` selects by
 * title.
 */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

const args = process.argv.slice(2);
const isPath = (arg: string): boolean => /^(?:src|test)\//.test(arg);
const specs = args.filter(isPath).map(toSpec);
const mocha = path.join(repositoryRoot, 'node_modules', 'mocha', 'bin', 'mocha.js');
const child = spawn(
  process.execPath,
  [mocha, ...args.filter((arg) => !isPath(arg)), ...(specs.length > 0 ? specs : ['test/unit/**/*.test.ts'])],
  { cwd: repositoryRoot, stdio: 'inherit' },
);
child.once('exit', (code) => (process.exitCode = code ?? 1));

/** Returns the tests of a folder in `src/`, which `test/unit/` mirrors, or the tests in a test folder or file. */
function toSpec(given: string): string {
  const test = given.replace(/^src\//, 'test/unit/').replace(/(?<!\.test)\.ts$/, '.test.ts');
  if (!existsSync(path.join(repositoryRoot, test))) {
    console.error(`${test} doesn't exist.`);
    process.exit(1);
  }
  return statSync(path.join(repositoryRoot, test)).isDirectory() ? path.posix.join(test, '**/*.test.ts') : test;
}
