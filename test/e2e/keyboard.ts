import assert from 'node:assert/strict';
import { type Frame, type Page } from 'playwright-core';
import { searchCommand } from './workbenchPage.ts';

/** What has the focus. */
export interface Focus {
  /** What a screen reader says of it. */
  readonly name: string;
  readonly role: string;
  /** Whether it can be seen that it has the focus. */
  readonly isVisible: boolean;
}

/** How long Playwright waits, too. */
const TIMEOUT_MS = 30_000;

/** A user without a mouse: does everything with keys, and finds it by its accessible name. */
export class Keyboard {
  readonly page: Page;
  readonly #frame: Page | Frame;

  /** @param frame where the focus is looked for. */
  constructor(page: Page, frame: Page | Frame = page) {
    this.page = page;
    this.#frame = frame;
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Runs a command through the palette by its title as shown, `Category: Title`. */
  async runCommand(title: string, { opensQuestion = false } = {}): Promise<void> {
    const first = this.page.locator('.quick-input-list .monaco-list-row.focused', {
      has: this.page.getByText(title, { exact: true }),
    });
    await searchCommand(this.page, first, () => this.type(title));
    await this.press('Enter');
    if (!opensQuestion) {
      await this.page.locator('.quick-input-widget:visible').waitFor({ state: 'hidden' });
    }
  }

  /** What has the focus now. */
  focused(): Promise<Focus> {
    return this.#frame.evaluate<Focus>(FOCUS);
  }

  /**
   * Waits until the name and the role of what has the focus match, and it can be seen where the focus is.
   *
   * @param role its ARIA role, or the beginning of it.
   * @throws AssertionError with what has the focus instead.
   */
  async untilFocused(name: RegExp, role = ''): Promise<string> {
    // Playwright's waitForFunction evaluates its text once a frame, which the pages' content security policy forbids.
    const fits = (focus: Focus): boolean => focus.isVisible && name.test(focus.name) && focus.role.startsWith(role);
    const end = performance.now() + TIMEOUT_MS;
    let focus = await this.focused();
    while (!fits(focus) && performance.now() < end) {
      focus = await this.#frame.evaluate<Focus>(`new Promise((done) => requestAnimationFrame(() => done(${FOCUS})))`);
    }
    const seen = focus.isVisible ? '' : ', which does not show that it has the focus';
    assert.ok(fits(focus), `the focus is at ${focus.role} “${focus.name}”${seen}, not at ${role} ${name.source}`);
    return focus.name;
  }

  /** Presses a key, such as Tab or ArrowDown, until it leads to what matches. @throws AssertionError with where it led instead. */
  async pressUntilFocused(key: string, name: RegExp): Promise<string> {
    const passed: string[] = [];
    for (let focus = await this.focused(); ; focus = await this.focused()) {
      if (name.test(focus.name)) {
        return this.untilFocused(name);
      }
      passed.push(focus.name);
      assert.ok(passed.length < 60, `${key} leads to ${passed.join(', ')}, and not to ${name.source}`);
      await this.press(key);
    }
  }
}

/** Evaluated in the page; a screen reader follows `aria-activedescendant`. */
const FOCUS = `(() => {
  let element = document.activeElement;
  // A page whose body has not come yet has no focus.
  if (element === null) {
    return { name: '', role: '', isVisible: false };
  }
  while (element.shadowRoot?.activeElement) {
    element = element.shadowRoot.activeElement;
  }
  const active = document.getElementById(element.getAttribute('aria-activedescendant') ?? '') ?? element;
  const labels = [...(active.labels ?? [])].map(({ textContent }) => textContent).join(' ');
  const labelledBy = document.getElementById(active.getAttribute('aria-labelledby') ?? '')?.textContent;
  const name = active === document.body ? '' : (active.ariaLabel ?? labelledBy ?? (labels || active.innerText.slice(0, 100)));
  const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(active);
  const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px';
  // The entries of lists and menus have a background of their own; where one types there is a cursor.
  const isMarked = ['option', 'menuitem'].includes(active.role) && !/, 0\\)$|transparent/.test(backgroundColor);
  const isTyping = active.matches('input, textarea, .native-edit-context');
  return { name, role: active.role ?? active.tagName, isVisible: hasOutline || isMarked || isTyping };
})()`;
