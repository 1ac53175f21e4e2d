/**
 * `npm run mutation` runs Stryker on the code that fulfills the promises in SECURITY.md. It changes the code piece by piece and runs the
 * unit tests that reach each change. A change that no test detects survives. `-- credentials signing` mutates only these parts. The reports
 * with the survivors are in out/mutation/.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from '../host/install.ts';
import { repositoryRoot } from '../support/repository.ts';
import { PARTS } from './parts.ts';

const packages = path.join(await installPackages('mutation', [import.meta.filename]), 'node_modules');
const stryker = path.join(packages, '@stryker-mutator', 'core', 'bin', 'stryker.js');
const out = path.join(repositoryRoot, 'out', 'mutation');
await mkdir(out, { recursive: true });
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
let failed = 0;
for (const name of names) {
  const part = PARTS[name];
  if (part === undefined) {
    throw new Error(`Unknown part ${name}. Choose from ${Object.keys(PARTS).join(', ')}.`);
  }
  const { mutate, spec } = part;
  const file = path.join(out, `${name}.json`);
  const configuration = {
    mutate,
    testRunner: 'mocha',
    plugins: [path.join(packages, '@stryker-mutator', 'mocha-runner', 'dist', 'src', 'index.js')],
    mochaOptions: { 'no-config': true, spec, require: ['test/support/vscodeInNode.ts'] },
    coverageAnalysis: 'perTest',
    // A change to values that a module computes on load would need its own process.
    ignoreStatic: true,
    ignorePatterns: ['.vscode-test', 'out', 'dist'],
    reporters: ['clear-text', 'html'],
    htmlReporter: { fileName: path.join(out, `${name}.html`) },
    // Strings aren't mutated, because a test that checks every word would be a copy of the code.
    mutator: { excludedMutations: ['StringLiteral'] },
    tempDirName: path.join(out, 'sandbox'),
    cleanTempDir: 'always',
    disableTypeChecks: false,
  };
  await writeFile(file, JSON.stringify(configuration));
  const child = spawn(process.execPath, [stryker, 'run', file], {
    cwd: repositoryRoot,
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'preload.ts')).href}`,
    },
    stdio: 'inherit',
  });
  failed += await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code === 0 ? 0 : 1)));
}
console.log(`${names.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
