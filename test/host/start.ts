/**
 * `npm start`: runs VS Code in the browser with the extension installed as a user would install it. Settings, sessions,
 * and the sample workspace are kept in .vscode-test/start. Ctrl-C stops everything.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { buildExtension, packageExtension } from './vsix.ts';
import { sampleWorkspace, startDirectory } from './sampleWorkspace.ts';
import { startWorkbench } from './server.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    console.log('\nStopped.');
    process.exit(0);
  });
}

const portFile = path.join(startDirectory, 'port');
await mkdir(startDirectory, { recursive: true });
await buildExtension();
const vsix = await packageExtension();
const folder = await sampleWorkspace();
const port = await rememberedPort();
const workbench = await startWorkbench({
  folder,
  extensions: [vsix],
  dataDirectory: startDirectory,
  ...(port === undefined ? {} : { port }),
});
await writeFile(portFile, String(workbench.port));
console.log(`
VS Code ${workbench.version} is running with the extension:  ${workbench.url}

  1. Open this address in a browser. The open folder is a small sample app.
  2. Click the "App Build" icon (a phone) in the activity bar.
  3. Click "Build App". A few seconds later, you have a signed Android app.
     To install it on a phone, follow "Get started step by step".
     To use your own service, click "Connect to a Service…".

Press Ctrl-C to stop VS Code and the local service. Your settings are kept in ${path.relative(process.cwd(), startDirectory) || '.'}.
`);
setInterval(() => undefined, 3_600_000);

/** Returns the port of the last start if it's free, because the browser stores sessions and settings by address. */
async function rememberedPort(): Promise<number | undefined> {
  const remembered = Number(await readFile(portFile, 'utf8').catch(() => ''));
  if (!Number.isInteger(remembered) || remembered <= 0) {
    return undefined;
  }
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(remembered, '127.0.0.1', () => probe.close(() => resolve(remembered)));
  });
}
