/**
 * `npm run test:integration` bundles test/integration and runs it in VS Code; `npm run test:oldest` uses the oldest version that
 * package.json supports. Arguments after either:
 * - `-- explorer signIn` runs only these test files. Paths work too.
 * - `-- --shuffle` runs the files in another order and prints its seed.
 * - `-- --shuffle=SEED` repeats that order.
 * Environment:
 * - VSCODE_VERSION: newest (default) or oldest. `--vscode` overrides it.
 * - VSCODE_EXECUTABLE: the desktop VS Code to use as the newest. By default, one is downloaded if there's a display. Without a display, or
 *   if the download fails, the packaged server runs the same suite.
 * - APP_BUILD_EXTENSION: another extension folder to load.
 * - APP_BUILD_GREP: a regular expression that selects tests by their full titles.
 */
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { repositoryRoot } from '../support/repository.ts';
import { bundleIntegrationTests } from './bundle.ts';
import { findDesktop } from './desktop.ts';
import { requestedVersion } from './versions.ts';
import { buildExtension, extensionDirectory } from './vsix.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).map((arg) => (arg === '--shuffle' ? `--shuffle=${Date.now() % 100_000}` : arg)),
  allowPositionals: true,
  options: { vscode: { type: 'string' }, shuffle: { type: 'string' } },
});
if (values.shuffle !== undefined) {
  console.log(`The files run in the order of --shuffle=${values.shuffle}.`);
}
// The launcher also reads this variable.
process.env.VSCODE_VERSION = values.vscode ?? process.env.VSCODE_VERSION ?? 'newest';
const version = requestedVersion();

await buildExtension();
const temporary = await mkdtemp(path.join(os.tmpdir(), 'app-build-integration-'));
const results = path.join(temporary, 'results.json');
const folder = path.join(temporary, 'workspace');
const extensions = path.join(temporary, 'extensions');
await mkdir(folder);
// Third-party extensions installed next to this one: one that reads sessions, and one that knows XML.
const others = {
  consumerExtension: 'app-build-test.session-consumer-1.0.0',
  xmlExtension: 'redhat.vscode-xml-0.0.1',
};
for (const [fixture, directory] of Object.entries(others)) {
  const source = path.join(repositoryRoot, 'test', 'fixtures', fixture);
  await cp(source, path.join(extensions, directory), { recursive: true });
}
// Each run has its own folder, so that runs at the same time don't collide.
const extensionTestsPath = await bundleIntegrationTests(
  positionals.length > 0 ? positionals.map((file) => path.basename(file, '.test.ts')) : undefined,
  `integration-${process.pid}`,
);
const desktop = await findDesktop(version);
if (desktop !== undefined) {
  console.log(`VS Code on the desktop: ${desktop}`);
}
let ended = true;
try {
  await runTests({
    vscodeExecutablePath: desktop ?? path.join(import.meta.dirname, 'launcher.ts'),
    extensionDevelopmentPath: extensionDirectory,
    extensionTestsPath,
    extensionTestsEnv: {
      APP_BUILD_TEST_RESULTS: results,
      ...(values.shuffle === undefined ? {} : { APP_BUILD_SHUFFLE: values.shuffle }),
    },
    launchArgs: [folder, `--user-data-dir=${path.join(temporary, 'userData')}`, `--extensions-dir=${extensions}`],
  });
} catch (error) {
  ended = false;
  console.error(error instanceof Error ? error.message : error);
}
const counts = await readCounts();
await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
await rm(path.dirname(extensionTestsPath), { recursive: true, force: true });
if (ended && counts.passed === 0) {
  console.error('No test ran. Check APP_BUILD_GREP and the names of test files after `--`.');
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = ended && counts.passed > 0 && counts.failed === 0 ? 0 : 1;

/** A run without counts didn't reach its tests. That's one failure. */
async function readCounts(): Promise<{ passed: number; failed: number }> {
  try {
    return JSON.parse(await readFile(results, 'utf8')) as { passed: number; failed: number };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
