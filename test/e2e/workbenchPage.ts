import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { errors, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { repositoryRoot } from '../support/repository.ts';
import { waitUntil } from '../support/waitUntil.ts';
import type { WorkbenchServer } from '../host/server.ts';

/** Git-ignored folder of the end-to-end tests' screenshots. */
export const screenshotDirectory = path.join(repositoryRoot, 'out', 'screenshots');

/** Evaluated in the page: returns the content of the workbench's state databases as text. */
const STORED_STATE = `(async () => {
  const databases = (await indexedDB.databases()).filter(({ name }) => name.startsWith('vscode-web-state-db-'));
  const toPromise = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const values = await Promise.all(databases.map(async ({ name }) => {
    const database = await toPromise(indexedDB.open(name));
    const all = await toPromise(database.transaction('ItemTable').objectStore('ItemTable').getAll());
    database.close();
    return all;
  }));
  return JSON.stringify(values);
})()`;

const THEMES = {
  light: { name: 'Light Modern', file: 'light_modern' },
  contrast: { name: 'Default High Contrast', file: 'hc_black' },
  dark: { name: 'Dark Modern', file: 'dark_modern' },
};

/**
 * Repeats an attempt that failed, as a user would, with more time. VS Code closes a list or menu that has just opened when something else
 * takes the focus or its content changes.
 */
export async function tryAgain<T>(page: Page, attempt: (timeout: number) => Promise<T>): Promise<T> {
  for (let timeout = 2_000; ; timeout *= 2) {
    try {
      return await attempt(timeout);
    } catch (error) {
      if (page.isClosed() || !(error instanceof errors.TimeoutError)) {
        throw error;
      }
      await page.keyboard.press('Escape');
    }
  }
}

/** Opens the palette and types until a row is found and chosen. The palette closes if it loses the focus. */
export function searchCommand(
  page: Page,
  row: Locator,
  write: (timeout: number) => Promise<void>,
  choose?: (timeout: number) => Promise<void>,
): Promise<void> {
  return tryAgain(page, async (timeout) => {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget:visible input.input').waitFor({ timeout });
    await write(timeout);
    await row.waitFor({ timeout });
    await choose?.(timeout);
  });
}

/** The workbench as a user sees it. Finds everything by its visible text, and waits until each action is possible. */
export class WorkbenchPage {
  readonly page: Page;
  readonly #server: WorkbenchServer;

  /** @param page a browser tab */
  constructor(server: WorkbenchServer, page: Page) {
    this.#server = server;
    this.page = page;
  }

  /** Waits until VS Code has saved the extensions' state, which it does with a delay. @param count number of occurrences of `text` */
  async untilStored(text: string, count: number): Promise<void> {
    await waitUntil(async () => {
      const stored = await this.page.evaluate<string>(STORED_STATE);
      return stored.split(text).length > count;
    });
  }

  /** Reloads the window, as *Developer: Reload Window* does: restarts the extension host and keeps stored data. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#untilReady();
  }

  /** Opens the same content in a second window with the same sessions and settings. */
  async openSecond(): Promise<WorkbenchPage> {
    const second = new WorkbenchPage(this.#server, await this.page.context().newPage());
    await second.goTo(this.page.url());
    return second;
  }

  /** Opens another page of the server. @param address address relative to the server's */
  async goTo(address: string): Promise<void> {
    await this.page.goto(new URL(address, this.#server.url).href);
    await this.#untilReady();
  }

  /** Waits until the window handles keys and knows the extensions' commands. */
  async #untilReady(): Promise<void> {
    await this.page.waitForFunction(
      `['code/LifecyclePhase/Restored', 'code/didLoadExtensions'].every((name) => performance.getEntriesByName(name).length > 0)`,
    );
  }

  /** Runs a command in the palette by its visible title, `Category: Title`. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickPickRow(title);
    await searchCommand(
      this.page,
      row,
      (timeout) => this.quickInput.fill(`>${title}`, { timeout }),
      // On a busy machine the command can run before the click returns. A second attempt wouldn't find a command that is now disabled.
      (timeout) => row.click({ timeout: timeout + 10_000 }),
    );
  }

  /** The palette, quick pick, or input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible input.input');
  }

  /** Returns the open quick input whose title, prompt, or placeholder contains `text`. */
  question(text: string): Locator {
    const widget = this.page.locator('.quick-input-widget:visible');
    return widget
      .filter({ hasText: text })
      .or(widget.filter({ has: this.page.locator(`input[placeholder*="${text}"]`) }));
  }

  quickPickRow(label: string): Locator {
    return this.page
      .locator('.quick-input-list .monaco-list-row', { has: this.page.getByText(label, { exact: true }) })
      .first();
  }

  /** Waits for the input box that asks for `question` (title, prompt, or placeholder), types, and presses Enter. */
  async answerInput(question: string, text: string): Promise<void> {
    await this.question(question).waitFor();
    await this.quickInput.fill(text);
    await this.quickInput.press('Enter');
  }

  /** Returns the path that the file dialog suggests, once it has read the folders and the path matches. */
  async suggestedFile(name: RegExp): Promise<string> {
    await this.quickPickRow('..').waitFor();
    await this.page.waitForFunction(
      `${String(name)}.test(document.querySelector('.quick-input-widget input.input').value)`,
    );
    return this.quickInput.inputValue();
  }

  /** Chooses a folder in the folder dialog. @param folder absolute path. @param button button that closes the dialog */
  async chooseFolder(folder: string, button: string): Promise<void> {
    await this.#lookInto(folder, `${folder}/`);
    const end = this.page.locator('.quick-input-widget:visible .monaco-button', { hasText: button });
    await end.click();
    await end.waitFor({ state: 'hidden' });
  }

  /** Types a path into a dialog, and waits until the dialog has read the folder. It then no longer lists its siblings. */
  async #lookInto(folder: string, typed: string): Promise<void> {
    await this.quickPickRow('..').waitFor();
    await this.quickInput.fill(`${path.dirname(folder)}/`);
    await this.quickPickRow(path.basename(folder)).waitFor();
    await this.quickInput.fill(typed);
    await this.quickPickRow(path.basename(folder)).waitFor({ state: 'hidden' });
  }

  /** Clicks a button in the title of the open quick input. */
  async clickQuestionAction(label: string): Promise<void> {
    await this.page
      .locator(`.quick-input-widget:visible .quick-input-titlebar .action-label[aria-label^="${label}"]`)
      .click();
  }

  /** Returns the labels of the open quick pick, without their details. */
  quickPickLabels(): Promise<string[]> {
    return this.page.locator('.quick-input-list .quick-input-list-row:first-child .label-name').allInnerTexts();
  }

  /** Clicks an item of the open quick pick. */
  async pick(label: string): Promise<void> {
    await this.quickPickRow(label).click();
  }

  /** Opens the view container with this title in the activity bar, unless it's open. */
  async openViewContainer(title: string): Promise<void> {
    const item = this.page.locator('.activitybar .action-item', {
      has: this.page.locator(`a[aria-label^="${title}"]`),
    });
    await item.waitFor();
    if ((await item.getAttribute('aria-expanded')) !== 'true') {
      await item.click();
    }
  }

  /** Chooses an item of the Accounts menu that opens a page. @returns the page */
  async newTabFromAccounts(label: string): Promise<Page> {
    const page = await this.#chooseAccountsItem([label], (timeout) =>
      this.page.context().waitForEvent('page', { timeout }),
    );
    await page.waitForLoadState();
    return page;
  }

  /** Chooses a submenu item of an account that asks a question, and answers it: `answerFromAccounts(['ann', 'Sign Out'], 'Sign Out')`. */
  async answerFromAccounts(labels: readonly (string | RegExp)[], button: string): Promise<void> {
    await this.#chooseAccountsItem(labels, (timeout) => this.dialog.waitFor({ timeout }));
    await this.answerDialog(button);
  }

  /**
   * Chooses an item in the Accounts menu. The menu closes when an account changes, even between focusing an item and pressing the key, so
   * only the outcome proves that the item was chosen.
   */
  #chooseAccountsItem<T>(labels: readonly (string | RegExp)[], outcome: (timeout: number) => Promise<T>): Promise<T> {
    return tryAgain(this.page, async (timeout) => {
      await this.page.keyboard.press('Escape');
      await this.#openAccounts();
      const chosen = outcome(timeout + 10_000);
      // The page is awaited later, unless an item is missing.
      chosen.catch(() => undefined);
      for (const label of labels) {
        await this.#chooseMenuItem(label, timeout);
      }
      return chosen;
    });
  }

  /** Returns the items of the Accounts menu and closes it. */
  async accountsItems(): Promise<string[]> {
    await this.#openAccounts();
    const labels = await this.page.locator('.monaco-menu .action-item:not(.disabled) .action-label').allInnerTexts();
    await this.page.keyboard.press('Escape');
    return labels.filter((label) => label.trim() !== '');
  }

  /** Returns the entries of the Accounts menu that need attention. VS Code counts them in the badge. */
  async accountsRequests(): Promise<string[]> {
    return (await this.accountsItems()).filter((item) => item.endsWith('(1)'));
  }

  /** Returns a row of the tree in the side bar. Several texts are matched against label and description. */
  treeRow(text: string | RegExp): Locator {
    return this.page.locator('.sidebar .monaco-list-row[role=treeitem]', { hasText: text }).first();
  }

  /** Returns the labels and descriptions of the visible rows from top to bottom. */
  treeRows(): Promise<string[]> {
    return this.page.locator('.sidebar .monaco-list-row[role=treeitem]').allInnerTexts();
  }

  /**
   * Expands a row and waits until it's open. VS Code loses a click on a row that is being replaced, so only the open row proves the click.
   * Wait for a child's `treeRow` before counting the rows.
   */
  expandTreeRow(text: string | RegExp): Promise<void> {
    const row = this.treeRow(text);
    return tryAgain(this.page, async (timeout) => {
      if ((await row.getAttribute('aria-expanded', { timeout })) === 'false') {
        await row.locator('.monaco-tl-twistie').click({ timeout });
      }
      await this.page
        .locator('.sidebar .monaco-list-row[aria-expanded=true]', { hasText: text })
        .first()
        .waitFor({ timeout });
    });
  }

  /** Clicks a button at the end of a row. The button appears on hover. @param timeout in ms. Defaults to the page's timeout */
  async clickTreeRowAction(text: string | RegExp, action: string, timeout?: number): Promise<void> {
    const options = timeout === undefined ? {} : { timeout };
    const row = this.treeRow(text);
    await row.hover(options);
    await row.locator(`.action-label[aria-label="${action}"]`).click(options);
  }

  /** Clicks a button in the title of the side bar. */
  async clickViewAction(action: string): Promise<void> {
    await this.page.locator(`.sidebar .composite.title .action-label[aria-label="${action}"]`).click();
  }

  /**
   * Opens a row's context menu and chooses an item, or several in turn if they open submenus. The menu closes when something else takes the
   * focus.
   */
  chooseTreeRowItem(text: string | RegExp, ...items: readonly string[]): Promise<void> {
    return tryAgain(this.page, async (timeout) => {
      await this.treeRow(text).click({ button: 'right', timeout });
      for (const item of items) {
        await this.#chooseMenuItem(item, timeout);
      }
    });
  }

  /** Chooses an item in the menu of the side bar's title, through its submenus. */
  chooseViewItem(...items: readonly string[]): Promise<void> {
    return tryAgain(this.page, async (timeout) => {
      await this.page
        .locator('.sidebar .composite.title .action-label[aria-label="Views and More Actions..."]')
        .click({ timeout });
      for (const item of items) {
        await this.#chooseMenuItem(item, timeout);
      }
    });
  }

  /** Clicks a button or link in a view's welcome content. */
  async clickWelcome(label: string): Promise<void> {
    await this.welcome.getByText(label, { exact: true }).click();
  }

  /** Returns the toast that contains the text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();
  }

  /** Returns the messages of all toasts, once none of them shows progress. */
  async notifications(): Promise<string[]> {
    const progress = this.page.locator('.notifications-toasts .monaco-progress-container.active');
    await progress.first().waitFor({ state: 'hidden' });
    return this.page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  }

  /** Returns the messages in the list of notifications, once it's open. A toast disappears after ten seconds but stays in the list. */
  keptNotifications(): Promise<string[]> {
    return this.page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
  }

  /** Waits for a toast and clicks one of its buttons. */
  async clickNotification(text: string | RegExp, button: string): Promise<void> {
    const toast = this.notification(text);
    await toast.waitFor();
    // Uses the keyboard, because toasts move when another one appears or disappears, and a click would miss.
    await toast.locator('.monaco-button', { hasText: button }).press('Enter');
  }

  /** Closes every toast. */
  clearNotifications(): Promise<void> {
    return this.runCommand('Notifications: Clear All Notifications');
  }

  /** The modal dialog, such as the question whether an extension may sign in. */
  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Waits for the modal dialog, clicks a button, and waits until the dialog is closed. */
  async answerDialog(button: string): Promise<void> {
    await this.dialog.locator('.monaco-button', { hasText: button }).click();
    await this.dialog.waitFor({ state: 'hidden' });
  }

  /** Returns the page that opens in another tab while `action` runs. Loopback addresses open without a question. */
  async newTab(action: () => Promise<unknown>): Promise<Page> {
    const opened = this.page.context().waitForEvent('page');
    opened.catch(() => undefined);
    await action();
    const page = await opened;
    await page.waitForLoadState();
    return page;
  }

  /** Closes another tab and returns to the window, because browsers throttle background tabs. */
  async comeBackFrom(page: Page): Promise<void> {
    await page.close();
    await this.page.bringToFront();
  }

  /** Returns the text of the active editor's visible lines. */
  editorText(): Promise<string> {
    return this.page
      .locator('.editor-group-container.active .view-lines')
      .first()
      .innerText()
      .then((text) => text.replaceAll('\u00a0', ' '));
  }

  /** Copies the whole text of an editor or the output panel, as a user would. */
  async copyAll(where: 'editor' | 'output'): Promise<string> {
    const part = where === 'editor' ? '.editor-group-container.active' : '.part.panel';
    await this.writeClipboard('');
    // The lines of a long text are wider than the editor, but its middle is always in view.
    await this.page.locator(`${part} .monaco-editor:has(.view-lines)`).first().click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.press('ControlOrMeta+c');
    return this.clipboard();
  }

  /** The visible lines of the active terminal. */
  get terminal(): Locator {
    return this.page.locator('.part.panel .xterm-rows');
  }

  /** Returns the text on the clipboard as soon as it isn't empty. */
  clipboard(): Promise<string> {
    return waitUntil(async () => (await this.page.evaluate<string>('navigator.clipboard.readText()')) || undefined);
  }

  async writeClipboard(text: string): Promise<void> {
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  }

  /** The status bar's text about builds. */
  get buildStatus(): Locator {
    return this.page.locator('.part.statusbar .statusbar-item[id="app-build.app-build-service.builds"]');
  }

  /** Returns the unique background colors of the status bar's items. */
  async statusBarColors(): Promise<readonly string[]> {
    return this.page.evaluate<readonly string[]>(
      `[...new Set([...document.querySelectorAll('.part.statusbar .statusbar-item')].map((each) => getComputedStyle(each).backgroundColor))]`,
    );
  }

  /** The number on the Accounts menu, which asks the user to sign in. */
  get accountsBadge(): Locator {
    return this.page.locator('.activitybar .action-item[aria-label^="Accounts"] .badge-content:visible');
  }

  /** Starts watching whether the view offers something, even briefly. @returns a function that reports whether it did */
  async watchWelcome(text: string): Promise<() => Promise<boolean>> {
    const hasShown = await this.watch('.sidebar .welcome-view-content');
    return async () => (await hasShown()).some((shown) => shown.includes(text));
  }

  /** Starts watching the window. @returns a function that returns the texts of all elements that matched, even briefly */
  async watch(selector: string): Promise<() => Promise<readonly string[]>> {
    await this.page.evaluate(`
      window.watched = new Set();
      new MutationObserver(() => {
        for (const each of document.querySelectorAll(${JSON.stringify(selector)})) {
          if (each.checkVisibility()) window.watched.add(each.innerText);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    `);
    return () => this.page.evaluate<readonly string[]>('[...window.watched]');
  }

  /**
   * Measures the time from the next click or Enter until the window shows progress: in the view's progress bar, or with a spinner in the
   * status bar.
   * @returns a function that resolves with the milliseconds
   */
  async watchProgress(): Promise<() => Promise<number>> {
    await this.page.evaluate(`void (window.progressShown = new Promise((resolve) => {
      let begin;
      for (const type of ['click', 'keydown']) {
        document.addEventListener(type, ({ key }) => {
          begin ??= key === undefined || key === 'Enter' ? performance.now() : undefined;
        }, true);
      }
      const look = () => {
        const bars = [...document.querySelectorAll('.sidebar .monaco-progress-container.active, .statusbar .codicon-loading')];
        if (begin !== undefined && bars.some((bar) => bar.checkVisibility())) {
          resolve(performance.now() - begin);
        } else {
          requestAnimationFrame(look);
        }
      };
      look();
    }))`);
    return () => this.page.evaluate<number>('window.progressShown');
  }

  /** The open webview, inside the frames that VS Code adds. */
  get webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
  }

  /** The app in the preview panel: in the panel's frame is the page around the app, which contains the app. */
  get previewedApp(): FrameLocator {
    return this.webview.frameLocator('iframe').frameLocator('iframe');
  }

  /** The text and buttons of an empty view. */
  get welcome(): Locator {
    return this.page.locator('.sidebar .welcome-view-content:visible');
  }

  /** Returns the active editor's tab if it has this label. */
  tab(label: string): Locator {
    return this.page.locator(`.tabs-container .tab.active[data-resource-name="${label}"]`);
  }

  /** Changes the color theme of the window, and waits until its file has been loaded. */
  async #useTheme(kind: keyof typeof THEMES): Promise<void> {
    const { name, file } = THEMES[kind];
    await this.#server.changeSettings({ 'workbench.colorTheme': name });
    await this.page.locator(`.monaco-workbench[class*="${file}"]`).waitFor();
  }

  /**
   * Writes `out/screenshots/NAME.png` of the window or another page, such as the service's.
   * @returns the absolute path of the file
   */
  async screenshot(name: string, page: Page = this.page): Promise<string> {
    await mkdir(screenshotDirectory, { recursive: true });
    const file = path.join(screenshotDirectory, `${name}.png`);
    await page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }

  /**
   * Writes `NAME-light.png`, `NAME-contrast.png`, and `NAME-dark.png` of the window on request. For a page of the service, writes only the
   * first and the last. The window's colors stay dark.
   */
  async screenshots(name: string, page: Page = this.page): Promise<void> {
    if (process.env.APP_BUILD_SCREENSHOTS === undefined) {
      return;
    }
    for (const kind of ['light', 'contrast', 'dark'] as const) {
      if (page === this.page) {
        await this.#useTheme(kind);
      } else if (kind !== 'contrast') {
        await page.emulateMedia({ colorScheme: kind });
      } else {
        continue;
      }
      await this.screenshot(`${name}-${kind}`, page);
    }
  }

  /** @throws TimeoutError if the menu doesn't have the item or closes */
  async #chooseMenuItem(label: string | RegExp, timeout: number): Promise<void> {
    await this.page.locator('.monaco-menu .action-item:not(.disabled)', { hasText: label }).last().hover({ timeout });
    // A menu that has just opened ignores the mouse button for a moment, but not the keyboard.
    await this.page.locator('.monaco-menu .action-item.focused', { hasText: label }).last().waitFor({ timeout });
    await this.page.keyboard.press('Enter');
  }

  async #openAccounts(): Promise<void> {
    await this.page.locator('.activitybar .action-item[aria-label^="Accounts"]').click();
    await this.page.locator('.monaco-menu').first().waitFor();
  }
}
