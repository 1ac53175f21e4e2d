import assert from 'node:assert/strict';
import { bundleFile, manifestFile, readTexts, type Texts } from '../support/translations.ts';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inSteps, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const LANGUAGE = 'de';

/** Attributes that a screen reader reads, or that appear as tooltips. */
const SPOKEN = ['aria-label', 'aria-description', 'title', 'placeholder'];

/** Words that most English sentences contain, and that aren't German words. */
const ENGLISH_WORDS = /\b(the|this|is|are|of|to|you|your|and|or|with|from|has|not|cannot|for)\b/i;

/**
 * The extension's UI text in a window with another display language. No English text may be left, including sentences that were never
 * translated. VS Code's own UI stays in English here.
 */
describe('a window in German', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  let manifest: Texts;
  let code: Texts;
  /** Expressions that match the English strings that differ in German, with any text in place of `{0}`. */
  let english: readonly RegExp[];

  before(async () => {
    [manifest, code] = await Promise.all([readTexts(manifestFile(LANGUAGE)), readTexts(bundleFile(LANGUAGE))]);
    const ofManifest = Object.entries(await readTexts(manifestFile())).filter(([key, text]) => manifest[key] !== text);
    const ofCode = Object.keys(code).filter((text) => code[text] !== text);
    english = [...ofManifest.flatMap(([, text]) => text.split('\n')), ...ofCode]
      .filter((text) => /\p{L}{4}/u.test(text.replaceAll(/\{\d+\}/g, '')))
      .map((text) => new RegExp(`^${getPattern(text)}$`));
    workbench = await openWindow({}, { language: LANGUAGE });
  });

  /** Returns the German translation of a string in package.json. */
  function german(key: string): string {
    return manifest[key] ?? assert.fail(`no ${key}`);
  }

  /** Returns the German translation of a string in the code. */
  function germanFor(text: string, ...args: readonly string[]): string {
    const translated = code[text] ?? assert.fail(`no “${text}”`);
    return translated.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
  }

  /**
   * Asserts that part of the window contains no English text from the extension. @param own whether that part contains only text from the
   * extension
   */
  async function assertGerman(place: string, own: 'ours alone' | 'data too'): Promise<void> {
    const shown = await workbench.page.locator(place).first().innerText();
    const lines = [...shown.split('\n'), ...(await attributes(place))].filter((line) => line.trim() !== '');
    assert.notEqual(lines.length, 0);
    for (const line of lines.flatMap((each) => [each, ...each.split(/ · |, /)]).map((each) => each.trim())) {
      assert.ok(!english.some((pattern) => pattern.test(line)), `“${line}” is English`);
    }
    if (own === 'ours alone') {
      assert.doesNotMatch(shown, ENGLISH_WORDS);
    }
  }

  /** Returns the text in attributes of an element and its descendants. */
  async function attributes(place: string): Promise<readonly string[]> {
    const found = await workbench.page.evaluate<readonly string[]>(
      `[...document.querySelectorAll(${JSON.stringify(`${place} *`)})].flatMap((element) =>
        ${JSON.stringify(SPOKEN)}.map((name) => element.getAttribute(name) ?? ''))`,
    );
    return found.flatMap((text) => text.split('\n'));
  }

  it('shows a German welcome text in the view', async () => {
    await workbench.openViewContainer(german('container.title'));
    await workbench.welcome.getByText(german('command.buildFolder'), { exact: true }).waitFor();
    await assertGerman('.sidebar .pane-body', 'ours alone');
    await assertGerman('.sidebar', 'data too');
  });

  it('reports in German that the local service is running', async () => {
    await workbench.runCommand(`${german('category')}: ${german('command.tryDemo')}`);
    await workbench.notification('127.0.0.1:').waitFor();
    await assertGerman('.notifications-toasts .notification-list-item-message', 'ours alone');
    await workbench.treeRow('demo@example.com').waitFor();
    await workbench.runCommand(`${german('category')}: ${german('command.signOut')}`);
    await workbench.welcome.getByText(german('command.signIn'), { exact: true }).waitFor();
    await assertGerman('.sidebar .pane-body', 'ours alone');
    await workbench.clearNotifications();
  });

  it('shows German questions, and German rows after the sign-in', async () => {
    const page = await workbench.newTab(() => workbench.clickWelcome(german('command.signIn')));
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
    await workbench.expandTreeRow('Apps');
    await workbench.expandTreeRow('Field Notes');
    await workbench.treeRow(/^Android\s*fertig · /).waitFor();
    await workbench.expandTreeRow(germanFor('More'));
    await assertGerman('.sidebar', 'data too');
    const command = `${german('category')}: ${german('command.createApp')}`;
    await workbench.runCommand(command);
    await workbench.question(germanFor('What is the app made from?')).waitFor();
    await assertGerman('.quick-input-widget', 'ours alone');
    await workbench.page.keyboard.press('Escape');
    await workbench.runCommand(`${german('category')}: ${german('command.addKey')}`);
    await workbench.question(germanFor('Which platform is the key for?')).waitFor();
    await assertGerman('.quick-input-widget', 'ours alone');
    await workbench.page.keyboard.press('Escape');
  });

  // VS Code shows the English title under each command, for users who know it.
  it('shows German commands', async () => {
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill(`>${german('category')}: `);
    await workbench.quickPickRow(`${german('category')}: ${german('command.signOut')}`).waitFor();
    const labels = new Set<string>();
    // The list renders only its visible part.
    for (let page = 0; page < 8; page++) {
      (await workbench.quickPickLabels()).forEach((label) => labels.add(label));
      await workbench.page.keyboard.press('PageDown');
    }
    const ours = [...labels].filter(
      // VS Code itself creates the commands that start with *Focus*.
      (label) => label.startsWith(`${german('category')}: `) && !/: Focus on .* View$/.test(label),
    );
    const known = new Set(Object.values(manifest).map((title) => `${german('category')}: ${title}`));
    assert.ok(ours.length > 20, ours.join('\n'));
    assert.deepEqual(
      ours.filter((label) => !known.has(label)),
      [],
    );
    await workbench.page.keyboard.press('Escape');
  });

  it('shows a German walkthrough', async () => {
    await workbench.runCommand('Welcome: Open Walkthrough...');
    await workbench.pick(german('walkthrough.title'));
    await workbench.page.getByText(german('walkthrough.service.title')).first().waitFor();
    await assertGerman('.gettingStartedSlideDetails .getting-started-category', 'ours alone');
    await assertGerman('.gettingStartedSlideDetails .step-list-container', 'ours alone');
  });
});

/** Returns a regular expression for a UI string, with any text in place of `{0}`. */
function getPattern(text: string): string {
  return text
    .split(/\{\d+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.+');
}
