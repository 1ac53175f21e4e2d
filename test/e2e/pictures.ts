/** The pictures of README.md and docs/: taken when they are asked for, and held against the interface in every run. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { repositoryRoot } from '../support/repository.ts';
import { waitUntil } from '../support/waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

type PictureName = 'tree' | 'build' | 'sign-in';

/** How the pictures are taken again. */
const TAKE_AGAIN = 'APP_BUILD_README_PICTURES=1 npm run test:e2e -- --grep pictures';

const isTaking = process.env.APP_BUILD_README_PICTURES !== undefined;

/** Of the window; what can be seen of a list depends on it. */
const SIZE = { width: 1200, height: 640 };

type Clip = NonNullable<PageScreenshotOptions['clip']>;

/** Where the service's page, which is as wide as a window of the tests, shows something. */
const PAGE_CLIP = { x: 400, y: 0, width: 480, height: 670 };

/** How long the window may take to show what the picture shows. */
const SETTLE_TIMEOUT_MS = 60_000;

/** Takes a picture of the window, or compares what can be read in it with the picture. */
export async function windowPicture(name: Exclude<PictureName, 'sign-in'>, workbench: WorkbenchPage): Promise<void> {
  const { page } = workbench;
  const size = page.viewportSize() ?? SIZE;
  await page.setViewportSize(SIZE);
  // No row is under the pointer.
  await page.mouse.move(SIZE.width / 2, 2);
  await page.locator('.workbench-hover').waitFor({ state: 'hidden' });
  await page.getByText('Activating Extensions').waitFor({ state: 'hidden' });
  if (isTaking) {
    // It is there for some seconds, and not compared: the notification does not stay for ever either.
    await page.locator('.statusbar').getByText('is being built for').waitFor({ state: 'hidden' });
  }
  await keepInStep(
    name,
    () => textsIn(page),
    () => screenshotOf(page),
  );
  await page.setViewportSize(size);
}

/** The picture of signing in: the Accounts menu, which is closed again, and beside it the service's page. */
export class SignInPicture {
  readonly #parts: Buffer[] = [];
  readonly #texts: string[] = [];

  async addAccountsMenu(workbench: WorkbenchPage): Promise<void> {
    const { page } = workbench;
    const size = page.viewportSize() ?? SIZE;
    await page.setViewportSize({ width: SIZE.width, height: PAGE_CLIP.height });
    await workbench.accountsItems(async (items) => {
      await this.#add(page, [...(await textsIn(page)), ...items.map((item) => `menu: ${item}`)], {
        x: 0,
        y: 0,
        width: SIZE.width - PAGE_CLIP.width,
        height: PAGE_CLIP.height,
      });
    });
    await page.setViewportSize(size);
  }

  /** @param texts what can be read on the page. */
  async addPage(page: Page, texts: readonly string[]): Promise<void> {
    await this.#add(
      page,
      texts.map((text) => `page: ${text}`),
      PAGE_CLIP,
    );
  }

  async keepInStep({ page }: WorkbenchPage): Promise<void> {
    await keepInStep(
      'sign-in',
      () => Promise.resolve(this.#texts),
      async () => {
        const sheet = await page.context().newPage();
        const images = this.#parts.map((part) => `<img src="data:image/png;base64,${part.toString('base64')}">`);
        await sheet.setContent(
          `<body style="margin:0;display:flex;align-items:start;width:max-content">${images.join('')}</body>`,
        );
        const clip = { x: 0, y: 0, width: SIZE.width, height: PAGE_CLIP.height };
        const picture = await screenshotOf(sheet, clip);
        await sheet.close();
        return picture;
      },
    );
  }

  async #add(page: Page, texts: readonly string[], clip: Clip): Promise<void> {
    this.#texts.push(...texts);
    if (isTaking) {
      this.#parts.push(await screenshotOf(page, clip));
    }
  }
}

function screenshotOf(page: Page, clip?: Clip): Promise<Buffer> {
  return page.screenshot({ animations: 'disabled', caret: 'hide', ...(clip && { clip }) });
}

/** What the window calls the things that can be seen: the view with its buttons and rows, tabs, notifications, builds. */
async function textsIn(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`
    [
      ['view', '.sidebar .composite.title h2, .sidebar .title-label h2', (each) => each.innerText],
      ['button', '.sidebar .composite.title .action-label', (each) => each.ariaLabel],
      ['message', '.sidebar .message', (each) => each.innerText],
      ['welcome', '.sidebar .welcome-view-content', (each) => each.innerText],
      ['row', '.sidebar .monaco-list-row', (each) => each.ariaLabel],
      ['tab', '.tabs-container .tab', (each) => each.ariaLabel],
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

/** Times, ports and other numbers change from run to run. */
function normalised(text: string): string {
  return text
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\b(?:now|yesterday|\d+ (?:second|minute|hour|day|week|month|year)s? ago|last \w+)\b/g, 'some time ago')
    .replaceAll(/\d+(?:[.,:]\d+)*/g, '0');
}

/**
 * Writes `media/pictures/NAME.png` with NAME.txt, which says what can be read in it, or compares that.
 *
 * @throws AssertionError when the interface has moved away from the picture.
 */
async function keepInStep(
  name: PictureName,
  read: () => Promise<readonly string[]>,
  take: () => Promise<Buffer>,
): Promise<void> {
  const file = (extension: string) => path.join(repositoryRoot, 'media', 'pictures', `${name}.${extension}`);
  if (isTaking) {
    await writeFile(file('png'), await take());
    await writeFile(file('txt'), `${(await read()).map(normalised).join('\n')}\n`);
    return;
  }
  const expected = (await readFile(file('txt'), 'utf8')).trimEnd().split('\n');
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  const actual = await waitUntil(async () => {
    const texts = (await read()).map(normalised);
    return (texts.join('\n') === expected.join('\n') || Date.now() > deadline) && texts;
  });
  assert.deepEqual(
    actual,
    expected,
    `The picture “${name}” shows what has changed. Take the pictures again: ${TAKE_AGAIN}`,
  );
}
