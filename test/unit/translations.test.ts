import assert from 'node:assert/strict';
import { outdatedKeys, getProblems, type Texts } from '../support/translations.ts';

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
  const translation = { language: 'de', file: 'a.json', english } as const;

  for (const [what, change] of Object.entries({
    'is valid with every value, link, and piece of code': {},
    'is invalid if it is empty': { plain: ' ' },
    'is invalid if it is English': { plain: 'Sign In' },
    'is invalid if it loses a value': { value: '{0} gesendet' },
    'is invalid if it has an extra value': { plain: 'Anmelden bei {0}' },
    'is invalid if it calls another command': { link: '[Anmelden](command:appBuild.signOut)' },
    'is invalid if its code is translated': { code: 'Legen Sie `http.vertreter` fest.' },
    'is invalid if it loses its …': { more: 'Öffnen' },
  } satisfies Record<string, Partial<Texts>>)) {
    it(what, () => {
      const problems = getProblems(translation, { ...german, ...change });
      assert.equal(problems.length, Object.keys(change).length, problems.join('\n'));
    });
  }

  it('reports a missing translation, and one whose English text no longer exists', () => {
    assert.deepEqual(outdatedKeys(translation, { ...english, other: 'Anderes' }), ['other']);
    assert.deepEqual(outdatedKeys(translation, {}), Object.keys(english));
  });

  it('follows VS Code’s style in Japanese', () => {
    const wrong = getProblems(
      { language: 'ja', file: 'a.json', english: { end: 'Sign in.', space: 'Open {0}', pair: 'The “app”' } },
      { end: 'サインインします', space: '{0}を開く', pair: '「アプリ」' },
    );
    assert.deepEqual(
      wrong.map((line) => line.split(': ').at(-1)),
      ['end', 'space'],
    );
  });
});
