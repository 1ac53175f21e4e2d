/** The animated picture in README.md: a recorded window with a pointer and, at the end, a phone next to it. */
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repositoryRoot } from '../support/repository.ts';
import { dataUrl, isTaking, keepInStep, PICTURE_SIZE, takeScreenshot, textsIn } from './pictures.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const ENCODER = path.join(repositoryRoot, 'node_modules', 'modern-gif', 'dist', 'index.js');

/** Milliseconds between two frames of a movement. */
const MOVEMENT_MS = 50;
const MOVEMENT_FRAMES = 8;

/** Top of the phone in pixels, under the rows of the side bar. */
const PHONE_TOP = 190;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Frame {
  /** Screenshot of the window as a data URL, like the phone's. */
  readonly window: string;
  readonly pointer: Point;
  readonly isPressed?: boolean;
  readonly phone?: { readonly picture: string; readonly top: number };
  /** Time until the next frame. */
  readonly milliseconds: number;
}

/** The page that draws a frame. */
const STAGE = `<style>
  body { margin: 0; overflow: hidden; }
  #window { display: block; width: ${PICTURE_SIZE.width}px; }
  #phone { position: absolute; left: 134px; width: 196px; height: 392px; overflow: hidden; border: 9px solid #08090b;
    border-radius: 32px; outline: 2px solid #4a4f57; background: #14171b; }
  #phone img { display: block; width: 100%; }
  #pointer { position: absolute; width: 22px; }
  #press { position: absolute; width: 34px; height: 34px; border: 3px solid #4ca0ff; border-radius: 50%; }
</style>
<img id="window">
<div id="phone"><img></div>
<div id="press"></div>
<svg id="pointer" viewBox="0 0 14 20"><path d="M1 1v15l3.6-3.3 2.3 5.6 2.7-1.1-2.3-5.5h5z" fill="#fff" stroke="#000" stroke-width="1.2"/></svg>
<script>
  const byId = (id) => document.getElementById(id);
  async function show({ window: shown, pointer, isPressed = false, phone }) {
    byId('window').src = shown;
    byId('pointer').style.cssText = 'left: ' + pointer.x + 'px; top: ' + pointer.y + 'px';
    byId('press').hidden = !isPressed;
    byId('press').style.cssText = 'left: ' + (pointer.x - 20) + 'px; top: ' + (pointer.y - 20) + 'px';
    byId('phone').hidden = phone === undefined;
    byId('phone').style.top = (phone?.top ?? 0) + 'px';
    byId('phone').firstChild.src = phone?.picture ?? '';
    await Promise.all([...document.images].filter(({ src }) => src.startsWith('data:')).map((image) => image.decode()));
  }
  async function encode(frames, width, height) {
    const encoder = new modernGif.Encoder({ width, height });
    for (const frame of frames) {
      await encoder.encode({ ...frame, transparent: false });
    }
    const gif = await encoder.flush('blob');
    const reader = new FileReader();
    await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(gif); });
    return reader.result.split(',')[1];
  }
</script>`;

/** Records a window while a test uses it, if the run takes pictures. */
export class Loop {
  readonly #page: Page;
  readonly #frames: Frame[] = [];
  readonly #texts: string[] = [];
  #pointer: Point = { x: 560, y: 400 };

  constructor({ page }: WorkbenchPage) {
    this.#page = page;
  }

  /** Compares the text in the window with that in the picture. */
  async readTexts(scene: string): Promise<void> {
    this.#texts.push(`# ${scene}`, ...(await textsIn(this.#page)));
  }

  /** Shows the current window for a while. */
  async hold(milliseconds: number): Promise<void> {
    if (isTaking) {
      this.#frames.push({ window: await this.#window(), pointer: this.#pointer, milliseconds });
    }
  }

  /** Moves the pointer to a button and clicks it. @param row the row that shows the button on hover */
  async click(button: Locator, row = button): Promise<void> {
    await row.hover();
    await button.hover();
    const box = await button.boundingBox();
    if (isTaking && box !== null) {
      const window = await this.#window();
      const from = this.#pointer;
      const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      for (let step = 1; step <= MOVEMENT_FRAMES; step += 1) {
        const part = (1 - Math.cos((Math.PI * step) / MOVEMENT_FRAMES)) / 2;
        this.#pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
        this.#frames.push({ window, pointer: this.#pointer, milliseconds: MOVEMENT_MS });
      }
      this.#frames.push({ window, pointer: this.#pointer, milliseconds: 200, isPressed: true });
    }
    await button.click();
  }

  /** Records the window until an event, in real time. */
  async until(happened: Promise<unknown>): Promise<void> {
    const end = happened.then(() => true);
    let isOver = !isTaking;
    while (!isOver) {
      const begin = performance.now();
      const window = await this.#window();
      this.#frames.push({ window, pointer: this.#pointer, milliseconds: performance.now() - begin });
      isOver = await Promise.race([end, Promise.resolve(false)]);
    }
    await end;
  }

  /** Shows a phone next to the window. @param page page on the phone */
  async holdPhone(page: Page, milliseconds: number): Promise<void> {
    if (!isTaking) {
      return;
    }
    const picture = dataUrl(await takeScreenshot(page));
    const window = await this.#window();
    for (let step = 1; step <= MOVEMENT_FRAMES; step += 1) {
      const top =
        PICTURE_SIZE.height - (PICTURE_SIZE.height - PHONE_TOP) * Math.sin((Math.PI / 2) * (step / MOVEMENT_FRAMES));
      const isLast = step === MOVEMENT_FRAMES;
      const phone = { picture, top: Math.round(top) };
      this.#frames.push({ window, pointer: this.#pointer, phone, milliseconds: isLast ? milliseconds : MOVEMENT_MS });
    }
  }

  /** Writes `media/pictures/NAME.gif`, or compares the text with it. */
  async keepInStep(name: string): Promise<void> {
    await keepInStep(
      `${name}.gif`,
      () => Promise.resolve(this.#texts),
      () => this.#encode(),
    );
  }

  async #window(): Promise<string> {
    return dataUrl(await takeScreenshot(this.#page));
  }

  async #encode(): Promise<Uint8Array> {
    const stage = await this.#page.context().newPage();
    await stage.setViewportSize(PICTURE_SIZE);
    await stage.setContent(STAGE);
    await stage.addScriptTag({ path: ENCODER });
    const pictures: { readonly data: string; readonly delay: number }[] = [];
    for (const { milliseconds, ...frame } of this.#frames) {
      await stage.evaluate(`show(${JSON.stringify(frame)})`);
      // GIF delays are in hundredths of a second.
      pictures.push({ data: dataUrl(await takeScreenshot(stage)), delay: Math.round(milliseconds / 10) * 10 });
    }
    const { width, height } = PICTURE_SIZE;
    const size = `${width} * devicePixelRatio, ${height} * devicePixelRatio`;
    const gif = await stage.evaluate<string>(`encode(${JSON.stringify(pictures)}, ${size})`);
    await stage.close();
    return Buffer.from(gif, 'base64');
  }
}
