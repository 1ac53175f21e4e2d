/** The preview of a folder's app beside its code. */
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { barriersIn } from '../support/axe.ts';
import { sendRaw, getStatus } from '../support/networkSites.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { inSteps, inWorkspace, openWindow } from './suite.ts';
import { searchCommand, type WorkbenchPage } from './workbenchPage.ts';

/** Tries every way in which a page could reach the panel around it or the window. */
const HOSTILE = `
  for (let each = window; each !== each.parent; each = each.parent) {
    for (const message of ['phone', 'server', 'Taken over', { command: 'phone' }]) each.parent.postMessage(message, '*');
  }
  const reached = [];
  try { acquireVsCodeApi(); reached.push('api'); } catch {}
  try { parent.parent.document.body.textContent = 'Taken over'; reached.push('panel'); } catch {}
  try { top.location = 'about:blank'; reached.push('top'); } catch {}
  if (window.open('about:blank')) reached.push('window');
  document.querySelector('output').textContent = 'Reached: ' + reached.join();
`;
const page = (title: string, script = '') => `<!doctype html><html lang="en"><head>
  <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
  <title>Shop</title><link rel="stylesheet" href="/style.css"><script src="/cordova.js"></script></head>
  <body><h1>${title}</h1><p></p><output></output><script src="/app.js"></script><script>${script}</script></body></html>`;
const FILES = {
  'index.html': page('First'),
  'style.css':
    'body { font: 16px system-ui; margin: 2rem; background: #fff } @media (prefers-color-scheme: dark) { body { background: #123 } }',
  'app.js': `document.addEventListener('deviceready', () => cordova.exec(null, (text) => {
    document.querySelector('p').textContent = text;
  }, 'Camera', 'takePicture', []));`,
  '.env': 'SECRET=1',
  'node_modules/left/index.js': 'left()',
};

describe('the preview in the editor', function () {
  let workbench: WorkbenchPage;
  inSteps(this);

  before(async () => {
    workbench = await openWindow({ files: FILES });
    // The browser's own color scheme would override the panel's.
    await workbench.page.emulateMedia({ colorScheme: null });
    await workbench.treeRow('index.html').dblclick();
    await workbench.tab('index.html').waitFor();
  });

  const app = () => workbench.previewedApp;
  const heading = (text: string): Locator => app().getByRole('heading', { name: text });
  const button = (name: string): Locator => workbench.webview.getByRole('button', { name, exact: true });
  const color = (): Promise<string> =>
    app().locator('body').evaluate<string, undefined>('getComputedStyle(document.body).backgroundColor');
  const status = (): Locator => workbench.webview.getByRole('status');
  /** Reloads the panel and waits for the new one. */
  const reload = async (): Promise<void> => {
    await workbench.webview.locator('body').evaluate<unknown, undefined>("document.body.dataset.old = 'yes'");
    await button('Reload').click();
    await workbench.webview.locator('body:not([data-old]) iframe').waitFor();
  };
  const isPressed = (name: string) => button(name).getAttribute('aria-pressed');

  it('shows the page beside the code after one command, and updates it after each save', async () => {
    const begin = performance.now();
    await workbench.runCommand('App Build: Preview');
    await heading('First').waitFor();
    const shown = performance.now();
    await app().getByText('This package doesn’t have the plugin Camera.').waitFor();
    await workbench.screenshots('preview-phone');
    const saved = performance.now();
    await writeFile(inWorkspace('index.html'), page('Second'));
    await heading('Second').waitFor();
    const milliseconds = [shown - begin, performance.now() - saved].map((each) => each.toFixed(0));
    console.log(`      1 command, ${milliseconds[0]} ms to the page; ${milliseconds[1]} ms from a saved page to it`);
  });

  it('opens again after its editor was closed', async () => {
    await workbench.runCommand('View: Close All Editors');
    const row = workbench.quickPickRow('App Build: Preview');
    await searchCommand(workbench.page, row, (timeout) =>
      workbench.quickInput.fill('>App Build: Preview', { timeout }),
    );
    const begin = performance.now();
    await row.click();
    await heading('Second').waitFor();
    console.log(`      1 click, ${(performance.now() - begin).toFixed(0)} ms to the page`);
  });

  it('shows the width of a phone or a tablet, in portrait or landscape, in a light or dark theme', async () => {
    const width = (): Promise<number> => app().locator('html').evaluate<number, undefined>('innerWidth');
    const untilWidth = (expected: (width: number) => boolean) => waitUntil(async () => expected(await width()));
    assert.deepEqual([await isPressed('Phone'), await width()], ['true', 360]);
    await button('Tablet').click();
    await untilWidth((now) => now === 768);
    await button('Rotate').click();
    await untilWidth((now) => now === 1024);
    await workbench.screenshots('preview-tablet');
    await button('Whole Panel').click();
    await untilWidth((now) => now !== 1024);
    assert.equal(await button('Rotate').isDisabled(), true);
    await button('Phone').click();
    await untilWidth((now) => now === 740);
    await button('Rotate').click();
    assert.deepEqual([await isPressed('Phone'), await isPressed('Rotate')], ['true', 'false']);
    assert.deepEqual([await isPressed('Dark Mode'), await color()], ['true', 'rgb(17, 34, 51)']);
    await button('Dark Mode').click();
    await waitUntil(async () => (await color()) === 'rgb(255, 255, 255)');
    // The choices are kept when the page is reloaded.
    await reload();
    await heading('Second').waitFor();
    await waitUntil(async () => (await isPressed('Dark Mode')) === 'false' && (await color()) === 'rgb(255, 255, 255)');
    await button('Dark Mode').click();
  });

  it('works with the keyboard, and is accessible in any theme', async () => {
    await button('Phone').focus();
    const stops: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      stops.push(
        await workbench.webview
          .locator(':focus')
          .evaluate<string, undefined>('document.activeElement.ariaLabel ?? document.activeElement.textContent'),
      );
      await workbench.page.keyboard.press('Tab');
    }
    assert.deepEqual(stops, ['Phone', 'Tablet', 'Whole Panel', 'Rotate', 'Dark Mode', 'Reload', 'Open on a Phone…']);
    const panel = await (await workbench.webview.locator('body').elementHandle()).ownerFrame();
    assert.ok(panel);
    // Ignore the frame, because its content is the user's.
    assert.deepEqual(
      (await barriersIn(panel)).filter((each) => !each.startsWith('frame-tested')),
      [],
    );
  });

  it('explains why a change can’t be previewed, and recovers once it can', async () => {
    await rm(inWorkspace('index.html'));
    await status()
      .getByText(/index\.html/)
      .waitFor();
    await workbench.screenshots('preview-failed');
    assert.ok(await heading('Second').isVisible());
    await writeFile(inWorkspace('index.html'), page('Third'));
    await heading('Third').waitFor();
    await waitUntil(async () => (await status().textContent()) === '');
  });

  it('shows the first error, missing files, and an empty page in the panel and in Problems until the page is fixed', async () => {
    const broken = '<!doctype html><html lang="en"><title>Shop</title><div></div>\n<script src="/gone.js"></script>';
    await writeFile(inWorkspace('index.html'), `${broken}\n<script>start()</script></html>`);
    await status().getByText('gone.js isn’t in the app.').waitFor();
    await status().getByText('3 problems').waitFor();
    await workbench.runCommand('Problems: Focus on Problems View');
    const problems = workbench.page.locator('.markers-panel');
    await problems.getByText('Uncaught ReferenceError: start is not defined').waitFor();
    await problems.getByText('[Ln 3, Col 9]').waitFor();
    await problems.getByText('gone.js isn’t in the app.').waitFor();
    await problems.getByText('still empty').waitFor();
    await workbench.screenshots('preview-problems');
    await writeFile(inWorkspace('index.html'), page('Third'));
    await heading('Third').waitFor();
    await waitUntil(async () => (await status().textContent()) === '');
    await problems.getByText('gone.js').waitFor({ state: 'detached' });
    await problems.getByText('ReferenceError').waitFor({ state: 'detached' });
    await workbench.runCommand('View: Hide Panel');
  });

  it('isolates the page from the panel and the window, and serves only its files', async () => {
    await writeFile(inWorkspace('index.html'), page('Hostile', HOSTILE));
    await heading('Hostile').waitFor();
    await app().getByText('Reached: ', { exact: true }).waitFor();
    // The panel handles its own message after those of the page.
    await reload();
    await heading('Hostile').waitFor();
    assert.equal(await status().textContent(), '');
    assert.equal(await workbench.question('dev server').count(), 0);
    assert.equal(await workbench.dialog.count(), 0);
    const url = (await workbench.webview.locator('iframe').getAttribute('src')) ?? '';
    const { host, hostname, port } = new URL(url);
    assert.equal(hostname, '127.0.0.1');
    const cookie = (await fetch(url)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const answerTo = async (target: string, head = `Cookie: ${cookie}\r\n`, name = host) =>
      getStatus(await sendRaw({ url }, `GET ${target} HTTP/1.1\r\nHost: ${name}\r\n${head}Connection: close\r\n\r\n`));
    assert.equal(await answerTo('/style.css'), 200);
    for (const target of ['/.env', '/node_modules/left/index.js', '/../workspace/.env', '/%2e%2e/settings.json']) {
      assert.equal(await answerTo(target), 404, target);
    }
    assert.equal(await answerTo('/style.css', ''), 404);
    for (const name of ['shop.example', `shop.example:${port}`, 'localhost']) {
      assert.equal(await answerTo('/style.css', undefined, name), 421, name);
    }
  });

  it('shows the project’s dev server at the address that the user enters', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(page('Served'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      await workbench.runCommand('View: Close All Editors');
      await writeFile(inWorkspace('index.html'), page('Packaged'));
      await writeFile(inWorkspace('package.json'), JSON.stringify({ scripts: { dev: 'serve' } }));
      await workbench.runCommand('App Build: Preview');
      await heading('Packaged').waitFor();
      await button('Show Dev Server…').click();
      await workbench.answerInput('as its terminal shows it', `http://127.0.0.1:${port}`);
      await workbench.webview.frameLocator('iframe').getByRole('heading', { name: 'Served' }).waitFor();
      assert.equal(await status().textContent(), `Dev server at 127.0.0.1:${port}`);
      await workbench.screenshots('preview-server');
      await button('Show Packaged Pages').click();
      await heading('Packaged').waitFor();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
