import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import { syntaxProblems } from '../../../src/configXml/syntax.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { fixed } from '../../support/configXml.ts';

/** A text; code and message of its only problem; what is marked; the text after its first fix. */
type Case = readonly [text: string, problem: string, marked: string, mended?: string];

const CASES: readonly Case[] = [
  [
    '<a><b email="x@y.z href="http://z">Me</b></a>',
    'quoteMissing: The value of “email” has no closing quote.',
    '"x@y.z',
    '<a><b email="x@y.z" href="http://z">Me</b></a>',
  ],
  [
    '<a>\n  <b name="x" source="npm/>\n  <b name="y" source="npm"/>\n</a>',
    'quoteMissing: The value of “source” has no closing quote.',
    '"npm',
    '<a>\n  <b name="x" source="npm"/>\n  <b name="y" source="npm"/>\n</a>',
  ],
  [
    "<a b='1.0>\n<c>It's</c>\n</a>",
    'quoteMissing: The value of “b” has no closing quote.',
    "'1.0",
    "<a b='1.0'>\n<c>It's</c>\n</a>",
  ],
  ['<a b="1/>', 'quoteMissing: The value of “b” has no closing quote.', '"1', '<a b="1"/>'],
  ['<a b="?x=1&y=2"/>', 'malformed: “&” must be written as “&amp;”.', '&', '<a b="?x=1&amp;y=2"/>'],
  ['<a>R & D</a>', 'malformed: “&” must be written as “&amp;”.', '&', '<a>R &amp; D</a>'],
  ['<a>R &amp D</a>', 'malformed: “&amp” must be written as “&amp;”.', '&amp', '<a>R &amp; D</a>'],
  ['<a>&copy;</a>', 'malformed: “&” must be written as “&amp;”.', '&', '<a>&amp;copy;</a>'],
  ['<a><b>Me</bb></a>', 'endTagMismatch: <b> is closed by </bb>.', 'bb'],
  [
    '<a><author>Me</auther></a>',
    'endTagMismatch: <author> is closed by </auther>.',
    'auther',
    '<a><author>Me</author></a>',
  ],
  ['<a>\n  <b c="d">\n  <b/>\n</a>', 'notClosed: <b> is never closed.', '<b', '<a>\n  <b c="d" />\n  <b/>\n</a>'],
  [
    '<a><preference>Text\n  <c/></a>',
    'notClosed: <preference> is never closed.',
    '<preference',
    '<a><preference>Text</preference>\n  <c/></a>',
  ],
  ['<a>\n  <b/>\n', 'notClosed: <a> is never closed.', '<a', '<a>\n  <b/>\n</a>\n'],
  // All others as parse-xml words them, where it stopped.
  ['<a b=x/>', 'malformed: This isn’t well-formed XML: Attribute value expected.', 'x/'],
  ['<a b="1" b="1"/>', 'malformed: This isn’t well-formed XML: Duplicate attribute: b.', '/'],
  ['<a><b c="d"\n  <e/></a>', 'malformed: This isn’t well-formed XML: Unclosed start tag for element `b`.', '<e/'],
  ['<a>😀😀\r\n\r1 <5</a>', 'malformed: This isn’t well-formed XML: Missing end tag for element a.', '<5'],
  ['', 'malformed: This isn’t well-formed XML: Root element is missing or invalid.', ''],
  [
    '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
    'encoding: The encoding is declared as “ISO-8859-1”. Build services read UTF-8.',
    'ISO-8859-1',
    '<?xml version="1.0" encoding="utf-8"?><a/>',
  ],
  [
    '<!DOCTYPE a [ <!ENTITY b "c"> ]>\n<a/>',
    'doctype: Build services refuse a document type declaration.',
    '<!DOCTYPE a [ <!ENTITY b "c"> ]>',
    '\n<a/>',
  ],
];

describe('config.xml: what is not well-formed', () => {
  for (const [text, expected, marked, mended] of CASES) {
    it(`${JSON.stringify(text)} has one mistake, where it is`, () => {
      const [problem, ...others] = syntaxProblems(parseXml(text));
      assert.ok(problem !== undefined && others.length === 0);
      assert.equal(`${problem.code}: ${plainText(problem.message)}`, expected);
      assert.equal(problem.severity, 'error');
      assert.equal(text.slice(problem.span.start, problem.span.end), marked);
      const [fix] = problem.fixes ?? [];
      assert.equal(fix && fixed(text, fix), mended);
      assert.deepEqual(mended === undefined ? [] : syntaxProblems(parseXml(mended)), []);
    });
  }

  it('is not “--” in a comment, which Cordova reads', () => {
    for (const text of ['<a><!-- x -- y --></a>', '<a><!-- x ---></a>', '<!---- a\n-- b --><a><![CDATA[<!--]]></a>']) {
      assert.deepEqual(syntaxProblems(parseXml(text)), [], text);
    }
  });

  it('is not looked for in a file that services refuse for its size, or that is nested too deep', () => {
    const codes = (text: string) => syntaxProblems(parseXml(text)).map(({ code }) => code);
    assert.deepEqual(codes(`<a b=c>${' '.repeat(1024 * 1024)}</a>`), ['tooLarge']);
    assert.deepEqual(codes('<a>'.repeat(100_000)), ['tooLarge']);
    assert.deepEqual(codes(`${'<a>'.repeat(500)}${'</a>'.repeat(500)}`), []);
  });
});
