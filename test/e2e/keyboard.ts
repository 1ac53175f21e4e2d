import assert from 'node:assert/strict';
import { type Frame, type Page } from 'playwright-core';
import { searchCommand } from './workbenchPage.ts';

/** The focused element. */
interface Focus {
  /** Name that a screen reader reads. */
  readonly name: string;
  readonly role: string;
  /** True if the focus is visible. */
  readonly isVisible: boolean;
}

/** Playwright's default timeout. */
const TIMEOUT_MS = 30_000;

/** A user without a mouse, who does everything with the keyboard and finds everything by its accessible name. */
export class Keyboard {
  readonly page: Page;
  readonly #frame: Page | Frame;

  /** @param frame frame to search for the focus */
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

  /** Runs a command in the palette by its visible title, `Category: Title`. */
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

  /** Returns the focused element. */
  focused(): Promise<Focus> {
    return this.#frame.evaluate<Focus>(FOCUS);
  }

  /**
   * Waits until the focused element matches a name and a role, and the focus is visible.
   * @param role ARIA role or its beginning
   * @throws AssertionError if no such element gets the focus in time. The message describes the focused element
   */
  async untilFocused(name: RegExp, role = ''): Promise<string> {
    const focus = await this.#nextFocus((each) => isAt(each, name, role));
    const seen = focus.isVisible ? '' : ', which does not show that it has the focus';
    assert.ok(
      isAt(focus, name, role),
      `the focus is at ${focus.role} “${focus.name}”${seen}, not at ${role} ${name.source}`,
    );
    return focus.name;
  }

  /**
   * Presses a key, such as Tab or ArrowDown, until the focused element matches, and the focus is visible. Presses it again if VS Code
   * renders that element again in the meantime.
   * @param role ARIA role or its beginning
   * @throws AssertionError if no element matches. The message lists the focused elements
   */
  async pressUntilFocused(key: string, name: RegExp, role = ''): Promise<string> {
    const passed: string[] = [];
    for (;;) {
      const focus = await this.#nextFocus((each) => each.isVisible || !name.test(each.name));
      if (isAt(focus, name, role)) {
        return focus.name;
      }
      passed.push(focus.name);
      assert.ok(passed.length < 60, `${key} leads to ${passed.join(', ')}, and not to ${role} ${name.source}`);
      await this.press(key);
    }
  }

  /** Returns the first focused element that fits, or the last one before the timeout. */
  async #nextFocus(fits: (focus: Focus) => boolean): Promise<Focus> {
    // Playwright's waitForFunction evaluates a string in every frame, which the pages' content security policy forbids.
    const end = performance.now() + TIMEOUT_MS;
    let focus = await this.focused();
    while (!fits(focus) && performance.now() < end) {
      focus = await this.#frame.evaluate<Focus>(`new Promise((done) => requestAnimationFrame(() => done(${FOCUS})))`);
    }
    return focus;
  }
}

/** Reports whether a visible focus is at an element with this name and role. */
function isAt(focus: Focus, name: RegExp, role: string): boolean {
  return focus.isVisible && name.test(focus.name) && focus.role.startsWith(role);
}

/** Evaluated in the page. Follows `aria-activedescendant`, as screen readers do. */
const FOCUS = `(() => {
  let element = document.activeElement;
  // A page has no focus until its body is loaded.
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
  // Focused entries of lists and menus have a background, and text fields show a cursor.
  const isMarked = ['option', 'menuitem'].includes(active.role) && !/, 0\\)$|transparent/.test(backgroundColor);
  const isTyping = active.matches('input, textarea, .native-edit-context');
  return { name, role: active.role ?? active.tagName, isVisible: hasOutline || isMarked || isTyping };
})()`;
