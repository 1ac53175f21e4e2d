#!/usr/bin/env node
/**
 * Stands where @vscode/test-electron expects the executable of a desktop VS Code: takes its arguments, runs the tests in
 * the packaged VS Code with a browser, forwards what they print, and exits with 0 or 1.
 * APP_BUILD_TEST_DEADLINE: seconds after which a run is ended, 900 by default.
 */
import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { format, parseArgs } from 'node:util';
import { testsBegin, testsEnd } from './marks.ts';
import { startWorkbench } from './server.ts';
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

const seconds = Number(process.env.APP_BUILD_TEST_DEADLINE ?? 900);
const held: string[] = [];
let inTests = false;
const run = new EventEmitter<{ end: [code: number] }>();
const finish = (code: number): boolean => run.emit('end', code);
const ended = once(run, 'end');
const deadline = setTimeout(() => {
  console.error(
    `The tests did not end within ${seconds} s; VS Code is closed. APP_BUILD_TEST_DEADLINE sets another limit.`,
  );
  finish(1);
}, seconds * 1000);

const workbench = await startWorkbench({
  folder: path.resolve(positionals[0] ?? '.'),
  extensionDevelopmentPath: absolute(values.extensionDevelopmentPath, 'extensionDevelopmentPath'),
  extensionTestsPath: absolute(values.extensionTestsPath, 'extensionTestsPath'),
  ...(typeof values['user-data-dir'] === 'string' ? { dataDirectory: values['user-data-dir'] } : {}),
  ...(typeof values['extensions-dir'] === 'string' ? { extensionsDirectory: values['extensions-dir'] } : {}),
});
const window = await openBrowser();
console.log(`VS Code ${workbench.version} (packaged server, browser ${window.browserName})`);
await window.context.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) =>
  forward(type, format(...args)),
);
await window.context.exposeFunction('codeAutomationExit', (code: number) => finish(code));
window.page.on('crash', () => {
  console.error('The browser page crashed.');
  finish(1);
});
await window.page.goto(workbench.url);
const [code] = (await ended) as [number];
clearTimeout(deadline);
if (code !== 0) {
  console.error(['The workbench itself said:', ...held].join('\n  '));
}
await window.close();
await workbench.stop();
process.exit(code);

/** The tests' own lines are shown as they come; what the workbench says about itself only when the run has failed. */
function forward(type: string, text: string): void {
  // A test may raise the log level.
  if (type === 'trace' || type === 'debug') {
    return;
  }
  if (text === testsBegin || text === testsEnd) {
    inTests = text === testsBegin;
  } else if (!inTests) {
    held.push(text);
  } else if (type === 'error' || type === 'warn') {
    console.error(text);
  } else {
    console.log(text);
  }
}

function absolute(value: string | boolean | undefined, name: string): string {
  if (typeof value !== 'string') {
    console.error(`The argument --${name}=PATH is missing.`);
    process.exit(2);
  }
  return path.resolve(value);
}
