import assert from 'node:assert/strict';

import { checkConfig } from '../../../src/configXml/checkConfig.ts';
import { areSimilar } from '../../../src/configXml/didYouMean.ts';
import { completionContext } from '../../../src/configXml/editor/completionContext.ts';
import { suggestionsFor } from '../../../src/configXml/editor/suggestions.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { absent, allAbsent } from '../../support/configXml.ts';
import { stepsOf } from '../../support/textSteps.ts';

const SIZE = 32 * 1024;
/** Four times the text takes four times the steps; with the square it would be sixteen times. */
const MAX_GROWTH = 5;
const MAX_STEPS_PER_CHARACTER = 400;

const ROOT = '<widget id="com.example.app" version="1.0.0"><name>A</name>';
const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length));
/** Numbered, so that no two are the same. */
const numbered = (length: number, write: (number: number) => string) => {
  const pieces: string[] = [];
  for (let number = 0, written = 0; written < length; number += 1) {
    pieces.push(write(number));
    written += write(number).length;
  }
  return pieces.join('');
};
/** Pieces on levels that the service takes, so that the rest of the checks look at them. */
const nested = (open: string, close: string, length: number) => {
  const levels = Math.min(400, Math.floor(length / (open.length + close.length)));
  const whole = filled(open, levels * open.length) + filled(close, levels * close.length);
  return filled(whole, length);
};

/** What grows, by what it is: a text of some length. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'names that differ by a letter': (length) => {
    const name = filled('a', length / 2);
    return `${ROOT}<${name}></${name}b></widget>`;
  },
  'white space in an open value': (length) => `<widget a="b${filled(' ', length)}`,
  'lines in an open value': (length) => `<widget a="b${filled('\n', length)}`,
  '> and < in an open value': (length) => `<widget a="${filled('>\n', length)}<`,
  'unknown attributes of one tag': (length) => `${ROOT}<icon ${numbered(length, (n) => `a${n}="" `)}/></widget>`,
  'attributes of the root': (length) => `<widget ${numbered(length, (n) => `a${n}="" `)}><name>A</name></widget>`,
  'elements in each other': (length) => `${ROOT}${nested('<platform name="a">', '</platform>', length)}</widget>`,
  'misplaced elements': (length) => `${ROOT}${nested('<feature>', '</feature>', length)}</widget>`,
  'unknown elements': (length) => `${ROOT}${numbered(length, (n) => `<preferenc${n}/>`)}</widget>`,
  'unknown preferences': (length) => `${ROOT}${numbered(length, (n) => `<preference name="P${n}"/>`)}</widget>`,
  'platforms and dropped preferences': (length) =>
    `${ROOT}${numbered(length / 2, (n) => `<platform name="p${n}"/>`)}${filled('<preference name="SplashScreen" value="a"/>', length / 2)}</widget>`,
  'files that are missing': (length) => `${ROOT}${filled('<icon src="a.png"/>', length)}</widget>`,
  'unknown entities': (length) => `${ROOT}${filled('&b;', length)}</widget>`,
  'a tag name that is long': (length) => `${ROOT}<${filled('a', length)}`,
  'the start of the root again and again': (length) => filled('<widget ', length),
  'carriage returns': (length) => `${ROOT}${filled('\r', length)}</widget>`,
  'a name of many words': (length) => `<widget><name>${filled('a ', length)}</name></widget>`,
  'one number': (length) => `${ROOT}<preference name="SplashScreenDelay" value="${filled('1', length)}x"/></widget>`,
  'prefixes, declared and not': (length) =>
    `<widget ${numbered(length / 2, (n) => `xmlns:name${n}="" `)}>${numbered(length / 2, (n) => `<nam${n}:a/>`)}</widget>`,
  prefixes: (length) => `${ROOT}${numbered(length, (n) => `<p${n}:a/>`)}</widget>`,
  'end tags of others in deep elements': (length) => filled('<a>', length / 2) + filled('</b>', length / 2),
  'broken elements': (length) => `${ROOT}${numbered(length, (n) => `<a b=${n}>`)}`,
  ...Object.fromEntries(
    [
      '<',
      '<a',
      '<a><b>',
      '<a>x<a>',
      "<a b='\n>",
      '<a b="',
      '</a ',
      '&#',
      '<!--',
      '<%',
      '<% a %>',
      '<?',
      '<!',
      '<!DOCTYPE a [',
      '/',
      '=',
    ].map((piece) => [JSON.stringify(piece), (length: number) => filled(piece, length)]),
  ),
};

/** All that is done with a text. */
function readAll(text: string): void {
  const document = parseXml(text);
  checkConfig(document, allAbsent(document));
  const context = completionContext(text, text.length);
  if (context !== undefined) {
    suggestionsFor(context);
  }
}

describe('config.xml: what is read of any text', () => {
  it('takes names that are longer than any known one for like no other', () => {
    assert.equal(areSimilar('preference', 'preferenc'), true);
    assert.equal(areSimilar('a'.repeat(100), `${'a'.repeat(100)}b`), false);
  });

  it('tells no more problems than a person reads', () => {
    const attributes = `${ROOT}<icon ${numbered(2 ** 15, (n) => `a${n}="" `)}/></widget>`;
    const icons = `${ROOT}${filled('<icon src="a.png"/>', 2 ** 15)}</widget>`;
    for (const text of [attributes, icons]) {
      const problems = checkConfig(parseXml(text), absent(['a.png']));
      assert.ok(problems.length >= 500 && problems.length < 510, `${problems.length} problems`);
    }
  });

  // The first time counts what was run before, too.
  before(() => stepsOf(() => readAll(ROOT)));

  for (const [title, textOf] of Object.entries(TEXTS)) {
    it(`grows with its size: ${title}`, async () => {
      const whole = await stepsOf(() => readAll(textOf(SIZE)));
      const quarter = await stepsOf(() => readAll(textOf(SIZE / 4)));
      assert.ok(whole <= MAX_GROWTH * quarter, `${quarter} steps, and ${whole} for four times the text`);
      assert.ok(whole <= MAX_STEPS_PER_CHARACTER * SIZE, `${whole} steps`);
    });
  }
});
