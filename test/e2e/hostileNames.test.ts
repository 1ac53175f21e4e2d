import assert from 'node:assert/strict';
import { startOddService, type OddService } from '../support/oddService.ts';
import { inSteps, openWindowSignedInAt } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const MARKUP = '[Select here](command:workbench.action.quit)$(zap) [there](https://evil.example/)';
const name = (what: string) => `${what} \u202e\u200b\u3164${MARKUP}`;
/** The text as the source contains it, without invisible characters. */
const written = (what: string) => `${what} ${MARKUP}`;

const paths = {
  '/api/v1': {
    username: `odd ${MARKUP}`,
    email: 'odd@example.com',
    '\u200b': 'x',
    _links: { bad: { href: '/api/v1/bad', title: name('Bad') } },
    _templates: {
      default: {
        title: name('Form'),
        method: 'POST',
        properties: [{ name: 'region', prompt: name('Region'), type: name('Type'), required: true }],
      },
    },
  },
  '/api/v1/bad': { status: 403, body: JSON.stringify({ error: name('No') }) },
};

describe('hostile names from a service', function () {
  inSteps(this);

  let service: OddService;
  let workbench: WorkbenchPage;

  before(async () => {
    service = await startOddService(paths);
    workbench = await openWindowSignedInAt(service);
  });

  after(() => service.close());

  /** Waits until a string appears in part of the window, and fails if the window has rendered any of its markup. */
  const isPlain = async (selector: string, text: string) => {
    const shown = workbench.page
      .locator(selector)
      .filter({ hasText: text.split('[')[0] ?? '' })
      .first();
    await shown.waitFor();
    assert.ok(
      (await shown.innerText())
        .replaceAll(/\u200b|\n/g, '')
        .replaceAll('\u00a0', ' ')
        .includes(text),
      await shown.innerText(),
    );
    const rendered = workbench.page.locator(
      ['href', 'data-href', 'title']
        .map((attribute) => `a[${attribute}*="workbench.action.quit"], a[${attribute}*="evil.example"]`)
        .join() + ', .codicon-zap',
    );
    const inside = await rendered.evaluateAll((elements) => elements.map((element) => String(element)));
    assert.deepEqual(inside, []);
  };

  it('appear as plain text in the view, and as “(no name)” if they have no visible characters', async () => {
    await isPlain('.sidebar .monaco-list-row', written('Bad'));
    await isPlain('.sidebar .monaco-list-row', written('Form'));
    await isPlain('.sidebar .monaco-list-row', written('odd'));
    await workbench.treeRow('(no name)').waitFor();
  });

  it('appear as plain text in the title, the prompt, and the error of an input box', async () => {
    await workbench.clickTreeRowAction('Form', 'Send Request…');
    await isPlain('.quick-input-widget', written('Form'));
    await isPlain('.quick-input-widget', written('Region'));
    await workbench.quickInput.press('Enter');
    await workbench.page.locator('.quick-input-message', { hasText: 'needs a value' }).waitFor();
    await isPlain('.quick-input-message', written('Region'));
    await workbench.page.keyboard.press('Escape');
  });

  it('appear as plain text in a list', async () => {
    await workbench.runCommand('App Build: Go to Resource…');
    await workbench.question('Title or path of a resource').waitFor();
    await isPlain('.quick-input-list .monaco-list-row', written('Bad'));
    await workbench.page.keyboard.press('Escape');
  });

  it('appear as plain text in a notification', async () => {
    await workbench.chooseViewItem('API Requests', 'Get Resource by Path or Link…');
    await workbench.answerInput('Path or link of a resource', '/api/v1/bad');
    await isPlain('.notification-list-item', written('No'));
    await workbench.clearNotifications();
  });
});
