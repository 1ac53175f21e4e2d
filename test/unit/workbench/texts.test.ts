import assert from 'node:assert/strict';
import fc from 'fast-check';
import { paragraph, plainText, spokenText } from '../../../src/workbench/texts.ts';

describe('A paragraph', () => {
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

/** As VS Code's `parseLinkedText`. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** As VS Code's `renderLabelWithIcons`. */
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
    it(`of ${JSON.stringify(written)} reads like it, and is no link and no icon`, () => {
      assert.equal(plainText(written), shown);
      assert.doesNotMatch(plainText(written), LINK);
      assert.doesNotMatch(plainText(written), ICON);
    });
  }

  it('of any text holds no link and no icon, and stays what it is when it is made plain again', () => {
    const piece = fc.constantFrom(...'[]()$\\\u200b\n\u202e '.split(''), ...['command:x', 'https://a', 'zap']);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const shown = plainText(pieces.join(''));
        assert.doesNotMatch(shown, LINK);
        assert.doesNotMatch(shown, ICON);
        assert.equal(plainText(shown), shown);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps its lines, and nothing else that is invisible', () => {
    assert.equal(plainText('a\nb\u202ec\u0007\td'), 'a\nbc d');
  });

  it('has an end', () => {
    assert.equal(plainText('x'.repeat(1_000_000)).length, 10_001);
  });
});

describe('a text for a screen reader', () => {
  it('joins with commas what is told apart by signs, and says nothing twice', () => {
    assert.equal(
      spokenText(['android', 'complete · 3 hours ago · demo build']),
      'android, complete, 3 hours ago, demo build',
    );
    assert.equal(spokenText(['apps', 'apps', undefined, '', ' ']), 'apps');
    assert.equal(spokenText([]), '');
  });

  it('puts no comma behind the end of a sentence', () => {
    assert.equal(spokenText(['Would fail', 'There is no name.', 'Add one.']), 'Would fail, There is no name. Add one.');
    assert.equal(spokenText(['What to do:', 'Add one.']), 'What to do: Add one.');
  });

  it('says each part of any text, and never a separator', () => {
    const part = fc.stringMatching(/^[a-z.!]{0,5}$/);
    fc.assert(
      fc.property(fc.array(fc.array(part).map((parts) => parts.join(' · '))), (parts) => {
        const said = spokenText(parts);
        assert.doesNotMatch(said, / · |^[ ,]|, ,|[ ,]$/);
        for (const each of parts.flatMap((text) => text.split(' · '))) {
          assert.ok(said.includes(each.trim()));
        }
      }),
    );
  });
});
