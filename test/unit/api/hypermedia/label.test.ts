import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isDisplayable, label, visibleText } from '../../../../src/api/hypermedia/label.ts';

/** Characters without a glyph that a name can be disguised with, by what they are. */
const INVISIBLE: Readonly<Record<string, string>> = {
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'word joiner': '\u2060',
  'soft hyphen': '\u00ad',
  'combining grapheme joiner': '\u034f',
  'Mongolian vowel separator': '\u180e',
  'Hangul filler': '\u3164',
  'Hangul choseong filler': '\u115f',
  'halfwidth Hangul filler': '\uffa0',
  'Khmer inherent vowel': '\u17b4',
  'variation selector': '\ufe0f',
  'supplementary variation selector': '\u{e0101}',
  'tag letter': '\u{e0061}',
  'right-to-left override': '\u202e',
  isolate: '\u2066',
  'byte order mark': '\ufeff',
  'private use': '\ue000',
  unassigned: '\u0378',
  'half of a pair': '\ud800',
  'control character': '\u0007',
  'line separator': '\u2028',
  'braille blank': '\u2800',
  'null notehead': '\u{1d159}',
};

describe('a label', () => {
  for (const [what, character] of Object.entries(INVISIBLE)) {
    it(`shows no ${what}, and a name with one is not displayable`, () => {
      assert.equal(label(`an${character}n`).replace('an n', 'ann'), 'ann');
      assert.equal(label(`${character}ann${character}`), 'ann');
      assert.equal(label(character.repeat(5)), '');
      assert.equal(visibleText(`an${character}n\nb`).replace('an n', 'ann'), 'ann\nb');
      assert.equal(isDisplayable(`an${character}n`), false);
      assert.equal(isDisplayable(`ann${character}`), false);
    });
  }

  it('shows what stands behind a long run of what is not seen', () => {
    assert.equal(label('\u200b'.repeat(1000) + 'ann'), 'ann');
  });

  it('is one line of at most 500 characters, and cuts no character in two', () => {
    assert.equal(label(' a\r\nb\tc\n'), 'a b c');
    assert.equal(label('\u00a0a\u00a0b\u2003c\u3000'), 'a b c');
    assert.equal(label('x'.repeat(1000)), `${'x'.repeat(499)}…`);
    assert.equal(label('😀'.repeat(1000)), `${'😀'.repeat(249)}…`);
    assert.equal(label('é'.repeat(1_000_000)).length, 500);
  });

  it('keeps the letters, accents and pictures of every language', () => {
    for (const name of [
      'Ann',
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

  it('of a displayable name is the name, but for its length; white space that looks like other white space makes one not displayable', () => {
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
