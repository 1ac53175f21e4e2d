/**
 * `npm run test:integration` bundles test/integration and runs it in VS Code; `npm run test:oldest` does so in the oldest
 * that package.json promises to support. `-- explorer signIn` after either runs these test files only (their paths do as well), `-- --shuffle` the files
 * in another order, whose seed is printed, and `-- --shuffle=SEED` in that order again.
 *
 * Environment:
 * VSCODE_VERSION: newest (default) or oldest; `--vscode` goes before it.
 * VSCODE_EXECUTABLE: the desktop VS Code to take for the newest. Without it one is downloaded where there is a display;
 *   otherwise, and where that fails, the packaged server runs the same suite.
 * APP_BUILD_EXTENSION: another extension folder to load.
 * APP_BUILD_GREP: a regular expression; only tests whose full title matches are run.
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
// The launcher reads it too.
process.env.VSCODE_VERSION = values.vscode ?? process.env.VSCODE_VERSION ?? 'newest';
const version = requestedVersion();

await buildExtension();
const temporary = await mkdtemp(path.join(os.tmpdir(), 'app-build-integration-'));
const results = path.join(temporary, 'results.json');
const folder = path.join(temporary, 'workspace');
const extensions = path.join(temporary, 'extensions');
await mkdir(folder);
// Other publishers' extensions, installed beside this one: what one may see of sessions, and one that knows XML.
const others = {
  consumerExtension: 'app-build-test.session-consumer-1.0.0',
  xmlExtension: 'redhat.vscode-xml-0.0.1',
};
for (const [fixture, directory] of Object.entries(others)) {
  const source = path.join(repositoryRoot, 'test', 'fixtures', fixture);
  await cp(source, path.join(extensions, directory), { recursive: true });
}
// A folder of its own, for runs at the same time.
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
  console.error('No test ran. Look at APP_BUILD_GREP and at the names of test files after `--`.');
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = ended && counts.passed > 0 && counts.failed === 0 ? 0 : 1;

/** A run that wrote no counts did not get as far as its tests: that is one failure. */
async function readCounts(): Promise<{ passed: number; failed: number }> {
  try {
    return JSON.parse(await readFile(results, 'utf8')) as { passed: number; failed: number };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
