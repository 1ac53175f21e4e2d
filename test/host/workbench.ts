import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser } from './browser.ts';

/** For each thing that is waited for; a busy machine starts an extension host in half of that. */
const TIMEOUT_MS = 60_000;

export interface WindowOptions {
  /** Keeps cookies and storage; the workbench's secrets are in there. Default: a temporary one that `close()` removes. */
  readonly profileDirectory?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The person's choice, for pages other than the workbench. */
  readonly colorScheme?: 'light' | 'dark';
  readonly headless?: boolean;
}

export interface BrowserWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Such as `Chromium 153.0.7999.0`. */
  readonly browserName: string;
  close(): Promise<void>;
}

/**
 * Starts a browser with one empty page.
 * @throws Error when there is no browser.
 */
export async function openBrowser(options: WindowOptions = {}): Promise<BrowserWindow> {
  const browser = await findBrowser();
  const temporary =
    options.profileDirectory === undefined ? await mkdtemp(path.join(os.tmpdir(), 'app-build-browser-')) : undefined;
  const context = await chromium.launchPersistentContext(options.profileDirectory ?? temporary ?? '', {
    executablePath: browser.executablePath,
    args: [...browser.args],
    env: { ...process.env, ...browser.env },
    headless: options.headless ?? true,
    viewport: options.viewport ?? { width: 1280, height: 800 },
    colorScheme: options.colorScheme ?? 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const removeProfile = (): void => {
    if (temporary !== undefined) {
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    }
  };
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
      if (temporary !== undefined) {
        await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

/**
 * Opens the workbench at `url` in a browser of its own and waits until it shows its status bar.
 * To restart the window, close it and open it again with the same `profileDirectory`.
 * @throws playwright's TimeoutError when the workbench does not show within TIMEOUT_MS.
 */
export async function openWorkbench(url: string, options: WindowOptions = {}): Promise<BrowserWindow> {
  const window = await openBrowser(options);
  try {
    await window.page.goto(url);
    await window.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: TIMEOUT_MS });
    return window;
  } catch (error) {
    await window.close();
    throw error;
  }
}
