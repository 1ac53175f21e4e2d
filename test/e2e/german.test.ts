import assert from 'node:assert/strict';
import { bundleFile, manifestFile, readTexts, type Texts } from '../support/translations.ts';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inSteps, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const LANGUAGE = 'de';

/** Attributes that a screen reader says, or that are shown while the pointer rests on something. */
const SPOKEN = ['aria-label', 'aria-description', 'title', 'placeholder'];

/** Words that hardly an English sentence is without, and that are none in German. */
const ENGLISH_WORDS = /\b(the|this|is|are|of|to|you|your|and|or|with|from|has|not|cannot|for)\b/i;

/**
 * Texts of ours, in a window whose language is not English: none of the English ones is left, nor an English sentence that no
 * translator was ever given. VS Code's own texts stay English here.
 */
describe('the window of a person who speaks German', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  let manifest: Texts;
  let code: Texts;
  /** Finds the English texts that are others in German, whatever stands for `{0}`. */
  let english: readonly RegExp[];

  before(async () => {
    [manifest, code] = await Promise.all([readTexts(manifestFile(LANGUAGE)), readTexts(bundleFile(LANGUAGE))]);
    const ofManifest = Object.entries(await readTexts(manifestFile())).filter(([key, text]) => manifest[key] !== text);
    const ofCode = Object.keys(code).filter((text) => code[text] !== text);
    english = [...ofManifest.flatMap(([, text]) => text.split('\n')), ...ofCode]
      .filter((text) => /\p{L}{4}/u.test(text.replaceAll(/\{\d+\}/g, '')))
      .map((text) => new RegExp(`^${patternOf(text)}$`));
    workbench = await openWindow({}, { language: LANGUAGE });
  });

  /** A text of package.json in German. */
  function german(key: string): string {
    return manifest[key] ?? assert.fail(`no ${key}`);
  }

  /** A text of the code in German. */
  function germanFor(text: string, ...args: readonly string[]): string {
    const translated = code[text] ?? assert.fail(`no “${text}”`);
    return translated.replaceAll(/\{(\d)\}/g, (_, index: string) => args[Number(index)] ?? '');
  }

  /** Asserts that nothing in there is English of ours. @param own whether nothing but texts of ours is in there */
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

  /** What else than its text an element says, and all within it. */
  async function attributes(place: string): Promise<readonly string[]> {
    const found = await workbench.page.evaluate<readonly string[]>(
      `[...document.querySelectorAll(${JSON.stringify(`${place} *`)})].flatMap((element) =>
        ${JSON.stringify(SPOKEN)}.map((name) => element.getAttribute(name) ?? ''))`,
    );
    return found.flatMap((text) => text.split('\n'));
  }

  it('begins with a view whose welcome is German', async () => {
    await workbench.openViewContainer(german('container.title'));
    await workbench.welcome.getByText(german('command.buildFolder'), { exact: true }).waitFor();
    await assertGerman('.sidebar .pane-body', 'ours alone');
    await assertGerman('.sidebar', 'data too');
  });

  it('says in German that the local service runs', async () => {
    await workbench.runCommand(`${german('category')}: ${german('command.tryDemo')}`);
    await workbench.notification('127.0.0.1:').waitFor();
    await assertGerman('.notifications-toasts .notification-list-item-message', 'ours alone');
    await workbench.treeRow('demo@example.com').waitFor();
    await workbench.runCommand(`${german('category')}: ${german('command.signOut')}`);
    await workbench.welcome.getByText(german('command.signIn'), { exact: true }).waitFor();
    await assertGerman('.sidebar .pane-body', 'ours alone');
    await workbench.clearNotifications();
  });

  it('asks in German, and has rows in German once somebody is signed in', async () => {
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

  // VS Code writes the English title below each, for those who know that one.
  it('has German commands', async () => {
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill(`>${german('category')}: `);
    await workbench.quickPickRow(`${german('category')}: ${german('command.signOut')}`).waitFor();
    const labels = new Set<string>();
    // The list draws what can be seen of it.
    for (let page = 0; page < 8; page++) {
      (await workbench.quickPickLabels()).forEach((label) => labels.add(label));
      await workbench.page.keyboard.press('PageDown');
    }
    const ours = [...labels].filter(
      // VS Code makes the one that starts with *Focus*.
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

  it('has a German walkthrough', async () => {
    await workbench.runCommand('Welcome: Open Walkthrough...');
    await workbench.pick(german('walkthrough.title'));
    await workbench.page.getByText(german('walkthrough.service.title')).first().waitFor();
    await assertGerman('.gettingStartedSlideDetails .getting-started-category', 'ours alone');
    await assertGerman('.gettingStartedSlideDetails .step-list-container', 'ours alone');
  });
});

/** A text as a regular expression in which anything stands for `{0}`. */
function patternOf(text: string): string {
  return text
    .split(/\{\d+\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.+');
}
