/**
 * `npm run test:windows [-- FILE…]`: runs the unit tests in Node for Windows under Wine. Wine isn't Windows: `leftOut.ts` lists its
 * limitations. Every file runs in its own process. A skipped test that passes or no longer exists counts as a failure.
 */
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { findCordovaEngine } from '../host/cordovaEngine.ts';
import { buildExtension } from '../host/vsix.ts';
import { repositoryRoot } from '../support/repository.ts';
import { formatTable } from '../support/table.ts';
import { leftOut } from './leftOut.ts';
import { runFile, type Result } from './runFile.ts';
import { Wine } from './wine.ts';

const AT_ONCE = 2;

const { positionals } = parseArgs({ allowPositionals: true });
const files = positionals.length > 0 ? positionals : globSync('test/unit/**/*.test.ts', { cwd: repositoryRoot }).sort();

// The tests use these files. The programs that build them run only on this computer's own system.
await buildExtension();
await findCordovaEngine();
const wine = await Wine.start().catch((error: unknown) => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return undefined;
  }
  throw error;
});
if (wine === undefined) {
  console.log('Wine isn’t installed. Install it: apt-get install --no-install-recommends wine wine64');
  process.exit(1);
}

const results: Result[] = [];
const waiting = [...files];
try {
  await Promise.all(Array.from({ length: AT_ONCE }, () => work(wine)));
} finally {
  await wine.stop();
}
const missing = leftOut
  .flatMap(({ tests }) => Object.keys(tests).map((file) => `test/unit/${file}`))
  .filter((file) => positionals.length === 0 && !files.includes(file));
missing.forEach((file) => console.log(`${file}: is missing, so remove it from leftOut.ts`));

const table = leftOut.map(({ reason }) => {
  const counts = results.flatMap((result) => result.leftOut.get(reason) ?? []);
  return { 'left out': reason, files: String(counts.length), tests: String(sum(counts)) };
});
const failed = sum(results.map(({ failures }) => failures.length)) + missing.length;
console.log(`\n${formatTable(table)}\n\n${files.length} files`);
console.log(`${sum(results.map(({ passed }) => passed))} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function work(wine: Wine): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const result = await runFile(wine, file);
    results.push(result);
    const left = sum([...result.leftOut.values()]);
    console.log(`${file}: ${result.passed} passed${left === 0 ? '' : `, ${left} left out`}`);
    result.failures.forEach((failure) => console.log(`  FAILED ${failure}`));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
