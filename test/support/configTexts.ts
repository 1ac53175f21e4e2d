/** Generates config.xml documents, both valid ones and ones with typical typing errors. */
import fc from 'fast-check';

const name = fc.constantFrom('name', 'author', 'preference', 'icon', 'platform', 'gap:plugin', 'a', 'é');
const attributeName = fc.constantFrom('name', 'value', 'src', 'id', 'android:name', 'xml:space', 'b-c', 'xmlns:gap');
const plain = fc.stringMatching(/^[a-z0-9 .:/=?'_\n-]{0,12}$/);
const reference = fc.constantFrom('&amp;', '&#169;', '&#xE9;', '&lt;');
const text = fc.array(fc.oneof(plain, reference, fc.constantFrom('>', 'ü', '😀')), { maxLength: 3 }).map(joined);
const value = fc
  .array(fc.oneof({ weight: 4, arbitrary: plain }, reference), { maxLength: 2 })
  .map((parts) => joined(parts).replaceAll("'", ''));
const attributes = fc
  .uniqueArray(fc.tuple(attributeName, value), { maxLength: 3, selector: ([key]) => key })
  .map((pairs) =>
    joined(
      pairs.map(([key, text], index) => {
        const quote = index === 1 ? "'" : '"';
        return ` ${key}=${quote}${key === 'xml:space' ? 'preserve' : text}${quote}`;
      }),
    ),
  );

const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(name, attributes, fc.option(tie('content'), { nil: undefined, freq: 2 }))
    .map(([tag, written, content]) =>
      content === undefined ? `<${tag}${written} />` : `<${tag}${written}>${content}</${tag}>`,
    ),
  content: fc
    .array(
      fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        text,
        fc.constantFrom('\n  ', '\r\n', ' '),
        fc.constantFrom('<!-- note -->', '<![CDATA[a < b & c]]>', '<?php a > b ?>'),
        tie('element'),
      ),
      { maxLength: 4 },
    )
    .map(joined),
}));

/** A well-formed document. Its root is `widget`. */
export const wellFormedConfig = fc
  .tuple(
    fc.constantFrom('', '<?xml version="1.0" encoding="utf-8"?>\n', "<?xml version='1.0'?>", '\uFEFF', '<!-- a -->\n'),
    attributes,
    fc.array(element, { maxLength: 4 }),
    fc.constantFrom('', '\n', '\n<!-- end -->'),
  )
  .map(
    ([prolog, written, children, epilog]) =>
      `${prolog}<widget${written}>${children.map((each) => `\n  ${each}`).join('')}\n</widget>${epilog}`,
  );

/** A typing error: inserted text, or a replacement. */
const slip = fc.constantFrom(
  ...`< > " ' & / = ; - -- ! ? ] ]]> <!-- --> <![CDATA[ <? </ /> </name> <name> </> &amp &copy; &#0; “ ” x é`.split(
    ' ',
  ),
  ...['<a b="', '<!DOCTYPE widget>', '<?xml version="1.0"?>', '<widget>', '</widget>', ' name="x"', ' name=x', ' name'],
  ...[' ', '\n', '\f', '\u0000', '\uFFFF', '\u00a0', '\uFEFF'],
);

interface Slip {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

const slips: fc.Arbitrary<readonly Slip[]> = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 6 })),
    inserted: fc.oneof(fc.constant(''), slip),
  }),
  { minLength: 1, maxLength: 3 },
);

/** A well-formed document with typing errors. Some of them are harmless. */
export const brokenConfig = fc.tuple(wellFormedConfig, slips).map(([text, made]) =>
  made.reduce((broken, { at, removed, inserted }) => {
    const index = Math.floor(at * broken.length);
    return broken.slice(0, index) + inserted + broken.slice(index + removed);
  }, text),
);

/** Pieces of XML in any order. */
export const anyMarkup = fc
  .array(fc.oneof(slip, plain, fc.string({ maxLength: 5, unit: 'binary' })), { maxLength: 30 })
  .map(joined);

function joined(parts: readonly string[]): string {
  return parts.join('');
}
