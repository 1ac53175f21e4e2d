import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isDisplayable, label, visibleText } from '../../../../src/service-client/hypermedia/label.ts';

/**
 * Characters without a glyph that can disguise a name: zero-width spaces and joiners, fillers of several scripts, variation
 * selectors, a tag, directions, a byte order mark, private-use and unassigned characters, a lone surrogate, control
 * characters, separators, and two symbols without ink.
 */
const INVISIBLE = [
  ...Array.from(
    '\u200b\u200d\u2060\u00ad\u034f\u180e\u3164\u115f\uffa0\u17b4\ufe0f\u{e0101}\u{e0061}\u202e\u2066\ufeff',
  ),
  ...Array.from('\ue000\u0378\u0007\u2028\u2800\u{1d159}'),
  '\ud800',
];

describe('a label', () => {
  it('contains no invisible characters, and a name with an invisible character isn’t displayable', () => {
    for (const character of INVISIBLE) {
      const code = character.codePointAt(0)?.toString(16);
      assert.equal(label(`an${character}n`).replace('an n', 'ann'), 'ann', code);
      assert.equal(label(`${character}ann${character}`), 'ann', code);
      assert.equal(label(character.repeat(5)), '', code);
      assert.equal(visibleText(`an${character}n\nb`).replace('an n', 'ann'), 'ann\nb', code);
      assert.equal(isDisplayable(`an${character}n`) || isDisplayable(`ann${character}`), false, code);
    }
  });

  it('shows the text after a long run of invisible characters', () => {
    assert.equal(label('\u200b'.repeat(1000) + 'ann'), 'ann');
  });

  it('is one line of at most 500 characters, and never splits a character', () => {
    assert.equal(label(' a\r\nb\tc\n'), 'a b c');
    assert.equal(label('\u00a0a\u00a0b\u2003c\u3000'), 'a b c');
    assert.equal(label('x'.repeat(1000)), `${'x'.repeat(499)}…`);
    assert.equal(label('😀'.repeat(1000)), `${'😀'.repeat(249)}…`);
    assert.equal(label('é'.repeat(1_000_000)).length, 500);
  });

  it('keeps the letters, accents, and pictures of every language', () => {
    for (const name of [
      "O'Neil-Smith",
      'Zoë',
      'Zoe\u0308',
      '王小明',
      'Ольга',
      'ก้อง',
      'محمد',
      'אבי',
      'अमित',
      '😀',
      'a b',
    ]) {
      assert.equal(label(name), name);
      assert.equal(isDisplayable(name), true, name);
    }
  });

  it('keeps displayable names unchanged, and treats names with unusual white space as not displayable', () => {
    for (const name of [' ann', 'ann ', 'ann\u00a0', '\u3000ann', 'ann\u00a0lee', 'ann\u2003lee', 'ann  lee']) {
      assert.equal(isDisplayable(name), false, JSON.stringify(name));
    }
    assert.equal(isDisplayable('ann lee'), true);
    assert.equal(isDisplayable('x'.repeat(1000)), true);
    assert.equal(isDisplayable(''), false);
    assert.equal(isDisplayable(' \u00a0\u3000'), false);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        if (isDisplayable(name)) {
          assert.equal(label(name), name);
          assert.notEqual(label(name), '');
        }
        assert.doesNotMatch(label(name), /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u);
        assert.doesNotMatch(
          visibleText(name).replaceAll('\n', ''),
          /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u,
        );
      }),
    );
  });
});
