/**
 * `npm run test:plugins`: runs the unchanged JavaScript of real plugins from npm in Chromium. The shell and its plugins run on Android's
 * own classes in a JVM. Makes each call in `calls.ts` once, and checks that no action in `hostile.ts` succeeds. The last line contains the
 * totals.
 */
import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { build } from 'esbuild';
import { chromium, type BrowserContext, type Page, type Request } from 'playwright-core';

import { formatSentence } from '../../src/errors/sentence.ts';
import { NATIVE_PLUGINS } from '../../src/android-package/plugins/nativePlugins.ts';
import { readAppFiles } from '../../src/android-package/config/appFiles.ts';
import { unpackPackage } from '../../src/build-service/builds/packages/uploadedPackage.ts';
import { writePackage } from '../../src/web-project/packing/packageFile.ts';
import { writeSampleProject } from '../../src/extension/commands/sampleFiles.ts';
import { findBrowser } from '../host/browser.ts';
import { installPackages } from '../host/install.ts';
import { testJob } from '../support/buildJob.ts';
import { addFiles, plan } from '../support/packing.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { CALLS, type PluginCall } from './calls.ts';
import { FOREIGN, FOREIGN_PAGES, FRAMING_PAGE, HOSTILE_CALLS, HOSTILE_PAGES, SAVED_PAGE } from './hostile.ts';
import { prepareProject } from './project.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

const PROJECT = path.join(import.meta.dirname, '../../out/plugins');
const ORIGIN = 'https://localhost';
const CONNECT = 'appbuild:connect';
const NETWORK_ERROR = 599;
/** Android's API level. */
const LEVEL = 34;
const CALL_TIMEOUT_MS = 10_000;
const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Robolectric; wv) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36';
/** Checks of Device Check that need a tap on Start and that PageHost supports. */
const STARTED = ['Clipboard', 'Take a picture', 'Choose a picture'];
/** Plugins that Device Check calls without their JavaScript. */
const UNINSTALLED = ['cordova-plugin-badge', 'cordova-plugin-tts'];
const SETTLED = ':not([data-result=waiting]):not([data-result=open])';

/** A sentence that describes a problem. Undefined: no problem. */
type Outcome = string | undefined;

const signal = new AbortController().signal;
const folder = await mkdtemp(path.join(tmpdir(), 'plugins-'));
try {
  const packages = await installPackages('plugins', []);
  await prepareProject(PROJECT, await buildApp(packages), 'com.example.plugins');
  await inBrowser();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Builds a Cordova project that has every plugin and a page that also uses Capacitor's plugins. @returns the path of its package */
async function buildApp(packages: string): Promise<string> {
  const project = path.join(folder, 'project');
  const deviceCheck = await deviceCheckFiles();
  const installed: string[] = [];
  for (const name of NATIVE_PLUGINS) {
    const isThere = await access(path.join(packages, 'node_modules', name)).then(
      () => true,
      () => false,
    );
    installed.push(...(isThere ? [name] : []));
  }
  const capacitor = installed.filter((name) => name.startsWith('@'));
  await mkdir(path.join(project, 'www'), { recursive: true });
  await symlink(path.join(packages, 'node_modules'), path.join(project, 'node_modules'));
  await build({
    bundle: true,
    format: 'iife',
    outfile: path.join(project, 'www/capacitor.js'),
    stdin: {
      contents: [
        `import * as core from '@capacitor/core';`,
        ...capacitor.map((name, index) => `import * as plugin${index} from '${name}';`),
        `window.cap = Object.assign({}, core${capacitor.map((_, index) => `, plugin${index}`).join('')});`,
      ].join('\n'),
      resolveDir: packages,
    },
  });
  await addFiles(project, {
    'config.xml': `<widget id="com.example.plugins" version="1.0.0"><name>Plugins</name>${[...installed, ...UNINSTALLED]
      .map((name) => `<plugin name="${name}"/>`)
      .join('')}</widget>`,
    'www/index.html':
      '<!doctype html><html><head><title>Plugins</title><script src="cordova.js"></script><script src="capacitor.js"></script></head><body></body></html>',
    ...deviceCheck,
    'www/text.txt': 'text of the package',
    // The builder adds openDatabase to a package whose page calls it.
    'www/websql.js': `const notes = () => openDatabase('notes', '1', 'Notes', 1);`,
  });
  const [archive, unpacked] = [path.join(folder, 'app.zip'), path.join(folder, 'unpacked')];
  const packed = await writePackage(await plan(project), {}, folder);
  await writeFile(archive, packed.file.bytes());
  await packed.dispose();
  await mkdir(unpacked);
  await unpackPackage(archive, 'zip', unpacked, signal);
  const job = await testJob(folder, { source: await readAppFiles(unpacked, 'android') });
  return (await createBuiltinBuilder(undefined).build(job, () => undefined, signal)).path;
}

/** Copies the sample project Device Check to a folder in the same app. @returns its pages by path */
async function deviceCheckFiles(): Promise<Record<string, Buffer | string>> {
  const sample = await writeSampleProject(folder, 'device', { language: 'en', toText: formatSentence });
  const pages = path.dirname(sample.page);
  const files: Record<string, Buffer | string> = {};
  for (const entry of await readdir(pages, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const file = path.join(entry.parentPath, entry.name);
      files[`www/device-check/${path.relative(pages, file)}`] = await readFile(file);
    }
  }
  const index = 'www/device-check/index.html';
  return { ...files, [index]: String(files[index]).replace('"cordova.js"', '"/cordova.js"') };
}

async function inBrowser(): Promise<void> {
  const portFile = path.join(PROJECT, 'port');
  const maven = spawn('mvn', ['-B', '-q', 'test', '-Dtest=PageHost', `-Dsdks=${LEVEL}`, `-DpageHost=${portFile}`], {
    cwd: PROJECT,
    stdio: 'inherit',
  });
  const ended = new Promise<never>((_, reject) => {
    maven.once('exit', (code) => reject(new Error(`Maven ended with ${code}.`)));
  });
  ended.catch(() => undefined);
  try {
    const port = await Promise.race([
      ended,
      waitUntil(async () => (await readFile(portFile, 'utf8').catch(() => '')) || undefined),
    ]);
    const host = `http://127.0.0.1:${port}`;
    const found = await findBrowser();
    const browser = await chromium.launch({
      executablePath: found.executablePath,
      args: [...found.args, '--host-resolver-rules=MAP * 127.0.0.1:1'],
      env: { ...process.env, ...found.env },
    });
    try {
      const context = await browser.newContext();
      await answerByShell(context, host);
      const page = await openPage(context, host, '');
      const outcomes = [...(await makeCalls(page)), ...(await visitHostilePages(page, host))];
      await context.close();
      const phone = await browser.newContext({ userAgent: PHONE });
      await answerByShell(phone, host);
      report([...outcomes, ...(await startChecks(await openPage(phone, host, 'device-check/index.html')))]);
    } finally {
      await browser.close();
      await post(host, '/end', '').catch(() => undefined);
    }
  } finally {
    maven.kill();
  }
}

async function answerByShell(context: BrowserContext, host: string): Promise<void> {
  await context.route('**/*', async (route, request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === FOREIGN && FOREIGN_PAGES[pathname] !== undefined) {
      await route.fulfill({ contentType: 'text/html', body: FOREIGN_PAGES[pathname] });
      return;
    }
    const answer = await post(host, '/file', JSON.stringify(await describe(request)));
    if (answer.status === NETWORK_ERROR) {
      await route.abort();
    } else {
      await route.fulfill({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      });
    }
  });
}

async function describe(request: Request): Promise<object> {
  return {
    url: request.url(),
    method: request.method(),
    isForMainFrame: request.isNavigationRequest() && request.frame().parentFrame() === null,
    headers: await request.allHeaders(),
  };
}

/** Opens a page with a port to the shell. */
async function openPage(context: BrowserContext, host: string, address: string): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (message) => {
    console.log(`  console: ${message.text().slice(0, 300)}`);
  });
  page.on('pageerror', (error) => {
    console.log(`  error: ${error.message}`);
  });
  // A port preserves the order of messages.
  let sent = Promise.resolve<unknown>(undefined);
  await page.exposeFunction('toShell', (text: string) => {
    sent = sent.then(() => post(host, '/send', text));
  });
  let received = 0;
  let isConnected = false;
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) {
      void post(host, '/started', frame.url());
    }
  });
  // Only this event contains the address of the asking frame. Without the other listener, dialogs close automatically.
  page.on('dialog', () => undefined);
  const session = await context.newCDPSession(page);
  await session.send('Page.enable');
  session.on('Page.javascriptDialogOpening', ({ message, url }) => {
    void (async () => {
      const isAnswered = message === CONNECT && (await (await post(host, '/connect', url)).text()) === 'true';
      await session.send('Page.handleJavaScriptDialog', { accept: true, promptText: '' });
      if (!isAnswered) {
        return;
      }
      received = 0;
      // Like WebView's message, this one has no source and no origin, and reaches only the main frame while it has the app's origin.
      await page.evaluate(`if (origin === '${ORIGIN}') {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => toShell(data);
        window.fromShell = port1;
        dispatchEvent(new MessageEvent('message', { data: '${CONNECT}', ports: [port2] }));
      }`);
      isConnected = true;
    })();
  });
  await page.goto(`${ORIGIN}/${address}`);
  await waitUntil(() => isConnected);
  void (async () => {
    while (!page.isClosed()) {
      const texts = (await (await post(host, '/receive', String(received))).json()) as readonly string[];
      received += texts.length;
      await page.evaluate(`${JSON.stringify(texts)}.forEach((text) => fromShell.postMessage(text))`);
    }
  })().catch(() => undefined);
  await page.evaluate(`new Promise((resolve) => document.addEventListener('deviceready', () => resolve()))`);
  return page;
}

/** Makes all calls. @returns for each call, how its result differs from the expected one */
async function makeCalls(page: Page): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const call of [...CALLS, ...HOSTILE_CALLS]) {
    const outcome = await makeCall(page, call);
    outcomes.push(outcome === undefined ? undefined : `${call.plugin}: ${call.script}\n    ${outcome}`);
  }
  return outcomes;
}

/** Navigates the main frame away from the app, and to a page that the app has saved. @returns what each of them received, if anything */
async function visitHostilePages(page: Page, host: string): Promise<readonly Outcome[]> {
  const saved = await page.evaluate<string>(
    `new Promise((resolve, reject) => resolveLocalFileSystemURL(cordova.file.dataDirectory, (folder) =>
      folder.getFile('saved.html', { create: true }, (file) => file.createWriter((writer) => {
        writer.onwriteend = () => resolve('${ORIGIN}/_app_file_' + file.nativeURL.replace('file://', ''));
        writer.write(new Blob([${JSON.stringify(SAVED_PAGE)}]));
      }, reject), reject), reject))`,
  );
  const outcomes: Outcome[] = [];
  for (const url of [...HOSTILE_PAGES, FRAMING_PAGE, saved]) {
    await page.goto(url);
    await waitUntil(() => page.evaluate(`'answer' in window`).catch(() => false));
    const got = await page.evaluate<string>(
      `[got.length, origin === '${ORIGIN}' || 'cordova' in window ? 'of the app' : 'foreign', window.stored].join()`,
    );
    const isConnected =
      HOSTILE_PAGES.includes(url) && (await (await post(host, '/is-connected', '')).text()) === 'true';
    const isRefused = /^0,foreign,(refused)?$/.test(got) && !isConnected;
    outcomes.push(isRefused ? undefined : `${url}: ${got}, ${isConnected ? 'connected' : 'not connected'}`);
  }
  return outcomes;
}

/** Runs Device Check's checks of plugins: those that start automatically, and those that PageHost answers like a user. */
async function startChecks(page: Page): Promise<readonly Outcome[]> {
  const checks = await page.evaluate<readonly string[]>(
    `Object.values(GROUPS).flat().flatMap(([title, , , words = '']) => (/itself phone/.test(words) ? [title] : []))`,
  );
  const outcomes: Outcome[] = [];
  for (const title of [...checks, ...STARTED]) {
    const row = page.locator('li').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    if (STARTED.includes(title)) {
      await row.getByRole('button', { name: 'Start' }).click();
    }
    await row
      .and(page.locator(SETTLED))
      .waitFor({ timeout: CALL_TIMEOUT_MS })
      .catch(() => undefined);
    const result = await row.getAttribute('data-result');
    const isGood = result === (title === 'Motion' ? 'none' : 'good');
    outcomes.push(isGood ? undefined : `Device Check: ${result}: ${await row.innerText()}`);
  }
  return outcomes;
}

function report(outcomes: readonly Outcome[]): void {
  const failures = outcomes.flatMap((outcome) => outcome ?? []);
  failures.forEach((each) => console.log(each));
  console.log(`\n${outcomes.length - failures.length} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

/** Makes a call. @returns how its result differs from the expected one */
async function makeCall(page: Page, { script, expected }: PluginCall): Promise<string | undefined> {
  const answer = await page
    .evaluate<string>(
      `Promise.race([
      new Promise((resolve, reject) => { ${script} }).then(
        (value) => JSON.stringify(value) ?? 'undefined',
        (error) => 'failure: ' + (error instanceof Error ? error.message : JSON.stringify(error)),
      ),
      new Promise((resolve) => setTimeout(() => resolve('no answer'), ${CALL_TIMEOUT_MS})),
    ])`,
    )
    .catch((error: unknown) => `error: ${String(error).slice(0, 300)}`);
  return expected.test(answer) ? undefined : answer;
}

function post(host: string, address: string, body: string): Promise<Response> {
  return fetch(host + address, { method: 'POST', body });
}
