import assert from 'node:assert/strict';

import { read } from './read.ts';

/** Which links are in a header: `test/fixtures/hypermedia/link-header.json`. */
describe('hypermedia: the Link header', () => {
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
