import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainText } from '../../../src/workbench/texts.ts';

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
