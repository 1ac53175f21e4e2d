/**
 * `npm run start:desktop`: runs a desktop VS Code with this folder's extension. VSCODE_EXECUTABLE selects the
 * executable.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { findDesktop } from './desktop.ts';
import { sampleWorkspace, startDirectory } from './sampleWorkspace.ts';
import { buildExtension, extensionDirectory } from './vsix.ts';

const executable = await findDesktop('newest').catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
if (executable === undefined) {
  console.error(
    'There is no desktop VS Code to start here: it needs a display and a download, or VSCODE_EXECUTABLE with the path of one. `npm start` runs VS Code in the browser.',
  );
  process.exit(1);
}
await buildExtension();
const desktop = spawn(
  executable,
  [
    await sampleWorkspace(),
    `--extensionDevelopmentPath=${extensionDirectory}`,
    `--user-data-dir=${path.join(startDirectory, 'desktop')}`,
    `--extensions-dir=${path.join(startDirectory, 'desktopExtensions')}`,
    '--disable-workspace-trust',
    '--skip-welcome',
  ],
  { stdio: 'inherit' },
);
console.log(`VS Code starts with the extension: ${executable}. To stop it, press Ctrl-C or close its window.`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => desktop.kill(signal));
}
desktop.on('error', (error) => {
  console.error(`VS Code didn’t start: ${error.message}`);
  process.exitCode = 1;
});
desktop.on('exit', (code) => process.exit(code ?? 0));
