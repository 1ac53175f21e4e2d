import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** What has the focus. */
export interface Focus {
  /** What a screen reader says of it. */
  readonly name: string;
  readonly role: string;
  /** Whether it can be seen that it has the focus. */
  readonly isVisible: boolean;
}

/** A person who has no mouse: everything is done with keys, and found by what a screen reader says of it. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /**
   * Runs a command through the palette by its title as shown, `Category: Title`. While the window starts, a key press may be
   * lost: the palette is opened again, as a person would.
   */
  async runCommand(title: string, { opensQuestion = false } = {}): Promise<void> {
    const first = this.page.locator('.quick-input-list .monaco-list-row.focused', {
      has: this.page.getByText(title, { exact: true }),
    });
    for (let attempt = 1; ; attempt++) {
      try {
        await this.press('F1');
        await this.page.locator('.quick-input-widget:visible input.input').waitFor({ timeout: 2_000 });
        await this.type(title);
        await first.waitFor({ timeout: 2_000 });
        break;
      } catch (error) {
        if (attempt === 10) {
          throw error;
        }
        await this.press('Escape');
      }
    }
    await this.press('Enter');
    if (!opensQuestion) {
      await this.page.locator('.quick-input-widget:visible').waitFor({ state: 'hidden' });
    }
  }

  /** What has the focus now. */
  focused(): Promise<Focus> {
    return this.page.evaluate<Focus>(FOCUS);
  }

  /**
   * Waits until what a screen reader says of the focus matches.
   *
   * @param role its ARIA role, or the beginning of it.
   * @throws AssertionError after 20 s, with what has the focus instead, and when it cannot be seen where the focus is.
   */
  async untilFocused(name: RegExp, role = ''): Promise<string> {
    for (const deadline = Date.now() + 20_000; ;) {
      const focus = await this.focused();
      if (name.test(focus.name) && focus.role.startsWith(role)) {
        assert.ok(focus.isVisible, `${focus.name} does not show that it has the focus`);
        return focus.name;
      }
      assert.ok(Date.now() < deadline, `the focus is at ${focus.role} “${focus.name}”, not at ${role} ${name.source}`);
      await delay(20);
    }
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
  while (element?.shadowRoot?.activeElement) {
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
