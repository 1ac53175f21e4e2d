import assert from 'node:assert/strict';
import fc from 'fast-check';

import { plainText } from '../../../src/api/errors/sentence.ts';
import type { ConfigProblem } from '../../../src/configXml/configProblem.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { brokenConfig } from '../../support/configTexts.ts';
import { fixed } from '../../support/configXml.ts';

/** A text; code and message of its only problem; what is marked; the text after its first fix. */
type Case = readonly [text: string, problem: string, marked: string, mended: string | undefined];

const ATTRIBUTES: readonly Case[] = [
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
    '<a><b href="x>Me</b>\n<c short="y">It is "it"</c></a>',
    'quoteMissing: The value of “href” has no closing quote.',
    '"x',
    '<a><b href="x">Me</b>\n<c short="y">It is "it"</c></a>',
  ],
  [
    "<a b='1.0>\n<c>It's</c>\n</a>",
    'quoteMissing: The value of “b” has no closing quote.',
    "'1.0",
    "<a b='1.0'>\n<c>It's</c>\n</a>",
  ],
  ['<a b="1/>', 'quoteMissing: The value of “b” has no closing quote.', '"1', '<a b="1"/>'],
  ['<a b=1 />', 'quoteMissing: The value of “b” must stand in quotes.', '1', '<a b="1" />'],
  ['<a b=x/>', 'quoteMissing: The value of “b” must stand in quotes.', 'x', '<a b="x"/>'],
  ['<a b=my app" c="d"/>', 'quoteMissing: The value of “b” has no opening quote.', 'my app', '<a b="my app" c="d"/>'],
  ['<a b="1" c="" b="1"/>', 'duplicateAttribute: There are two attributes “b”.', 'b', '<a b="1" c=""/>'],
  ['<a b="x < y"/>', 'malformed: “<” must be written as “&lt;” where no tag begins.', '<', '<a b="x &lt; y"/>'],
  ['<a b="?x=1&y=2"/>', 'malformed: “&” must be written as “&amp;”.', '&', '<a b="?x=1&amp;y=2"/>'],
];

const TAGS: readonly Case[] = [
  ['<a><b>Me</bb></a>', 'endTagMismatch: <b> is closed by </bb>.', 'bb', '<a><b>Me</b></a>'],
  [
    '<a><author>Me</auther></a>',
    'endTagMismatch: <author> is closed by </auther>.',
    'auther',
    '<a><author>Me</author></a>',
  ],
  [
    '<a><auther>Me</author></a>',
    'endTagMismatch: <auther> is closed by </author>.',
    'author',
    '<a><auther>Me</auther></a>',
  ],
  ['<a><b/></b></a>', 'endTagMismatch: </b> closes nothing: <b … /> has closed itself.', '</b>', '<a><b/></a>'],
  [
    '<a>\n  <b c="d" />\n  <e/>\n  </b>\n</a>',
    'endTagMismatch: <b> is closed already by “/>”.',
    '/>',
    '<a>\n  <b c="d">\n  <e/>\n  </b>\n</a>',
  ],
  [
    '<a><b c="d"/>x<b c="d"/>\n<e/></b></a>',
    'endTagMismatch: <b> is closed already by “/>”.',
    '/>',
    '<a><b c="d"/>x<b c="d">\n<e/></b></a>',
  ],
  [
    '<a><b/><b></b><e/></b></a>',
    'endTagMismatch: </b> closes nothing: there is no <b> before it.',
    '</b>',
    '<a><b/><b></b><e/></a>',
  ],
  ['<a><b/>My App</b></a>', 'endTagMismatch: <b> is closed already by “/>”.', '/>', '<a><b>My App</b></a>'],
  ['<a><b/> </b></a>', 'endTagMismatch: </b> closes nothing: <b … /> has closed itself.', '</b>', '<a><b/> </a>'],
  [
    '<a><disallow-b></allow-b></a>',
    'endTagMismatch: <disallow-b> is closed by </allow-b>.',
    'allow-b',
    '<a><disallow-b></disallow-b></a>',
  ],
  [
    '<a><param:name="b" value="c"/></a>',
    'malformed: Write a space, not a colon, between <param and “name”.',
    'param:name',
    '<a><param name="b" value="c"/></a>',
  ],
  [
    '<a xmlns:x="y"><x:param:name="b"></x:param></a>',
    'malformed: Write a space, not a colon, between <x:param and “name”.',
    'x:param:name',
    '<a xmlns:x="y"><x:param name="b"></x:param></a>',
  ],
  ['<a><b></x></b></a>', 'endTagMismatch: </x> closes nothing: there is no <x> before it.', '</x>', '<a><b></b></a>'],
  ['<a><b>x</></a>', 'endTagMismatch: The end tag has no name.', '</>', '<a><b>x</b></a>'],
  ['<a>\n  <b c="d">\n  <b/>\n</a>', 'notClosed: <b> is never closed.', '<b', '<a>\n  <b c="d" />\n  <b/>\n</a>'],
  ['<a><b>Text\n  <c/></a>', 'notClosed: <b> is never closed.', '<b', '<a><b>Text</b>\n  <c/></a>'],
  [
    '<a>\n  <b>\n    <c/>\n    <c/>\n  <b>\n  </b>\n</a>',
    'notClosed: <b> is never closed.',
    '<b',
    '<a>\n  <b>\n    <c/>\n    <c/>\n  </b>\n  <b>\n  </b>\n</a>',
  ],
  ['<a>\n  <b/>\n', 'notClosed: <a> is never closed.', '<a', '<a>\n  <b/>\n</a>\n'],
  ['<a><b c="d"\n  <e/></a>', 'notClosed: The tag <b has no “>”.', '<b c="d"', '<a><b c="d"/>\n  <e/></a>'],
  ['<a><b\n  <e/></b></a>', 'notClosed: The tag <b has no “>”.', '<b', '<a><b>\n  <e/></b></a>'],
  ['<a><b>x</b\n<e/></a>', 'notClosed: The tag </b has no “>”.', '</b', '<a><b>x</b>\n<e/></a>'],
];

const TEXTS: readonly Case[] = [
  ['<a>1 < 2</a>', 'malformed: “<” must be written as “&lt;” where no tag begins.', '<', '<a>1 &lt; 2</a>'],
  ['<a>x <5</a>', 'malformed: “<” must be written as “&lt;” where no tag begins.', '<', '<a>x &lt;5</a>'],
  ['<a>R & D</a>', 'malformed: “&” must be written as “&amp;”.', '&', '<a>R &amp; D</a>'],
  ['<a>R &amp D</a>', 'malformed: “&amp” must end with “;”.', '&amp', '<a>R &amp; D</a>'],
  ['<a>&copy;</a>', 'undeclaredEntity: XML does not know “&copy;”.', '&copy;', '<a>&amp;copy;</a>'],
  ['<a>&foo;</a>', 'undeclaredEntity: XML does not know “&foo;”.', '&foo;', '<a>&amp;foo;</a>'],
];

const DECLARATIONS: readonly Case[] = [
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

/** Mistakes that are rare: a sentence says what is wrong, and a person mends it. */
const RARE: readonly (readonly [text: string, problem: string, marked: string])[] = [
  ['<a b=“my app” c="d"/>', 'quoteMissing: The value of “b” must stand in quotes.', '“my'],
  ['<a b c="d"/>', 'malformed: The attribute “b” has no value.', 'b'],
  ['<a b= c="d"/>', 'malformed: The attribute “b” has no value.', 'b'],
  ['<a b=""c="d"/>', 'malformed: “c="d"/” does not belong into a tag.', 'c="d"/'],
  ['<a b="c"" d="e"/>', 'malformed: “"” does not belong into a tag.', '"'],
  ['<a b="c"/ >', 'malformed: “/” does not belong into a tag.', '/'],
  ['<a xml:space="no"/>', 'malformed: “xml:space” must be “default” or “preserve”.', '/'],
  ['<a><b>x</b c></a>', 'malformed: “c” does not belong into a tag.', 'c'],
  ['<a><b*c/></a>', 'malformed: “*c/” does not belong into a tag.', '*c/'],
  ['<a>&#0;</a>', 'malformed: “&#0;” is no character.', '&#0;'],
  ['<a>]]></a>', 'malformed: “]]>” must be written as “]]&gt;” in a text.', ']]>'],
  ['<a>x]]></a>', 'malformed: “]]>” must be written as “]]&gt;” in a text.', ']]>'],
  ['<a>\u0001x</a>', 'malformed: The character U+0001 must not stand in XML.', '\u0001'],
  ['<a/>\ntext', 'malformed: Everything must be inside one root element.', 'text'],
  ['<a></a></a>', 'malformed: Everything must be inside one root element.', '</a'],
  ['text <a/>', 'malformed: Everything must be inside one root element.', 'text'],
  ['', 'malformed: There is no element in this file.', ''],
  ['<a><!-- x\n<b/>\n</a>', 'notClosed: The comment has no “-->” at its end.', '<!--'],
  ['<a><![CDATA[x\n<b/></a>', 'notClosed: The CDATA section has no “]]>” at its end.', '<![CDATA['],
  ['<a><?b x</a>', 'notClosed: This has no “?>” at its end.', 'x'],
  [' <?xml version="1.0"?><a/>', 'malformed: The XML declaration must be the very first of the file.', '<?xml'],
  ['<?xml encoding="utf-8"?><a/>', 'malformed: The XML declaration is not right.', 'encoding="utf-8"?'],
  ['<?xml version="1.0">\n<a/>', 'malformed: The XML declaration is not right.', '>'],
  ['<a><!b></a>', 'malformed: “<!b” is nothing that XML knows.', '<!b'],
];

describe('config.xml: what is not well-formed', () => {
  for (const [title, cases] of Object.entries({ ATTRIBUTES, TAGS, TEXTS, DECLARATIONS })) {
    it(`${title.toLowerCase()}: is told once, where it is, and mended`, () => {
      for (const [text, expected, marked, mended] of cases) {
        const [problem, ...others] = parseXml(text).problems;
        assert.ok(problem !== undefined, text);
        assert.equal(`${problem.code}: ${plainText(problem.message)}`, expected, text);
        assert.equal(problem.severity, 'error', text);
        assert.equal(text.slice(problem.span.start, problem.span.end), marked, text);
        const fix = problem.fixes?.[0];
        if (mended !== undefined) {
          assert.ok(fix !== undefined, text);
          assert.equal(fixed(text, fix), mended);
        }
        assert.deepEqual(others.map(summary), [], text);
        assert.deepEqual(parseXml(mended ?? '<a/>').problems.map(summary), [], text);
      }
    });
  }

  it('rarely: is told where it is', () => {
    for (const [text, expected, marked] of RARE) {
      const [problem, ...others] = parseXml(text).problems;
      assert.ok(problem !== undefined, text);
      assert.equal(summary(problem), expected, text);
      assert.equal(text.slice(problem.span.start, problem.span.end), marked, text);
      assert.deepEqual(others, [], text);
    }
  });

  it('is not “--” in a comment, which Cordova reads', () => {
    for (const text of ['<a><!-- x -- y --></a>', '<a><!-- x ---></a>', '<!---- a\n-- b --><a><![CDATA[<!--]]></a>']) {
      assert.deepEqual(parseXml(text).problems, [], text);
    }
  });

  it('names where the other tag is', () => {
    for (const [text, expected] of [
      ['<a>\n  <b>x</bb>\n</a>', 'b: <b> begins here.'],
      ['<a>\n  <c>\n</a>', 'a: </a> stands here before it.'],
    ] as const) {
      const related = parseXml(text).problems[0]?.related;
      assert.ok(related !== undefined, text);
      assert.equal(`${text.slice(related.span.start, related.span.end)}: ${plainText(related.message)}`, expected);
    }
  });

  it('tells a later mistake when the first is mended', () => {
    let text = '<a>\n  <b c="x>R & D</bb>\n  <d e=1 />\n  <f>\n</a>';
    const told: string[] = [];
    for (let fix; ; text = fixed(text, fix)) {
      const [problem] = parseXml(text).problems;
      fix = problem?.fixes?.[0];
      if (fix === undefined) {
        break;
      }
      told.push(summary(problem).split(':')[0] ?? '');
    }
    assert.deepEqual(told, ['malformed', 'quoteMissing', 'endTagMismatch', 'quoteMissing', 'notClosed']);
    assert.equal(text, '<a>\n  <b c="x">R &amp; D</b>\n  <d e="1" />\n  <f />\n</a>');
  });

  it('is found behind characters of two code units, and with the line ends of Windows', () => {
    for (const before of ['😀😀', '\r\n\r\n', '\r😀\n']) {
      const text = `<a>${before}<b>R & D</b></a>`;
      assert.deepEqual(
        parseXml(text).problems.map(({ span }) => span.start),
        [text.indexOf('&')],
      );
    }
  });

  it('is not looked for in files that are too large, or nested too deep', () => {
    const refused = 'config.xml has too many elements, or too many inside each other, for a service to read it.';
    assert.deepEqual(parseXml(`<a b=c>${' '.repeat(1024 * 1024)}</a>`).problems.map(summary), [
      'tooLarge: This file is larger than 1 MB. Build services refuse it.',
    ]);
    const attributes = `<a ${'b="" '.repeat(20_001)}/>`;
    for (const text of [attributes, `<a>${'<b/>'.repeat(20_000)}</a>`, '<a>'.repeat(501), `${'<a>'.repeat(501)}</b>`]) {
      assert.deepEqual(parseXml(text).problems.map(summary), [`tooLarge: ${refused}`]);
    }
    assert.deepEqual(parseXml(`${'<a>'.repeat(500)}${'</a>'.repeat(500)}`).problems, []);
  });
});

describe('config.xml: any text', () => {
  it('is mended by a fix that is preferred', () => {
    fc.assert(
      fc.property(brokenConfig, (text) => {
        const [only, ...others] = parseXml(text).problems;
        const fix = only?.fixes?.find(({ isPreferred }) => isPreferred);
        if (only !== undefined && others.length === 0 && fix !== undefined) {
          const isSame = (problem: ConfigProblem) =>
            summary(problem) === summary(only) && problem.span.start === only.span.start;
          assert.ok(!parseXml(fixed(text, fix)).problems.some(isSame), summary(only));
        }
      }),
      { numRuns: 1000, examples: [['<!--<!--<?xml version="1.0"?>\n<widget>\n</widget>']] },
    );
  });
});

function summary(problem: ConfigProblem | undefined): string {
  return problem === undefined ? '' : `${problem.code}: ${plainText(problem.message)}`;
}
