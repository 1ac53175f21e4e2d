import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { TESTS_BEGIN, TESTS_END } from '../host/outputMarkers.ts';
import { shuffled } from '../support/shuffle.ts';
import { leaveWindow, leftovers, resetWindow, windowState } from './support/window.ts';

const FIRST = 'activation.test.cjs';

/**
 * VS Code calls this in the extension host. Runs every bundled `*.test.cjs` next to this file and writes the counts to the file in
 * APP_BUILD_TEST_RESULTS. APP_BUILD_GREP: runs only tests whose full title matches. APP_BUILD_SHUFFLE: a seed that changes the order of the
 * files.
 * @throws Error if a test failed or none ran
 */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 120_000,
    forbidOnly: true,
    forbidPending: true,
    reporter: 'spec',
    rootHooks: { beforeEach: resetAfterFirst() },
  });
  mocha.grep(new RegExp(process.env.APP_BUILD_GREP ?? ''));
  let found = windowState();
  mocha.suite.on('post-require', (_exports: unknown, file: string) => {
    // Runs after the hooks of the file itself.
    for (const suite of mocha.suite.suites.filter((each) => each.file === file)) {
      suite.afterAll('leaves the window as it found it', async () => {
        await leaveWindow();
        const left = await leftovers(found);
        // Accepts the leftovers as the new state, so that the next file isn't blamed for them.
        found = windowState();
        if (left.length > 0) {
          throw new Error(`${path.basename(file)} left behind:\n${left.join('\n')}`);
        }
      });
    }
  });
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.cjs'))
    .sort();
  const seed = process.env.APP_BUILD_SHUFFLE;
  const inOrder = seed === undefined ? files : shuffled(files, seed);
  // The first file checks a window in which nothing has run yet.
  for (const file of inOrder.toSorted((one, other) => Number(other === FIRST) - Number(one === FIRST))) {
    mocha.addFile(path.join(__dirname, file));
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

/** Resets the window before each test except the first one, which checks the files that VS Code alone has loaded. */
function resetAfterFirst(): Mocha.AsyncFunc {
  let isUntouched = true;
  return async function () {
    const isFirst = isUntouched && path.basename(this.currentTest?.file ?? '') === FIRST;
    isUntouched = false;
    if (!isFirst) {
      await resetWindow();
    }
  };
}
