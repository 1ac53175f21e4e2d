import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { errors, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { repositoryRoot } from '../support/repository.ts';
import { waitUntil } from '../support/waitUntil.ts';
import type { WorkbenchServer } from '../host/server.ts';

/** Where the end-to-end tests put their pictures; git-ignored. */
export const screenshotDirectory = path.join(repositoryRoot, 'out', 'screenshots');

/** Evaluated in the page: everything in the databases of the workbench's state, as text. */
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
 * Does again what did not lead anywhere, as a person would, with more time for it: VS Code closes a list or menu that has just opened
 * when something else takes the focus or news of its content arrive.
 */
export async function tryAgain<T>(page: Page, attempt: (timeout: number) => Promise<T>): Promise<T> {
  for (let timeout = 1_000; ; timeout *= 2) {
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

/** Opens the palette and has something written there, until a row is found, and chosen: the palette closes when it loses the focus. */
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

/** The workbench as a person uses it: everything is found by what is shown, and each action waits until it can be done. */
export class WorkbenchPage {
  readonly page: Page;
  readonly #server: WorkbenchServer;

  /** @param page a tab of the browser */
  constructor(server: WorkbenchServer, page: Page) {
    this.#server = server;
    this.page = page;
  }

  /** Waits until VS Code has written down what extensions keep, which it does a moment later. @param count how often it has `text` */
  async untilStored(text: string, count: number): Promise<void> {
    await waitUntil(async () => {
      const stored = await this.page.evaluate<string>(STORED_STATE);
      return stored.split(text).length > count;
    });
  }

  /** Reloads the window, as *Developer: Reload Window* does: the extension host starts anew, stored data stays. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.#untilReady();
  }

  /** Opens what it shows in a second window, which has the same sessions and settings. */
  async openSecond(): Promise<WorkbenchPage> {
    const second = new WorkbenchPage(this.#server, await this.page.context().newPage());
    await second.goTo(this.page.url());
    return second;
  }

  /** Has the window show something else. @param address below the server's. */
  async goTo(address: string): Promise<void> {
    await this.page.goto(new URL(address, this.#server.url).href);
    await this.#untilReady();
  }

  /** Before, it loses keys that are pressed, and knows no commands of extensions. */
  async #untilReady(): Promise<void> {
    await this.page.waitForFunction(
      `['code/LifecyclePhase/Restored', 'code/didLoadExtensions'].every((name) => performance.getEntriesByName(name).length > 0)`,
    );
  }

  /** Runs a command through the palette by its title as shown, `Category: Title`. */
  async runCommand(title: string): Promise<void> {
    const row = this.quickPickRow(title);
    await searchCommand(
      this.page,
      row,
      (timeout) => this.quickInput.fill(`>${title}`, { timeout }),
      (timeout) => row.click({ timeout }),
    );
  }

  /** The box of the palette, a quick pick or an input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible input.input');
  }

  /** The open quick input whose title, prompt or placeholder contains `text`. */
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

  /** Waits for the input box that asks for `question` (title, prompt or placeholder), types and presses Enter. */
  async answerInput(question: string, text: string): Promise<void> {
    await this.question(question).waitFor();
    await this.quickInput.fill(text);
    await this.quickInput.press('Enter');
  }

  /** The path that the dialog for a file proposes, once it has looked into the folders and ends with what fits. */
  async suggestedFile(name: RegExp): Promise<string> {
    await this.quickPickRow('..').waitFor();
    await this.page.waitForFunction(
      `${String(name)}.test(document.querySelector('.quick-input-widget input.input').value)`,
    );
    return this.quickInput.inputValue();
  }

  /** Chooses a folder in the dialog for one. @param folder absolute path. @param button that ends the dialog. */
  async chooseFolder(folder: string, button: string): Promise<void> {
    await this.#lookInto(folder, `${folder}/`);
    const end = this.page.locator('.quick-input-widget:visible .monaco-button', { hasText: button });
    await end.click();
    await end.waitFor({ state: 'hidden' });
  }

  /** Types a path into a dialog, which takes it only once it has read the folder: then it no longer lists what is beside that. */
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

  /** The labels of the open quick pick, without their details. */
  quickPickLabels(): Promise<string[]> {
    return this.page.locator('.quick-input-list .quick-input-list-row:first-child .label-name').allInnerTexts();
  }

  /** Clicks an item of the open quick pick. */
  async pick(label: string): Promise<void> {
    await this.quickPickRow(label).click();
  }

  /** Opens the view container of that title in the activity bar; leaves it open where it is. */
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

  /** Chooses an item below an account that asks something, and answers: `answerFromAccounts(['ann', 'Sign Out'], 'Sign Out')`. */
  async answerFromAccounts(labels: readonly (string | RegExp)[], button: string): Promise<void> {
    await this.#chooseAccountsItem(labels, (timeout) => this.dialog.waitFor({ timeout }));
    await this.answerDialog(button);
  }

  /**
   * Walks down the Accounts menu. The menu closes when news of an account arrive, even between an item's focus and the key, so only what
   * the item leads to tells that it was chosen.
   */
  #chooseAccountsItem<T>(labels: readonly (string | RegExp)[], outcome: (timeout: number) => Promise<T>): Promise<T> {
    return tryAgain(this.page, async (timeout) => {
      await this.page.keyboard.press('Escape');
      await this.#openAccounts();
      const chosen = outcome(timeout + 10_000);
      // It's awaited below, unless an item isn't there.
      chosen.catch(() => undefined);
      for (const label of labels) {
        await this.#chooseMenuItem(label, timeout);
      }
      return chosen;
    });
  }

  /** What the Accounts menu offers; it is closed again. */
  async accountsItems(): Promise<string[]> {
    await this.#openAccounts();
    const labels = await this.page.locator('.monaco-menu .action-item:not(.disabled) .action-label').allInnerTexts();
    await this.page.keyboard.press('Escape');
    return labels.filter((label) => label.trim() !== '');
  }

  /** The entries of the Accounts menu that ask for attention; VS Code counts them in the badge. */
  async accountsRequests(): Promise<string[]> {
    return (await this.accountsItems()).filter((item) => item.endsWith('(1)'));
  }

  /** A row of the tree in the side bar; several texts are looked for in label and description. */
  treeRow(text: string | RegExp): Locator {
    return this.page.locator('.sidebar .monaco-list-row[role=treeitem]', { hasText: text }).first();
  }

  /** Labels and descriptions of the visible rows, from top to bottom. */
  treeRows(): Promise<string[]> {
    return this.page.locator('.sidebar .monaco-list-row[role=treeitem]').allInnerTexts();
  }

  /** Expands a row and waits until it is open; wait for a child's `treeRow` before you count the rows. */
  async expandTreeRow(text: string | RegExp): Promise<void> {
    const row = this.treeRow(text);
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) === 'false') {
      await row.locator('.monaco-tl-twistie').click();
    }
    await this.page.locator('.sidebar .monaco-list-row[aria-expanded=true]', { hasText: text }).first().waitFor();
  }

  /** Clicks a button at the end of a row, which shows while the pointer is on the row. */
  async clickTreeRowAction(text: string | RegExp, action: string): Promise<void> {
    const row = this.treeRow(text);
    await row.hover();
    await row.locator(`.action-label[aria-label="${action}"]`).click();
  }

  /** Clicks a button in the title of the side bar. */
  async clickViewAction(action: string): Promise<void> {
    await this.page.locator(`.sidebar .composite.title .action-label[aria-label="${action}"]`).click();
  }

  /**
   * Opens a row's context menu and chooses an item, or one after the other where they lead to submenus. The menu closes when something
   * else takes the focus.
   */
  chooseTreeRowItem(text: string | RegExp, ...items: readonly string[]): Promise<void> {
    return tryAgain(this.page, async (timeout) => {
      await this.treeRow(text).click({ button: 'right', timeout });
      for (const item of items) {
        await this.#chooseMenuItem(item, timeout);
      }
    });
  }

  /** Chooses an item of the menu in the title of the side bar, through its submenus. */
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

  /** Clicks a button or link of a view's welcome content. */
  async clickWelcome(label: string): Promise<void> {
    await this.welcome.getByText(label, { exact: true }).click();
  }

  /** The toast that contains the text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();
  }

  /** The messages of all toasts, once none of them shows progress. */
  async notifications(): Promise<string[]> {
    const progress = this.page.locator('.notifications-toasts .monaco-progress-container.active');
    await progress.first().waitFor({ state: 'hidden' });
    return this.page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  }

  /** The messages in the list of notifications, once it is shown: a toast is hidden after ten seconds, and stays there. */
  keptNotifications(): Promise<string[]> {
    return this.page.locator('.notifications-center .notification-list-item-message').allInnerTexts();
  }

  /** Waits for a toast and clicks one of its buttons. */
  async clickNotification(text: string | RegExp, button: string): Promise<void> {
    const toast = this.notification(text);
    await toast.waitFor();
    // By keyboard: toasts move when another one comes or goes, and a click would miss.
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

  /** Waits for the modal dialog, clicks a button and waits until it is gone. */
  async answerDialog(button: string): Promise<void> {
    await this.dialog.locator('.monaco-button', { hasText: button }).click();
    await this.dialog.waitFor({ state: 'hidden' });
  }

  /** The page that opens in another tab while `action` runs. Loopback addresses open without a question. */
  async newTab(action: () => Promise<unknown>): Promise<Page> {
    const opened = this.page.context().waitForEvent('page');
    opened.catch(() => undefined);
    await action();
    const page = await opened;
    await page.waitForLoadState();
    return page;
  }

  /** Closes another tab and comes back to the window: a browser gives tabs in the background little time. */
  async comeBackFrom(page: Page): Promise<void> {
    await page.close();
    await this.page.bringToFront();
  }

  /** The text of the active editor's visible lines. */
  editorText(): Promise<string> {
    return this.page
      .locator('.editor-group-container.active .view-lines')
      .first()
      .innerText()
      .then((text) => text.replaceAll('\u00a0', ' '));
  }

  /** The whole text of an editor, or of the output panel, as a person would copy it. */
  async copyAll(where: 'editor' | 'output'): Promise<string> {
    const part = where === 'editor' ? '.editor-group-container.active' : '.part.panel';
    await this.writeClipboard('');
    // The lines of a long text reach far beyond the editor: its middle is always in view.
    await this.page.locator(`${part} .monaco-editor:has(.view-lines)`).first().click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.press('ControlOrMeta+c');
    return this.clipboard();
  }

  /** The lines of the active terminal that are in view. */
  get terminal(): Locator {
    return this.page.locator('.part.panel .xterm-rows');
  }

  /** The text on the clipboard, once there is some. */
  clipboard(): Promise<string> {
    return waitUntil(async () => (await this.page.evaluate<string>('navigator.clipboard.readText()')) || undefined);
  }

  async writeClipboard(text: string): Promise<void> {
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  }

  /** What the status bar says of builds. */
  get buildStatus(): Locator {
    return this.page.locator('.part.statusbar .statusbar-item[id="app-build.app-build-service.builds"]');
  }

  /** The background colours of the items of the status bar, each once. */
  async statusBarColors(): Promise<readonly string[]> {
    return this.page.evaluate<readonly string[]>(
      `[...new Set([...document.querySelectorAll('.part.statusbar .statusbar-item')].map((each) => getComputedStyle(each).backgroundColor))]`,
    );
  }

  /** The number on the Accounts menu, which asks a person to sign in. */
  get accountsBadge(): Locator {
    return this.page.locator('.activitybar .action-item[aria-label^="Accounts"] .badge-content:visible');
  }

  /** Watches from now on whether the view offers something, even briefly. @returns a function that reports whether it did. */
  async watchWelcome(text: string): Promise<() => Promise<boolean>> {
    const hasShown = await this.watch('.sidebar .welcome-view-content');
    return async () => (await hasShown()).some((shown) => shown.includes(text));
  }

  /** Watches the window from now on. @returns a function that reports the texts of all elements that matched, even briefly */
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
   * Measures how long after the next click or Enter the window shows that a command runs: in the bar of the view, or with a spinner in
   * the status bar.
   *
   * @returns the milliseconds, once it's shown.
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

  /** The webview that is shown, without the frames that VS Code puts around it. */
  get webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
  }

  /** The app in the panel of a preview: in its frame, the page around the app, and the app in that. */
  get previewedApp(): FrameLocator {
    return this.webview.frameLocator('iframe').frameLocator('iframe');
  }

  /** The text and buttons that a view without rows shows. */
  get welcome(): Locator {
    return this.page.locator('.sidebar .welcome-view-content:visible');
  }

  /** The active editor's tab, when its label is this. */
  tab(label: string): Locator {
    return this.page.locator(`.tabs-container .tab.active[data-resource-name="${label}"]`);
  }

  /** Changes the colours of the window and waits until the theme's file has been applied. */
  async #useTheme(kind: keyof typeof THEMES): Promise<void> {
    const { name, file } = THEMES[kind];
    await this.#server.changeSettings({ 'workbench.colorTheme': name });
    await this.page.locator(`.monaco-workbench[class*="${file}"]`).waitFor();
  }

  /**
   * Writes `out/screenshots/NAME.png` of the window, or of another page such as the service's.
   * @returns the file's absolute path.
   */
  async screenshot(name: string, page: Page = this.page): Promise<string> {
    await mkdir(screenshotDirectory, { recursive: true });
    const file = path.join(screenshotDirectory, `${name}.png`);
    await page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }

  /**
   * Writes `NAME-light.png`, `NAME-contrast.png` and `NAME-dark.png` of the window, or the first and the last of a page of the service,
   * when pictures are asked for; the window's colours stay dark.
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

  /** @throws TimeoutError when the menu doesn't have the item, or closes */
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
