import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { TESTS_BEGIN, TESTS_END } from '../host/outputMarkers.ts';

/**
 * VS Code calls this in the extension host. Runs every bundled `*.test.cjs` beside this file and writes the counts to the
 * file that APP_BUILD_TEST_RESULTS names. APP_BUILD_GREP: only tests whose full title matches.
 * @throws Error when a test failed or none ran.
 */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, forbidOnly: true, forbidPending: true, reporter: 'spec' });
  mocha.grep(new RegExp(process.env.APP_BUILD_GREP ?? ''));
  for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.test.cjs')) {
      mocha.addFile(path.join(__dirname, file));
    }
  }
  console.log(TESTS_BEGIN);
  const counts = await new Promise<{ passed: number; failed: number }>((resolve) => {
    const runner = mocha.run((failed) => resolve({ passed: runner.stats?.passes ?? 0, failed }));
  });
  console.log(TESTS_END);
  const results = process.env.APP_BUILD_TEST_RESULTS;
  if (results !== undefined) {
    writeFileSync(results, JSON.stringify(counts));
  }
  if (counts.failed > 0 || counts.passed === 0) {
    throw new Error(`${counts.passed} passed, ${counts.failed} failed`);
  }
}
