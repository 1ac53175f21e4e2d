import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readStartTag } from '../../../src/configXml/markup.ts';

const read = (text: string) => {
  const { name, attributes, isComplete } = readStartTag(text, 0);
  return { name, isComplete, values: Object.fromEntries(attributes.map((each) => [each.name, each.value])) };
};

describe('a start tag that is half written', () => {
  it('is read as far as it is there', () => {
    assert.deepEqual(read('<icon src="a b.png" width=\'57\'/>'), {
      name: 'icon',
      isComplete: true,
      values: { src: 'a b.png', width: '57' },
    });
    assert.deepEqual(read('<'), { name: '', isComplete: false, values: {} });
    assert.deepEqual(read('<pref\n<icon src="a"/>'), { name: 'pref', isComplete: false, values: {} });
    assert.deepEqual(read('<content src>'), { name: 'content', isComplete: true, values: { src: '' } });
  });

  it('has values without quotes, and none behind an equals sign and a space', () => {
    assert.deepEqual(read('<icon width=57/>').values, { width: '57' });
    assert.deepEqual(read('<preference name= value="x"/>').values, { name: '', value: 'x' });
  });

  it('ends a value whose closing quote is missing before what cannot belong to it', () => {
    assert.deepEqual(read('<preference name="Ori />\n<icon src="a"/>').values, { name: 'Ori' });
    assert.deepEqual(read('<preference name="Ori value="x" />').values, { name: 'Ori', value: 'x' });
    assert.deepEqual(read('<content src="www/in').values, { src: 'www/in' });
  });

  it('has its parts in order and inside the text, whatever that is', () => {
    const parts = fc.constantFrom('<', '>', '/', '"', "'", '=', ' ', '\n', 'name', 'a.b', 'é', '<!--');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (rest) => {
        const text = `<${rest.join('')}`;
        const { attributes, span, nameSpan } = readStartTag(text, 0);
        let last = nameSpan.end;
        for (const each of attributes) {
          assert.ok(each.span.start >= last && each.span.end > each.span.start);
          assert.ok(each.nameSpan.start === each.span.start && each.nameSpan.end <= each.span.end);
          assert.ok(each.valueSpan === undefined || each.valueSpan.end <= each.span.end);
          last = each.span.end;
        }
        assert.ok(last <= span.end && span.end <= text.length);
      }),
    );
  });
});
