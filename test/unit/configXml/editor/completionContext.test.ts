import assert from 'node:assert/strict';
import { type CompletionContext, completionContext } from '../../../../src/configXml/editor/completionContext.ts';

/** What is being written at `|`, and the open elements, the innermost first. */
const CASES: readonly (readonly [marked: string, context: string | undefined])[] = [
  ['<widget id="a.b"><name>x</name>\n  <pref|', 'element “pref” begun in widget'],
  ['<widget><pref|\n  <icon src="a.png"/>\n</widget>', 'element “pref” begun in widget'],
  ['<widget><pref| <name>a</name></widget>', 'element “pref” begun in widget'],
  ['<widget><!-- a --><pre|', 'element “pre” begun in widget'],
  ['<widget><|', 'element “” begun in widget'],
  ['<widget><pref|x name="a" value="b"/></widget>', 'element “prefx” begun with its rest in widget'],
  ['<widget>\n  |\n</widget>', 'element “” in widget'],
  [
    '<widget><platform name="ios"><icon src="a"/><preference name="A" value="b"/><|',
    'element “” begun in platform widget',
  ],
  ['<widget><platform name="ios"><icon src="a"/></|\n</widget>', 'endTag “” of platform'],
  ['<widget><name>x</na|>', 'endTag “na” with its rest of name'],
  ['<widget><preference na|', 'attribute “na” of preference beside () in widget'],
  ['<widget><preference name="Orientation" |/></widget>', 'attribute “” of preference beside (name) in widget'],
  [
    '<widget><preference na|m="Orientation"/></widget>',
    'attribute “nam” with a value of preference beside () in widget',
  ],
  ['<widget><preference name="Ori|', 'value “Ori” typed “Ori” of name beside () in widget'],
  [
    '<widget><preference value="la|nd" name=\'Orientation\'/>',
    'value “land” typed “la” of value beside (name=Orientation) in widget',
  ],
  ['<widget><preference name=|/>', 'value “” typed “” without quotes of name beside () in widget'],
  ['<widget><preference name="a"|/>', undefined],
  ['<widget><name>My app| is</name></widget>', undefined],
  ['<widget></widget>\n|', undefined],
  ['|<widget></widget>', undefined],
  ['<widget><!-- <pre|', undefined],
  ['<?xml ver|', undefined],
  ['<widget><name><![CDATA[ <a|', undefined],
  ['<widget><!-- > <a |', undefined],
];

function words(context: CompletionContext, text: string): string {
  const written = `${context.kind} “${text.slice(context.span.start, context.span.end)}”`;
  if (context.kind === 'endTag') {
    return `${written}${context.hasRest ? ' with its rest' : ''} of ${context.name}`;
  }
  const inside = ` in ${context.ancestors.map(({ name }) => name).join(' ')}`;
  if (context.kind === 'element') {
    return `${written}${context.isBegun ? ' begun' : ''}${context.hasRest ? ' with its rest' : ''}${inside}`;
  }
  const { tag, attribute } = context;
  const others = tag.attributes.filter((each) => each !== attribute);
  if (context.kind === 'attribute') {
    const names = others.map(({ name }) => name).join(' ');
    return `${written}${attribute?.hasEquals === true ? ' with a value' : ''} of ${tag.name} beside (${names})${inside}`;
  }
  const values = others.map(({ name, value }) => `${name}=${value}`).join(' ');
  const quotes = context.attribute.quote === undefined ? ' without quotes' : '';
  return `${written} typed “${context.typed}”${quotes} of ${context.attribute.name} beside (${values})${inside}`;
}

describe('what is being written in a config.xml', () => {
  for (const [marked, expected] of CASES) {
    it(`${JSON.stringify(marked)}: ${expected ?? 'nothing'}`, () => {
      const text = marked.replace('|', '');
      const context = completionContext(text, marked.indexOf('|'));
      assert.equal(context && words(context, text), expected);
    });
  }
});
