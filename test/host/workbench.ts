import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser } from './browser.ts';

/** Timeout of each wait, in ms. A busy computer starts an extension host in half of it. */
const TIMEOUT_MS = 60_000;

export interface BrowserWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Name and version, such as `Chromium 153.0.7999.0`. */
  readonly browserName: string;
  close(): Promise<void>;
}

/**
 * Starts a browser with an empty page.
 * @param pixelRatio device pixels per CSS pixel
 * @throws Error if no browser is found
 */
export async function openBrowser(pixelRatio = 1): Promise<BrowserWindow> {
  const browser = await findBrowser();
  const profile = await mkdtemp(path.join(os.tmpdir(), 'app-build-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser.executablePath,
    args: [...browser.args],
    env: { ...process.env, ...browser.env },
    headless: true,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: pixelRatio,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const removeProfile = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', removeProfile);
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    context,
    page,
    browserName: browser.name,
    close: async () => {
      await context.close();
      process.off('exit', removeProfile);
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
