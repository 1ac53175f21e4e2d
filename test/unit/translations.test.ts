import assert from 'node:assert/strict';
import { exportTexts, textsOf } from '../support/localisedTexts.ts';
import { bundleFile, manifestFile, problemsOf, readTexts, type Texts, translations } from '../support/translations.ts';

describe('the texts that a person sees', () => {
  it('can be found in the sources, and are there in each language', async () => {
    const { texts, problems } = await exportTexts();
    assert.deepEqual(problems, []);
    assert.ok(texts.length > 1_000, `${texts.length} texts`);
    for (const translation of await translations(texts)) {
      assert.deepEqual(problemsOf(translation, await readTexts(translation.file)), [], 'npm run l10n');
    }
  });

  it('are literals: what is put together or chosen inside a call is named, with its line', async () => {
    const text = [
      "import * as vscode from 'vscode';",
      "const found = [vscode.l10n.t('One {0}', 1), sentence('Two'), sentence(`Three`, vscode.l10n.t('Four'))];",
      "const quoted = \"sentence('no call')\"; // vscode.l10n.t('no call')",
      'vscode.l10n.t(KEY);',
      "sentence(many ? 'a' : 'b');",
      "sentence('a' + 'b');",
      'vscode.l10n.t(`${count} apps`);',
      'function localised({ template }) { return vscode.l10n.t(template); }',
    ].join('\n');
    const { texts, problems } = await textsOf([{ file: 'a.ts', text }]);
    assert.deepEqual(texts.toSorted(), ['Four', 'One {0}', 'Three', 'Two']);
    assert.deepEqual(
      problems.map((problem) => problem.split(': ')[0]),
      ['a.ts:4', 'a.ts:5', 'a.ts:6', 'a.ts:7'],
    );
  });

  it('are found where others are translated from a name or from what a call returns', async () => {
    const text = "import * as vscode from 'vscode';\nconst t = vscode.l10n.t;\n";
    const { problems } = await textsOf([{ file: 'a.ts', text }]);
    assert.match(problems[0] ?? '', /^a\.ts:2: /);
  });
});

describe('a translation', () => {
  const english = {
    plain: 'Sign In',
    name: 'App Build',
    value: 'Sent {0} of {1}',
    link: '[Sign In](command:appBuild.signIn)',
    code: 'Set `http.proxy`.',
    more: 'Open…',
  };
  const german = {
    plain: 'Anmelden',
    name: 'App Build',
    value: '{0} von {1} gesendet',
    link: '[Anmelden](command:appBuild.signIn)',
    code: 'Legen Sie `http.proxy` fest.',
    more: 'Öffnen…',
  };

  for (const [what, change] of Object.entries({
    'of every text is right': {},
    'that is missing': { plain: undefined },
    'of what nobody says': { other: 'Anderes' },
    'that is empty': { plain: ' ' },
    'that is English': { plain: 'Sign In' },
    'that loses a value': { value: '{0} gesendet' },
    'that has a value too many': { plain: 'Anmelden bei {0}' },
    'that calls another command': { link: '[Anmelden](command:appBuild.signOut)' },
    'whose code is translated': { code: 'Legen Sie `http.vertreter` fest.' },
    'that loses its …': { more: 'Öffnen' },
  } satisfies Record<string, Readonly<Record<string, string | undefined>>>)) {
    it(what, () => {
      const changed = Object.entries<string | undefined>({ ...german, ...change });
      const texts = Object.fromEntries(changed.filter(([, text]) => text !== undefined)) as Texts;
      const problems = problemsOf({ language: 'de', file: 'a.json', english }, texts);
      assert.equal(problems.length, Object.keys(change).length, problems.join('\n'));
    });
  }

  it('is beside the English text of package.json, and in l10n/ for the code', () => {
    assert.deepEqual(
      [manifestFile(), manifestFile('de'), bundleFile('de')],
      ['package.nls.json', 'package.nls.de.json', 'l10n/bundle.l10n.de.json'],
    );
  });
});
