import assert from 'node:assert/strict';

import { readCssColour } from '../../../src/projects/appFacts.ts';

const COLOURS: Readonly<Record<string, string | undefined>> = {
  '#fff': '#FFFFFF',
  // The alpha is first in Android.
  '#abcd': '#DDAABBCC',
  '#112233ff': '#112233',
  'rgba(255,0,0,.5)': '#80FF0000',
  ' Tomato ': '#FF6347',
  transparent: '#00000000',
  'var(--main)': undefined,
  constructor: undefined,
  '': undefined,
};

describe('colours of CSS', () => {
  for (const [text, colour] of Object.entries(COLOURS)) {
    it(`${JSON.stringify(text)}: ${colour ?? 'none'}`, () => assert.equal(readCssColour(text), colour));
  }
});
