#!/usr/bin/env node
/**
 * Replaces the executable of a desktop VS Code for @vscode/test-electron: accepts its arguments, runs the tests in the packaged VS Code
 * with a browser, forwards their output, and exits with 0 or 1. APP_BUILD_TEST_TIMEOUT: seconds after which a run is stopped (default:
 * 900). VSCODE_VERSION: newest (default) or oldest.
 */
import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import { TESTS_BEGIN, TESTS_END } from './outputMarkers.ts';
import { startWorkbench } from './server.ts';
import { requestedVersion } from './versions.ts';
import { openBrowser } from './workbench.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
  },
});

const timeoutSeconds = Number(process.env.APP_BUILD_TEST_TIMEOUT ?? 900);
const workbenchOutput: string[] = [];
let inTests = false;
const run = new EventEmitter<{ end: [code: number] }>();
const finish = (code: number): boolean => run.emit('end', code);
const ended = once(run, 'end');
const timeout = setTimeout(() => {
  console.error(
    `The tests did not end within ${timeoutSeconds} s; VS Code is closed. APP_BUILD_TEST_TIMEOUT sets another limit.`,
  );
  finish(1);
}, timeoutSeconds * 1000);

const workbench = await startWorkbench({
  version: requestedVersion(),
  folder: path.resolve(positionals[0] ?? '.'),
  extensionDevelopmentPath: absolute(values.extensionDevelopmentPath, 'extensionDevelopmentPath'),
  extensionTestsPath: absolute(values.extensionTestsPath, 'extensionTestsPath'),
  ...(typeof values['user-data-dir'] === 'string' ? { dataDirectory: values['user-data-dir'] } : {}),
  ...(typeof values['extensions-dir'] === 'string' ? { extensionsDirectory: values['extensions-dir'] } : {}),
});
const window = await openBrowser();
console.log(
  `VS Code ${workbench.version} (packaged server on Node ${workbench.nodeVersion}, browser ${window.browserName})`,
);
await window.context.exposeFunction('forwardTestLog', (type: string, args: unknown[]) =>
  forward(type, format(...args)),
);
// A test may raise the log level. Unread messages stay in the page, because each would cross to this process three
// times.
await window.context.addInitScript(`
  codeAutomationLog = (type, args) => type === 'trace' || type === 'debug' ? undefined : forwardTestLog(type, args);
  for (const name of ['trace', 'debug', 'log', 'info', 'warn', 'error']) console[name] = () => {};
`);
await window.context.exposeFunction('codeAutomationExit', (code: number) => finish(code));
window.page.on('crash', () => {
  console.error('The browser page crashed.');
  finish(1);
});
await window.page.goto(workbench.url);
const [code] = (await ended) as [number];
clearTimeout(timeout);
if (code !== 0) {
  console.error(['Output of the workbench:', ...workbenchOutput].join('\n  '));
}
await window.close();
await workbench.stop();
process.exit(code);

/** Output of the tests is printed immediately. Output of the workbench is printed only if the run has failed. */
function forward(type: string, text: string): void {
  if (text === TESTS_BEGIN || text === TESTS_END) {
    inTests = text === TESTS_BEGIN;
  } else if (!inTests) {
    workbenchOutput.push(text);
  } else if (type === 'error' || type === 'warn') {
    console.error(text);
  } else {
    console.log(text);
  }
}

function absolute(value: string | boolean | undefined, name: string): string {
  if (typeof value !== 'string') {
    console.error(`The argument --${name}=PATH is missing. Start the tests with \`npm run test:integration\`.`);
    process.exit(2);
  }
  return path.resolve(value);
}
