import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readCssColour } from '../../../src/projects/appFacts.ts';

const COLOURS: Readonly<Record<string, string | undefined>> = {
  '#fff': '#FFFFFF',
  '#1a2b3c': '#1A2B3C',
  '#1A2B3C': '#1A2B3C',
  // The alpha is first in Android.
  '#abcd': '#DDAABBCC',
  '#11223344': '#44112233',
  '#112233ff': '#112233',
  'rgb(1, 2, 3)': '#010203',
  'rgb(1 2 3)': '#010203',
  'rgb(10% 20% 30%)': '#1A334D',
  'rgba(255,0,0,.5)': '#80FF0000',
  'rgb(255 0 0 / 50%)': '#80FF0000',
  'rgb(300, 0, 0)': '#FF0000',
  'hsl(120, 50%, 50%)': '#40BF40',
  'hsl(120deg 50% 50%)': '#40BF40',
  'hsla(.5turn, 50%, 50%, 0)': '#0040BFBF',
  ' Tomato ': '#FF6347',
  rebeccapurple: '#663399',
  darkslategrey: '#2F4F4F',
  transparent: '#00000000',
  fff: undefined,
  '#ff': undefined,
  '#ggg': undefined,
  '#12345': undefined,
  'rgb(1,2)': undefined,
  'rgb(1,2,3': undefined,
  'var(--main)': undefined,
  currentcolor: undefined,
  constructor: undefined,
  '': undefined,
};

describe('colours of CSS', () => {
  for (const [text, colour] of Object.entries(COLOURS)) {
    it(`${JSON.stringify(text)}: ${colour ?? 'none'}`, () => {
      assert.equal(readCssColour(text), colour);
    });
  }

  it('any text is one that Android knows, or none', () => {
    const parts = fc.constantFrom('rgb(', 'hsla(', '#', '1', 'f', '%', ',', '/', ' ', ')', '.', '-', 'e', 'deg', 'red');
    const texts = fc.oneof(
      fc.string(),
      fc.array(parts).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        assert.match(readCssColour(text) ?? '#000000', /^#(?:[\dA-F]{2})?[\dA-F]{6}$/);
      }),
    );
  });

  it('a long text is not looked at', () => {
    assert.equal(readCssColour(`rgb(${'1'.repeat(1_000_000)},2,3)`), undefined);
  });
});
