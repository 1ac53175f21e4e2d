/** Runs the sample project Device Check in Chromium with the shell's code in a JVM. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type BrowserContext, type Page, type Request } from 'playwright-core';

import { formatSentence } from '../../src/errors/sentence.ts';
import { readAppFiles } from '../../src/android-package/config/appFiles.ts';
import { writeSampleProject } from '../../src/extension/commands/sampleFiles.ts';
import { findBrowser } from '../host/browser.ts';
import { testJob } from '../support/buildJob.ts';
import type { Checks, Part } from './part.ts';
import { ENJARIFY, JDK, JSON_OF_ANDROID, jvmClassPath } from './shell.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

export const deviceCheckParts: readonly Part[] = [
  { title: 'Device Check in Chromium', tools: [JDK, ENJARIFY, JSON_OF_ANDROID], run: inChromium },
];

const ORIGIN = 'https://localhost';
const PHONE = { width: 412, height: 915 };
/** Number of checks that a browser can't run. They include all checks of plugins. */
const ON_PHONES = 44;
/** A page whose package has plugins asks the shell for a port. This port isn't connected. */
const CONNECT = `window.prompt = (text) => {
  const { port1, port2 } = new MessageChannel();
  setTimeout(() => dispatchEvent(new MessageEvent('message', { data: text, ports: [port2] })));
  return '';
};`;
const NETWORK_ERROR = 599;
const RETURN = 'Return after the app has ended';
/** Only the app's pages are available. Camera and microphone are Chromium's own fakes. */
const FLAGS = [
  '--host-resolver-rules=MAP * 127.0.0.1:1',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

async function inChromium(checks: Checks, folder: string): Promise<void> {
  const apk = await buildDeviceCheck(folder);
  const classPath = await jvmClassPath(folder);
  const shell = spawn('java', ['-Dfile.encoding=UTF-8', '-cp', classPath, 'appbuild.shell.PageServer', apk], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ended = once(shell, 'exit').then(() => Promise.reject(new Error('the JVM ended before it had a port')));
    const [port] = (await Promise.race([once(shell.stdout, 'data'), ended])) as [Buffer];
    const browser = await findBrowser();
    const started = await chromium.launch({
      executablePath: browser.executablePath,
      args: [...browser.args, ...FLAGS],
      env: { ...process.env, ...browser.env },
    });
    try {
      const context = await started.newContext({
        viewport: PHONE,
        geolocation: { latitude: 0, longitude: 0 },
        permissions: ['geolocation', 'camera', 'microphone'],
      });
      await answerByShell(context, `http://127.0.0.1:${String(port).trim()}/`);
      await context.addInitScript(CONNECT);
      await checkPage(checks, context, await context.newPage());
    } finally {
      await started.close();
    }
  } finally {
    shell.kill();
  }
}

/** Builds the app. @returns the path of the package */
async function buildDeviceCheck(folder: string): Promise<string> {
  const sample = await writeSampleProject(folder, 'device', { language: 'en', toText: formatSentence });
  const job = await testJob(folder, { source: await readAppFiles(sample.folder, 'android') });
  return (await createBuiltinBuilder(undefined).build(job, () => undefined, new AbortController().signal)).path;
}

async function answerByShell(context: BrowserContext, shellUrl: string): Promise<void> {
  await context.route('**/*', async (route, request) => {
    const answer = await fetch(shellUrl, { method: 'POST', body: JSON.stringify(await describe(request)) });
    if (answer.status === NETWORK_ERROR) {
      await route.abort();
    } else {
      const headers = Object.fromEntries(answer.headers);
      await route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
    }
  });
}

/** Returns a request in PageServer's format. */
async function describe(request: Request): Promise<object> {
  const isFromWorker = request.serviceWorker() !== null;
  return {
    url: request.url(),
    method: request.method(),
    isForMainFrame: !isFromWorker && request.isNavigationRequest() && request.frame().parentFrame() === null,
    headers: await request.allHeaders(),
  };
}

/** The user's actions after a tap on Start, by title. */
type Steps = Readonly<Record<string, (page: Page) => Promise<unknown>>>;

const STEPS: Steps = {
  Camera: nothing,
  Microphone: nothing,
  Location: nothing,
  'An empty window': nothing,
  'Dark mode': (page) => page.emulateMedia({ colorScheme: 'dark' }),
  Rotation: (page) => page.setViewportSize({ width: PHONE.height, height: PHONE.width }),
  Keyboard: async (page) => {
    await page.setViewportSize({ ...PHONE, height: PHONE.height - 300 });
    // WebView scrolls automatically.
    await page.locator('#note').scrollIntoViewIfNeeded();
  },
  'Full screen': async (page) => {
    await page.locator(':fullscreen').waitFor();
    await page.evaluate('document.exitFullscreen()');
  },
  'Back in the history': (page) => page.goBack(),
  'Back as the page handles it': (page) => page.evaluate('cordova.fireBackButton()'),
  'Back out of the app': (page) =>
    page.evaluate('cordova.fireDocumentEvent("pause"); cordova.fireDocumentEvent("resume")'),
  Offline: async (page) => {
    await page.context().setOffline(true);
    await page.evaluate('navigator.onLine && new Promise((resolve) => addEventListener("offline", () => resolve()))');
    await page.context().setOffline(false);
  },
};

/** The user's actions in the file dialog that Start opens, by title. */
const FILES: Steps = {
  'One file': (page) => choose(page, 1),
  'Multiple pictures': (page) => choose(page, 2),
};

/**
 * Failing checks: their result, a script to run before Start, and the user's actions. The page is reloaded for each.
 */
const FAULTS: readonly (readonly [title: string, result: string, script: string, act: Steps[string]])[] = [
  ['Camera', 'none', 'Object.defineProperty(navigator, "mediaDevices", { value: {} })', nothing],
  ['Full screen', 'bad', 'Element.prototype.requestFullscreen = () => Promise.reject(new TypeError("No"))', nothing],
  [
    'Back as the page handles it',
    'bad',
    '',
    (page) => page.evaluate('cordova.fireBackButton(); location.hash = "#left"'),
  ],
  [
    'Keyboard',
    'bad',
    'document.body.style.paddingBottom = "200vh"',
    async (page) => {
      await page.setViewportSize({ ...PHONE, height: PHONE.height - 300 });
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    },
  ],
  ['Rotation', 'bad', `run(rows.get('${RETURN}').check); wait().then(wait)`, (page) => page.reload()],
];

/** Contents of saved files by title. */
const SAVED: Readonly<Record<string, string>> = {
  'Save a file': 'Saved by Device Check',
  'Save a data: URL': 'a,b\n1,2',
};

async function checkPage(checks: Checks, context: BrowserContext, page: Page): Promise<void> {
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(ORIGIN);
  await row(page, 'A service worker answers').and(page.locator('[data-result=good]')).waitFor();
  await picture(page, 'start');
  // The second start reads the data that the first one stored.
  await page.reload();
  await settled(checks, page, 'Data persists');
  for (const [title, act] of Object.entries({ ...STEPS, ...FILES })) {
    const chosen = title in FILES ? act(page) : undefined;
    await start(page, title);
    await (chosen ?? act(page));
    await settled(checks, page, title);
    const said = await page.locator('#status').innerText();
    checks.is(said.startsWith(`Good: ${title}`), `${title}: the status is ${said}`);
    await page.setViewportSize(PHONE);
  }
  await giveUp(checks, page);
  for (const [title, content] of Object.entries(SAVED)) {
    const downloaded = page.waitForEvent('download');
    await start(page, title);
    const saved = await readFile(await (await downloaded).path(), 'utf8');
    checks.is(saved === content, `${title}: ${saved}`);
    await page.locator(':focus', { hasText: 'It worked' }).click();
  }
  // Playwright dismisses its question.
  await page.getByRole('button', { name: 'Start Over' }).click();
  await page.getByRole('button', { name: 'Copy Report' }).click();
  await page.getByText('Copied.').waitFor();
  const report = await page.locator('#report').inputValue();
  const results = report.split('\n').slice(5);
  const count = (word: string) => results.filter((line) => line.startsWith(word)).length;
  checks.is(count('Needs a phone: ') === ON_PHONES, report);
  checks.is(count('Good: ') === results.length - ON_PHONES, report);
  checks.is(errors.length === 0, errors.join('\n'));
  checks.is((await page.locator('input[type=file]').count()) === 0, 'a file input is left over');
  await picture(page, 'end');
  await fail(checks, page);
  await context.close();
}

/** Checks that a canceled check doesn't intercept the next press of Back. */
async function giveUp(checks: Checks, page: Page): Promise<void> {
  for (const title of ['Back in the history', 'Back as the page handles it']) {
    await start(page, title);
    await row(page, title).getByRole('button', { name: 'It didn’t' }).click();
    await page.waitForURL(`${ORIGIN}/`);
    checks.is((await page.evaluate('cordova.fireBackButton()')) === false, `${title}: the page still handles back`);
    await start(page, title);
    await STEPS[title]?.(page);
    await settled(checks, page, title);
  }
}

async function fail(checks: Checks, page: Page): Promise<void> {
  for (const [title, result, script, act] of FAULTS) {
    await page.reload();
    await page.evaluate(script);
    await start(page, title);
    await act(page);
    await settled(checks, page, title, result);
    await page.setViewportSize(PHONE);
  }
  // Starts a check while the last one is still going back.
  await page.evaluate(
    `['Back in the history', '${RETURN}'].map((title) => run(rows.get(title).check)); wait().then(wait)`,
  );
  await page.reload();
  checks.is((await page.evaluate(`found['${RETURN}'].result`)) === 'good', RETURN);
}

async function nothing(): Promise<void> {
  // The page needs no action.
}

async function choose(page: Page, count: number): Promise<void> {
  const chooser = await page.waitForEvent('filechooser');
  // An input outside the document may be garbage-collected before files are chosen.
  await page.locator('input[type=file]').waitFor({ state: 'attached' });
  const file = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('png') };
  await chooser.setFiles(Array.from({ length: count }, () => file));
}

function row(page: Page, title: string) {
  return page.locator('li').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
}

function start(page: Page, title: string): Promise<void> {
  return row(page, title)
    .getByRole('button', { name: /^(?:Start|Again)/ })
    .click();
}

/** Waits until a check has a result. */
async function settled(checks: Checks, page: Page, title: string, result = 'good'): Promise<void> {
  const found = row(page, title);
  await found.and(page.locator(':not([data-result=waiting]):not([data-result=open])')).waitFor();
  checks.is((await found.getAttribute('data-result')) === result, await found.innerText());
}

/** Writes a screenshot to the folder in APP_BUILD_SCREENSHOTS, like the end-to-end tests. */
async function picture(page: Page, name: string): Promise<void> {
  for (const colorScheme of process.env.APP_BUILD_SCREENSHOTS === undefined ? [] : (['dark', 'light'] as const)) {
    await page.emulateMedia({ colorScheme });
    const file = path.join(import.meta.dirname, `../../out/screenshots/device-check-${name}-${colorScheme}.png`);
    await page.screenshot({ path: file, fullPage: true });
  }
}
