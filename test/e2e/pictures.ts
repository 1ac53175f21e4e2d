/** The pictures in README.md and docs/. They're taken on request, and compared with the interface in every run. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { repositoryRoot } from '../support/repository.ts';
import { waitUntil } from '../support/waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** Command that takes the pictures again. */
const TAKE_AGAIN = 'APP_BUILD_README_PICTURES=1 npm run test:e2e -- test/e2e/pictures.test.ts';

/** True if this run takes the pictures. */
export const isTaking = process.env.APP_BUILD_README_PICTURES !== undefined;

/** Device pixels per CSS pixel. Runs that take no pictures use one. */
export const PIXEL_RATIO = isTaking ? 2 : 1;

/** Size of the window. The visible rows of a list depend on it. */
export const PICTURE_SIZE = { width: 1040, height: 640 };

const SIDE_BAR_WIDTH = 350;

/** Time that the window has to show the content of a picture. */
const SETTLE_TIMEOUT_MS = 60_000;

/** Status bar items that only browsers have. */
const ONLY_IN_BROWSERS = `.statusbar-item:is([id="status.forwardedPorts"], [id="status.editor.keyboardLayout"], [id="status.workbench.keyboardLayout"]) { display: none !important; }`;

/** Sets the window to the size of a picture, and the side bar to a width at which no row is cut off. */
export async function prepareWindow({ page }: WorkbenchPage): Promise<void> {
  await page.setViewportSize(PICTURE_SIZE);
  await page.addStyleTag({ content: ONLY_IN_BROWSERS });
  const { x = 0, width = 0 } = (await page.locator('.part.sidebar').boundingBox()) ?? {};
  await page.mouse.move(x + width, 200);
  await page.mouse.down();
  await page.mouse.move(x + SIDE_BAR_WIDTH, 200, { steps: 4 });
  await page.mouse.up();
}

/** Moves the pointer to a place without hover effects. */
export function pointAtNothing(page: Page): Promise<void> {
  return page.mouse.move(PICTURE_SIZE.width / 2, 2);
}

/** Waits until all transient elements have disappeared. */
async function settle(page: Page): Promise<void> {
  await page.locator('.workbench-hover').waitFor({ state: 'hidden' });
  await page.locator('.notifications-toasts .monaco-progress-container.active').first().waitFor({ state: 'hidden' });
  await page.locator('.sidebar .monaco-progress-container.active').first().waitFor({ state: 'hidden' });
  await page.getByText('Activating Extensions').waitFor({ state: 'hidden' });
}

/** Takes a picture of the window, or compares the window's text with the picture. @param beside a page in front of the window */
export async function windowPicture(name: string, workbench: WorkbenchPage, beside?: Page): Promise<void> {
  await settle(workbench.page);
  await keepInStep(
    `${name}.png`,
    () => textsIn(workbench.page),
    async () => {
      const window = await takeScreenshot(workbench.page);
      return beside === undefined ? window : inFront(workbench.page, window, await takeScreenshot(beside, true));
    },
  );
}

async function inFront(page: Page, window: Buffer, front: Buffer): Promise<Buffer> {
  const sheet = await page.context().newPage();
  await sheet.setViewportSize(PICTURE_SIZE);
  await sheet.setContent(`<body style="margin: 0; overflow: hidden">
    <img src="${dataUrl(window)}" style="display: block; width: 100%">
    <img src="${dataUrl(front)}" style="position: absolute; right: 48px; bottom: 26px; width: 318px; border-radius: 10px;
      box-shadow: 0 8px 40px #000c">`);
  const picture = await takeScreenshot(sheet);
  await sheet.close();
  return picture;
}

/** Returns a picture as a data URL. */
export function dataUrl(png: Buffer): string {
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** Takes a picture of the page without animations. */
export function takeScreenshot(page: Page, fullPage = false): Promise<Buffer> {
  return page.screenshot({ animations: 'disabled', caret: 'hide', fullPage });
}

/**
 * Returns the visible text in the window: the view with its buttons and rows, tabs, lists, notifications, and builds.
 */
export async function textsIn(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`
    [
      ['view', '.sidebar .composite.title h2, .sidebar .title-label h2', (each) => each.innerText],
      ['button', '.sidebar .composite.title .action-label', (each) => each.ariaLabel],
      ['message', '.sidebar .message', (each) => each.innerText],
      ['welcome', '.sidebar .welcome-view-content', (each) => each.innerText],
      ['row', '.sidebar .monaco-list-row', (each) => each.ariaLabel],
      ['button', '.sidebar .monaco-list-row .actions-container .action-label', (each) => each.ariaLabel],
      ['tab', '.tabs-container .tab', (each) => each.ariaLabel],
      ['action', '.action-widget .monaco-list-row', (each) => each.innerText],
      ['menu', '.monaco-menu .action-item:not(.disabled) .action-label:not(.separator)', (each) => each.innerText],
      ['notification', '.notifications-toasts .notification-list-item-message', (each) => each.innerText],
      ['button', '.notifications-toasts .notification-list-item-buttons-container .monaco-button', (each) => each.innerText],
      ['status', '.statusbar-item[id$=".builds"]', (each) => each.innerText],
    ].flatMap(([kind, selector, text]) =>
      [...document.querySelectorAll(selector)]
        .filter((each) => each.checkVisibility() && each.getClientRects().length > 0)
        .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((each) => kind + ': ' + (text(each) ?? '').trim().replace(/\\s+/g, ' ')))
  `);
}

/** Replaces times, ports, and other numbers, which change from run to run. */
function normalized(text: string): string {
  return text
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\b(?:now|yesterday|\d+ (?:second|minute|hour|day|week|month|year)s? ago|last \w+)\b/g, 'some time ago')
    .replaceAll(/\d+(?:[.,:]\d+)*/g, '0');
}

/**
 * Writes `media/pictures/FILE` and a `.txt` file of the same name with the text in it, or compares the text.
 * @throws AssertionError if the interface no longer matches the picture
 */
export async function keepInStep(
  file: string,
  read: () => Promise<readonly string[]>,
  take: () => Promise<Uint8Array>,
): Promise<void> {
  const picture = path.join(repositoryRoot, 'media', 'pictures', file);
  const textFile = picture.replace(/\w+$/, 'txt');
  if (isTaking) {
    await writeFile(picture, await take());
    await writeFile(textFile, `${(await read()).map(normalized).join('\n')}\n`);
    return;
  }
  const expected = (await readFile(textFile, 'utf8')).trimEnd().split('\n');
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  const actual = await waitUntil(async () => {
    const texts = (await read()).map(normalized);
    return (texts.join('\n') === expected.join('\n') || Date.now() > deadline) && texts;
  });
  assert.deepEqual(
    actual,
    expected,
    `The picture ${file} shows what has changed. Take the pictures again: ${TAKE_AGAIN}`,
  );
}
