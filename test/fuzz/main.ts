/**
 * `npm run test:fuzz [-- --runs N] [--seed N]]`: tests every property and every door. `npm run fuzz` does this with a
 * large budget.
 */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import Mocha from 'mocha';

import '../support/vscodeInNode.ts';

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

const mocha = new Mocha({
  reporter: values.thorough ? 'spec' : 'dot',
  timeout: 0,
  forbidOnly: true,
  forbidPending: true,
});
for await (const file of glob('**/*.test.ts', { cwd: import.meta.dirname })) {
  mocha.addFile(path.join(import.meta.dirname, file));
}
await mocha.loadFilesAsync();
let passes = 0;
const failures = await new Promise<number>((resolve) => {
  mocha.run(resolve).on('pass', () => (passes += 1));
});

console.log(`\n${passes} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
