import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { XmlElement } from '../../../../src/configXml/xmlDocument.ts';
import { completionContext, type CompletionContext } from '../../../../src/configXml/editor/completionContext.ts';

/** The context at `|`, with what it is about as text. */
function at(marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const context = completionContext(text, offset);
  return context && { ...context, written: text.slice(context.span.start, context.span.end) };
}

const valueOf = ({ attributes }: Pick<XmlElement, 'attributes'>, wanted: string) =>
  attributes.find(({ name }) => name === wanted)?.value;

const parents = (context: CompletionContext | undefined) =>
  context !== undefined && 'ancestors' in context ? context.ancestors.map(({ name }) => name) : undefined;

describe('what is being written in a config.xml', () => {
  it('is an element behind `<`, whatever follows', () => {
    for (const rest of ['', '\n  <icon src="a.png"/>\n</widget>', ' <name>a</name></widget>']) {
      const context = at(`<widget id="a.b"><name>x</name>\n  <pref|${rest}`);
      assert.equal(context?.kind, 'element');
      assert.deepEqual([context.written, context.isBegun, context.hasRest], ['pref', true, false]);
      assert.deepEqual(parents(context), ['widget']);
    }
    assert.equal(at('<widget><|')?.kind, 'element');
  });

  it('is the name alone where the rest of the tag is there', () => {
    const context = at('<widget><pref|x name="a" value="b"/></widget>');
    assert.ok(context?.kind === 'element' && context.hasRest);
    assert.equal(context.written, 'prefx');
  });

  it('is an element between others, and not in text', () => {
    const context = at('<widget>\n  |\n</widget>');
    assert.ok(context?.kind === 'element' && !context.isBegun);
    assert.equal(at('<widget><name>My app| is</name></widget>'), undefined);
    assert.equal(at('<widget></widget>\n|'), undefined);
    assert.equal(at('|<widget></widget>'), undefined);
  });

  it('knows the open elements, with their attributes and what is in them', () => {
    const context = at('<widget><platform name="ios"><icon src="a"/><preference name="A" value="b"/><|');
    assert.deepEqual(parents(context), ['platform', 'widget']);
    const [platform] = context !== undefined && 'ancestors' in context ? context.ancestors : [];
    assert.equal(platform && valueOf(platform, 'name'), 'ios');
    assert.deepEqual(
      platform?.children.map((child) => [child.name, valueOf(child, 'name')]),
      [
        ['icon', undefined],
        ['preference', 'A'],
      ],
    );
  });

  it('is the end tag of the innermost element', () => {
    const context = at('<widget><platform name="ios"><icon src="a"/></|\n</widget>');
    assert.deepEqual(context && [context.kind, 'name' in context && context.name, context.written], [
      'endTag',
      'platform',
      '',
    ]);
    const half = at('<widget><name>x</na|>');
    assert.ok(half?.kind === 'endTag' && half.name === 'name' && half.hasRest && half.written === 'na');
  });

  it('is an attribute behind a space', () => {
    const begun = at('<widget><preference na|');
    assert.ok(begun?.kind === 'attribute' && begun.element === 'preference' && !begun.hasValue);
    assert.equal(begun.written, 'na');
    const second = at('<widget><preference name="Orientation" |/></widget>');
    assert.ok(second?.kind === 'attribute');
    assert.deepEqual([second.written, second.names], ['', ['name']]);
    const changed = at('<widget><preference na|m="Orientation"/></widget>');
    assert.ok(changed?.kind === 'attribute' && changed.hasValue && changed.written === 'nam');
    assert.equal(at('<widget><preference name="a"|/>'), undefined);
  });

  it('is a value between quotes, and before there are any', () => {
    const begun = at('<widget><preference name="Ori|');
    assert.ok(begun?.kind === 'value' && begun.attribute === 'name' && begun.hasQuote);
    assert.deepEqual([begun.written, begun.typed], ['Ori', 'Ori']);
    const value = at('<widget><preference value="la|nd" name=\'Orientation\'/>');
    assert.ok(value?.kind === 'value');
    assert.deepEqual(
      [value.written, value.typed, valueOf({ attributes: value.others }, 'name')],
      ['land', 'la', 'Orientation'],
    );
    const bare = at('<widget><preference name=|/>');
    assert.ok(bare?.kind === 'value' && !bare.hasQuote && bare.written === '');
  });

  it('is nothing in comments, declarations and character data', () => {
    for (const text of ['<widget><!-- <pre|', '<?xml ver|', '<widget><name><![CDATA[ <a|', '<widget><!-- > <a |']) {
      assert.equal(at(text), undefined, text);
    }
    assert.equal(at('<widget><!-- a --><pre|')?.kind, 'element');
  });

  it('is found in any text, at any place, inside the text', () => {
    const parts = fc.constantFrom('<', '</', '>', '/>', '"', '=', ' ', '\n', 'name', '<widget>', '<!--', '-->', 'é');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), fc.nat(), (all, place) => {
        const text = all.join('');
        const offset = place % (text.length + 1);
        const context = completionContext(text, offset);
        if (context !== undefined) {
          assert.ok(context.span.start <= offset && offset <= context.span.end && context.span.end <= text.length);
        }
      }),
    );
  });
});
