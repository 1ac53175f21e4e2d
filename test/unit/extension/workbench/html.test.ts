import assert from 'node:assert/strict';

import fc from 'fast-check';

import { html } from '../../../../src/extension/workbench/html.ts';

describe('markup', () => {
  it('escapes every text, in content and in attributes', () => {
    const text = `<script>alert("1")</script>&'\u202e\u200b`;
    assert.equal(
      html`<p title="${text}">${text}</p>`.markup,
      '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&apos;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&apos;</p>',
    );
  });

  it('inserts other markup unchanged, including a list of markup', () => {
    const items = ['a', '<'].map((text) => html`<b>${text}</b>`);
    assert.equal(html`<p>${items}</p>`.markup, '<p><b>a</b><b>&lt;</b></p>');
  });

  it('never creates an element or an attribute from text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '=', 'a', '/', ' ', '\u2028', ';', '#') }),
        (text) => {
          assert.match(html`<p title="${text}">${text}</p>`.markup, /^<p title="[^<>"]*">[^<>"']*<\/p>$/);
        },
      ),
    );
  });
});
