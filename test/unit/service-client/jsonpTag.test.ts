import assert from 'node:assert/strict';

import { decodeHTML } from 'entities/decode';
import fc from 'fast-check';

import { jsonpTag } from '../../../src/service-client/requestSnippets.ts';

describe('jsonpTag', () => {
  it('contains placeholders for the token and the function', () => {
    assert.equal(
      jsonpTag('https://build.example.com/api/v1/me?x=1&callback=mine#part', 'access_token'),
      '<script src="https://build.example.com/api/v1/me?x=1&amp;callback=yourFunction&amp;access_token=YOUR_TOKEN"></script>',
    );
    assert.match(
      jsonpTag('https://build.example.com/', 'auth_token'),
      /^<script src="https:\/\/build\.example\.com\/\?auth_token=YOUR_TOKEN&amp;/,
    );
  });

  it('contains no user name, password, or token from the link', () => {
    assert.equal(
      jsonpTag('https://user:secret@build.example.com/me?access_token=a&auth_token=b', 'auth_token'),
      '<script src="https://build.example.com/me?auth_token=YOUR_TOKEN&amp;callback=yourFunction"></script>',
    );
  });

  it('consists of one tag with one attribute, whatever the link contains', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.string({ unit: 'binary' }), (path, query) => {
        const url = new URL(`https://build.example.com${path}`);
        url.search = `?q=${query}`;
        const [, source] = /^<script src="([^"<>]*)"><\/script>$/.exec(jsonpTag(url.href, 'access_token')) ?? [];
        assert.ok(source !== undefined);
        const { origin, pathname, searchParams } = new URL(decodeHTML(source));
        assert.deepEqual(
          [origin, pathname, searchParams.getAll('access_token'), searchParams.getAll('callback')],
          [url.origin, url.pathname, ['YOUR_TOKEN'], ['yourFunction']],
        );
      }),
    );
  });
});
