/**
 * `npm run test:fuzz [-- --runs N] [--seed N]]`: every property, and a table of what was tried.
 * `npm run fuzz` does it with a large budget.
 */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import Mocha from 'mocha';

import '../support/vscodeInNode.ts';
import { tableOf } from '../support/table.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string' },
    thorough: { type: 'boolean', default: false },
  },
});
process.env.APP_BUILD_FUZZ_RUNS = values.runs ?? process.env.APP_BUILD_FUZZ_RUNS ?? (values.thorough ? '20000' : '300');
if (values.seed !== undefined) {
  process.env.APP_BUILD_FUZZ_SEED = values.seed;
}

// Reads its budget when it is loaded.
const { counts } = await import('./property.ts');
const mocha = new Mocha({ reporter: 'dot', timeout: 0, forbidOnly: true, forbidPending: true });
for await (const file of glob('**/*.test.ts', { cwd: import.meta.dirname })) {
  mocha.addFile(path.join(import.meta.dirname, file));
}
await mocha.loadFilesAsync();
let passes = 0;
const failures = await new Promise<number>((resolve) => {
  mocha.run(resolve).on('pass', () => (passes += 1));
});

console.log(
  tableOf(
    counts.map(({ property, inputs, failures: found, seed, milliseconds }) => ({
      property,
      inputs: String(inputs),
      failures: String(found),
      seed: String(seed),
      seconds: (milliseconds / 1000).toFixed(1),
    })),
  ),
);
const inputs = counts.reduce((sum, count) => sum + count.inputs, 0);
console.log(`\n${inputs} inputs to ${counts.length} properties\n${passes} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
