import assert from 'node:assert/strict';
import fc from 'fast-check';
import { paragraph, toPlainText, toSpokenText } from '../../../../src/extension/workbench/texts.ts';

describe('a paragraph', () => {
  const cases: readonly (readonly [sentences: readonly string[], text: string])[] = [
    [[], ''],
    [['One.'], 'One.'],
    [['The service said: gone', 'Try again.'], 'The service said: gone. Try again.'],
    [['Is it there?', 'Look at “a.txt”', 'Reading…'], 'Is it there? Look at “a.txt” Reading…'],
    [['応答がありません。', 'もう一度お試しください。'], '応答がありません。もう一度お試しください。'],
    [['理由: 見つかりません', 'もう一度お試しください。'], '理由: 見つかりません。もう一度お試しください。'],
    [['拒否されました: Not found', 'もう一度お試しください。'], '拒否されました: Not found. もう一度お試しください。'],
    [['Datei', 'サーバー', 'End'], 'Datei. サーバー。End.'],
  ];
  for (const [sentences, text] of cases) {
    it(`joins ${JSON.stringify(sentences)}`, () => assert.equal(paragraph(sentences), text));
  }
});

/** Matches VS Code's `parseLinkedText`. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** Matches VS Code's `renderLabelWithIcons`. */
const ICON = /(\\)?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

describe('a plain text', () => {
  for (const [written, shown] of [
    ['[x](command:y)', '[x]\u200b(command:y)'],
    ['[x](https://y "title")', '[x]\u200b(https://y "title")'],
    ['[x]\u200b(command:y)', '[x]\u200b(command:y)'],
    ['$(zap) \\$(zap~spin)', '$\u200b(zap) \\$\u200b(zap~spin)'],
    ['a[0] (b) $ (c) ( ]', 'a[0] (b) $ (c) ( ]'],
    ['one\r\ntwo', 'one\ntwo'],
  ] as const) {
    it(`looks like ${JSON.stringify(written)}, without links and icons`, () => {
      assert.equal(toPlainText(written), shown);
      assert.doesNotMatch(toPlainText(written), LINK);
      assert.doesNotMatch(toPlainText(written), ICON);
    });
  }

  it('contains no links or icons, and doesn’t change when it’s converted again', () => {
    const piece = fc.constantFrom(...'[]()$\\\u200b\n\u202e '.split(''), ...['command:x', 'https://a', 'zap']);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const shown = toPlainText(pieces.join(''));
        assert.doesNotMatch(shown, LINK);
        assert.doesNotMatch(shown, ICON);
        assert.equal(toPlainText(shown), shown);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps line breaks, but no other invisible characters', () => {
    assert.equal(toPlainText('a\nb\u202ec\u0007\td'), 'a\nbc d');
  });

  it('is cut off after 10,000 characters', () => {
    assert.equal(toPlainText('x'.repeat(1_000_000)).length, 10_001);
  });
});

describe('text for a screen reader', () => {
  it('joins parts with commas instead of symbols, without repetitions', () => {
    assert.equal(
      toSpokenText(['android', 'complete · 3 hours ago · demo build']),
      'android, complete, 3 hours ago, demo build',
    );
    assert.equal(toSpokenText(['apps', 'apps', undefined, '', ' ']), 'apps');
    assert.equal(toSpokenText([]), '');
  });

  it('doesn’t add a comma after the end of a sentence', () => {
    assert.equal(
      toSpokenText(['Would fail', 'There is no name.', 'Add one.']),
      'Would fail, There is no name. Add one.',
    );
    assert.equal(toSpokenText(['What to do:', 'Add one.']), 'What to do: Add one.');
  });

  it('contains each part of any text, and never a separator', () => {
    const part = fc.stringMatching(/^[a-z.!]{0,5}$/);
    fc.assert(
      fc.property(fc.array(fc.array(part).map((parts) => parts.join(' · '))), (parts) => {
        const said = toSpokenText(parts);
        assert.doesNotMatch(said, / · |^[ ,]|, ,|[ ,]$/);
        for (const each of parts.flatMap((text) => text.split(' · '))) {
          assert.ok(said.includes(each.trim()));
        }
      }),
    );
  });
});
