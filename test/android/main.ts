/**
 * `npm run test:android`: what is made for Android, held against the tools that Debian has for it. A part whose tools are missing says so;
 * the last line counts what ran.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { missingTools, type Part } from './part.ts';
import { packageParts } from './packages.ts';
import { shellParts } from './shell.ts';

const PARTS: readonly Part[] = [...shellParts, ...packageParts];

let passed = 0;
let failed = 0;
let ran = 0;
for (const part of PARTS) {
  const missing = await missingTools(part);
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(({ from }) => from))].join(' ');
    const names = missing.map(({ name }) => name).join(', ');
    console.log(`${part.title}: not run: ${names} missing; apt-get install ${packages}`);
    continue;
  }
  ran += 1;
  const folder = await mkdtemp(path.join(tmpdir(), 'android-'));
  try {
    const counts = await part.run(folder);
    passed += counts.passed;
    failed += counts.failures.length;
    console.log(`${part.title}: ${counts.passed} passed, ${counts.failures.length} failed`);
    for (const failure of counts.failures) {
      console.log(`  ${failure}`);
    }
  } catch (error) {
    failed += 1;
    console.log(`${part.title}: FAILED: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && ran > 0 ? 0 : 1;
