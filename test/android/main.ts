/**
 * `npm run test:android`: checks the builder's results with Debian's Android tools. A part reports if its tools are missing. The last line
 * contains the totals.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { artParts } from './art.ts';
import { assetParts } from './assets.ts';
import { bundleParts } from './bundles.ts';
import { deviceCheckParts } from './deviceCheck.ts';
import { Checks, isMissing } from './part.ts';
import { packageParts } from './packages.ts';
import { shellParts } from './shell.ts';

let passed = 0;
let failed = 0;
const parts = [...shellParts, ...artParts, ...packageParts, ...bundleParts, ...assetParts, ...deviceCheckParts];
for (const { title, tools, run } of parts) {
  const missing = tools.filter(isMissing);
  if (missing.length > 0) {
    const names = missing.map(({ file }) => file).join(', ');
    const packages = [...new Set(missing.flatMap(({ from }) => from ?? []))];
    const advice = packages.length === 0 ? '' : `; apt-get install ${packages.join(' ')}`;
    console.log(`${title}: not run, without ${names}${advice}`);
    continue;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'android-'));
  const checks = new Checks();
  try {
    await run(checks, folder);
  } catch (error) {
    checks.failures.push(error instanceof Error ? error.message : String(error));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  passed += checks.passed;
  failed += checks.failures.length;
  console.log([`${title}: ${checks.passed} passed, ${checks.failures.length} failed`, ...checks.failures].join('\n  '));
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
