import assert from 'node:assert/strict';

import { assertReasons, links, read } from './read.ts';

/** Header → links, and reasons for what was skipped. */
const HEADERS: readonly (readonly [
  what: string,
  header: string,
  links: readonly string[],
  skipped?: readonly RegExp[],
])[] = [
  ['one link', '</x>; rel=next', ['next → /x']],
  ['several links', '</x>; rel="next", </y>; rel="last"', ['next → /x', 'last → /y']],
  ['several relations', '</x>; rel="next  last next"', ['next → /x', 'last → /x']],
  [
    'a relation that is a URL',
    '</doc>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
    ['http://www.w3.org/ns/hydra/core#apiDocumentation → /doc'],
  ],
  ['commas and semicolons in the URL', '</x,y;z>; rel=next', ['next → /x,y;z']],
  [
    'commas, semicolons and escapes in quotes',
    '</x>; title="a, b; \\"c\\" <d>"; rel=next, </y>; rel=last',
    ['next → /x', 'last → /y'],
  ],
  ['no relation', '</x>; title=a, </y>; rel=last', ['last → /y'], [/no relation/]],
  ['an empty relation', '</x>; rel=""', [], [/no relation/]],
  ['a parameter without a value before a comma', '</x>; rel=next; nopush, </y>; rel=last', ['next → /x', 'last → /y']],
  ['the first relation counts', '</x>; rel=next; rel=last', ['next → /x']],
  ['no spaces', '</x>;rel=next,</y>;rel=last', ['next → /x', 'last → /y']],
  ['spaces and tabs everywhere', ' </x> \t; rel = "next" ,, </y>;REL=last, ', ['next → /x', 'last → /y']],
  ['words without quotes', '</x>; rel=next last ;title=The end, </y>; rel=up', ['next → /x', 'last → /x', 'up → /y']],
  [
    'a quote inside a value',
    '</x>; title=3.5" disk; rel=next, </y>; title=a"b, </z>; rel=up',
    ['next → /x', 'up → /z'],
    [/no relation/],
  ],
  ['a value that is only spaces', '</x>; title= ; rel=next', ['next → /x']],
  ['an empty reference, which is the document', '<>; rel=self2', []],
  ['another origin', '<//evil.example/x>; rel=next', ['next → external https://evil.example/x']],
  ['javascript:', '<javascript:alert(1)>; rel=next', [], [/javascript:/]],
  ['an anchor elsewhere', '</x>; rel=next; anchor="/other"', [], [/another resource/]],
  ['an anchor that is this resource', '</x>; rel=next; anchor=""', ['next → /x']],
  ['an open angle bracket', '</x; rel=next', [], [/could not be read/]],
  ['an open quote', '</x>; rel="next', ['next → /x']],
  ['rubbish in front', 'rubbish, </y>; rel=last', ['last → /y'], [/could not be read/]],
  [
    'rubbish behind a link',
    '</x> rubbish; rel=next, </y>; rel=last',
    ['last → /y'],
    [/could not be read/, /no relation/],
  ],
  ['a comma that is missing', '</a>; rel=next </b>; rel=prev', ['next → /a'], [/could not be read/]],
  ['an angle bracket in a relation', '</a>; rel="a <b next"', ['a → /a', 'next → /a'], [/could not be read/]],
  ['braces, which no URI contains', '</find{?q}>; rel=search', ['search → template /find{?q} (q)']],
  ['nothing', '', []],
  ['only commas', ',,,', []],
];

describe('hypermedia: the Link header', () => {
  for (const [what, header, expected, skipped = []] of HEADERS) {
    it(what, () => {
      const resource = read({}, { headers: { link: header } });
      assert.deepEqual(links(resource), expected);
      assertReasons(resource, skipped);
    });
  }

  it('decodes title*, prefers it to title, and falls back when it is malformed (RFC 8187)', () => {
    const title = (header: string): string | undefined => read({}, { headers: { link: header } }).links[0]?.title;
    assert.equal(title("</x>; rel=a; title=plain; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"), 'nächstes Kapitel');
    assert.equal(title("</x>; rel=a; title=plain; title*=UTF-8''%ff"), 'plain');
    assert.equal(title('</x>; rel=a; title=plain; title*=x'), 'plain');
    assert.equal(title("</x>; rel=a; title*=iso-8859-1'en'%A3"), undefined);
    assert.equal(title('</x>; rel=a; title="a\u202E\\"b"'), 'a"b');
    assert.equal(title('</x>; title= The end \t; rel=a'), 'The end');
    assert.equal(title('</x>; rel=a; title=3.5" disk'), '3.5" disk');
  });

  it('names the resource itself, and wins over the body', () => {
    const resource = read(
      { link: '/api/v1/me', next: '/x' },
      { headers: { link: '</api/v1/me>; rel="self canonical", </x>; rel="next up"; type="text/html"' } },
    );
    assert.equal(resource.self?.convention, 'link-header');
    assert.deepEqual(
      resource.links.map(({ rel, convention, type }) => [rel, convention, type]),
      [
        ['next', 'link-header', 'text/html'],
        ['up', 'link-header', 'text/html'],
      ],
    );
  });
});
