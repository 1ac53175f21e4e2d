import assert from 'node:assert/strict';
import { PATTERNS, getProse } from '../support/writing.ts';

const CODE = `
/**
 * Of the app.
 * A row.
 */
const text = 'what is shown'; // One line,
// continued in \`code of others\`.
it('keeps the draft', () => vscode.l10n.t('Can’t open {0}.', sentence(
  'It stands here.')));
`;

describe('the prose of a file', () => {
  it('contains comments, titles, and UI text in code', () => {
    assert.deepEqual(getProse('a.ts', CODE), [
      { line: 2, text: 'Of the app. A row.' },
      { line: 6, text: 'One line, continued in `…`.' },
      { line: 8, text: 'keeps the draft' },
      { line: 8, text: 'Can’t open {0}.' },
      { line: 9, text: 'It stands here.' },
    ]);
  });

  it('contains the lines of a page, without its code', () => {
    assert.deepEqual(
      getProse('a.md', 'One\n```sh\nnpm ci\n```\nTwo').map(({ line }) => line),
      [1, 5],
    );
  });

  it('contains descriptions of JSON, and every text of package.nls.json', () => {
    const json = '{\n  "when": "a == b",\n  "modelDescription": "Lists \\"apps\\"."\n}';
    assert.deepEqual(
      getProse('package.json', json).map(({ line }) => line),
      [3],
    );
    assert.equal(getProse('package.nls.json', json).length, 2);
  });
});

describe('the search for patterns of docs/writing.md', () => {
  for (const [pattern, wrong, right] of [
    ['what is', 'Reads what is sent.', 'Decides what is sent.'],
    ['person', 'Asks a person.', 'Asks the user.'],
    ['says', 'The file says so.', 'The file contains it.'],
    ['is no', 'It is no address.', 'It is no longer open.'],
    ['fragment', 'Of the app.', 'Name of the app.'],
    ['below', 'Files below it.', 'Files in it.'],
    ['stands', 'It stands in a list.', 'Understands a list.'],
    ['takes', 'Takes a token.', 'Takes a while.'],
    ['as it is', 'Sent as it is.', 'Sent unchanged.'],
    ['also', 'Links, too.', 'The link is too long.'],
    ['word', 'It goes on.', 'It continues.'],
  ] as const) {
    it(`finds “${pattern}”`, () => {
      assert.equal(wrong.match(PATTERNS[pattern])?.length, 1);
      assert.equal(right.match(PATTERNS[pattern]), null);
    });
  }
});
