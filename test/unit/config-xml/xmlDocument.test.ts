import assert from 'node:assert/strict';

import { parseXml, type Span, type XmlElement } from '../../../src/config-xml/xmlDocument.ts';

describe('config.xml: the syntax tree', () => {
  it('provides names, values, texts, and their positions', () => {
    const text = `\uFEFF<?xml version="1.0"?>\r\n<widget id="a.b" xmlns:cdv='x'>\r\n  <name  short = "A">My\r\n App</name>\r\n  <icon/>\r\n</widget >\r\n`;
    const { root, elements } = parseXml(text);
    assert.ok(root !== undefined);
    const written = (span: Span | undefined): string | undefined => span && text.slice(span.start, span.end);
    const [name, icon] = root.children;
    assert.ok(name !== undefined && icon !== undefined);
    assert.deepEqual(elements, [root, name, icon]);
    assert.equal(name.parent, root);
    assert.equal(written(root.startTag), `<widget id="a.b" xmlns:cdv='x'>`);
    assert.equal(written(root.endTag), '</widget >');
    assert.equal(root.span.end, root.endTag?.end);
    assert.deepEqual(
      root.attributes.map(({ nameSpan, valueSpan, quote }) => [written(nameSpan), written(valueSpan), quote]),
      [
        ['id', 'a.b', '"'],
        ['xmlns:cdv', 'x', "'"],
      ],
    );
    assert.equal(written(name.span), '<name  short = "A">My\r\n App</name>');
    assert.equal(written(name.nameSpan), 'name');
    assert.equal(name.text, 'My\r\n App');
    assert.equal(written(name.textSpan), 'My\r\n App');
    assert.deepEqual([icon.isSelfClosing, icon.endTag, icon.textSpan], [true, undefined, undefined]);
    assert.equal(root.textSpan, undefined);
    assert.equal(root.text, '\r\n  \r\n  \r\n');
  });

  it('resolves references, and keeps unresolvable ones', () => {
    const text = '<a b="&lt;&amp;&#65;&#x1F600;&nbsp;\n&apos;"> &quot;<![CDATA[<&amp;>]]>&foo;&gt;\u00a0</a>';
    const { root } = parseXml(text);
    assert.equal(root?.attributes[0]?.value, "<&A😀&nbsp; '");
    assert.equal(root.text, ' "<&amp;>&foo;>\u00a0');
    assert.deepEqual(root.textSpan, { start: text.indexOf('&quot;'), end: text.indexOf('</a>') - 1 });
  });

  it('puts the following content into an unclosed element, up to the end of its parent', () => {
    const text = '<widget>\n  <platform>\n    <icon/>\n    <splash>\n  </platform>\n  <name>A</name>\n</widget>';
    const { root, elements, mismatch } = parseXml(text);
    const shape = ({ name, children }: XmlElement): string =>
      children.length === 0 ? name : `${name}(${children.map(shape).join(' ')})`;
    assert.equal(root && shape(root), 'widget(platform(icon splash) name)');
    assert.ok(elements.every(({ parent, name }) => parent?.children.some((child) => child.name === name) ?? true));
    assert.equal(mismatch, text.indexOf('<splash'));
    assert.equal(parseXml('<widget><name>A</nmae><icon/></widget>').mismatch, '<widget>'.length);
    assert.equal(parseXml('<widget><icon/></widget>').mismatch, Infinity);
  });

  it('supports ten thousand levels and as many unclosed elements', () => {
    const levels = 10_000;
    const nested = parseXml(`${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`);
    assert.equal(nested.elements.length, levels);
    assert.equal(parseXml('<a b="">'.repeat(levels)).elements.length, levels);
  });
});
