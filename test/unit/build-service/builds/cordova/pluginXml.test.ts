import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readPluginXml } from '../../../../../src/build-service/builds/cordova/pluginXml.ts';

const withoutScripts = (content: string): string | undefined =>
  readPluginXml(`<plugin id="a">${content}</plugin>`)?.withoutScripts;

describe('local service: plugin.xml', () => {
  it('removes all scripts, and keeps everything else', () => {
    assert.equal(
      withoutScripts(
        '<name>A &amp; B</name><hook src="a.js"><hook src="b.js"/></hook>' +
          '<engines><engine name="own" scriptSrc="c.js"/><engine name="cordova" version=">=9"/></engines>' +
          '<platform name="ios"><config-file target="x" xmlns:y="z"><y:b c="&quot;d&#39;">1\n<![CDATA[<hook/>]]></y:b></config-file><hook src="e.js"/></platform>',
      ),
      '<plugin id="a"><name>A &#38; B</name><engines><engine name="cordova" version="&#62;=9"></engine></engines>' +
        '<platform name="ios"><config-file target="x" xmlns:y="z"><y:b c="&#34;d&#39;">1\n&#60;hook/&#62;</y:b></config-file></platform></plugin>',
    );
  });

  it('removes a dependency’s script without adding one from a comment', () => {
    assert.equal(
      withoutScripts('<dependency id="b" url="c"><hook/></dependency><!--123<hook src="d.js"/>-->'),
      '<plugin id="a"><dependency id="b"></dependency></plugin>',
    );
  });

  it('removes every script from arbitrary XML', () => {
    const { content } = fc.letrec<{ content: string; element: string }>((tie) => ({
      content: fc.array(tie('element'), { maxLength: 4 }).map((parts) => parts.join('')),
      element: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(
          '<hook src="a.js"/>',
          '<!--<hook/>-->',
          '<![CDATA[<hook/>]]>',
          '<?hook ?>',
          '&lt;hook/&gt;',
          '<!--',
          '"',
        ),
        fc
          .tuple(
            fc.constantFrom(
              'hook',
              'dependency id="b"',
              'platform name="android"',
              'engine scriptSrc="c.js"',
              'x y="&lt;hook/>"',
            ),
            tie('content'),
          )
          .map(([tag, inner]) => `<${tag}>${inner}</${tag.split(' ')[0] ?? ''}>`),
      ),
    }));
    fc.assert(
      fc.property(content, (text) => {
        const cleaned = withoutScripts(text);
        assert.ok(cleaned === undefined || readPluginXml(cleaned)?.scripts.length === 0, cleaned);
      }),
    );
  });

  it('accepts a byte order mark, and rejects malformed XML or another root', () => {
    assert.equal(readPluginXml('\uFEFF<?xml version="1.0"?>\r\n<plugin id="a"/>')?.id, 'a');
    assert.equal(readPluginXml('<plugin id="a">'), undefined);
    assert.equal(readPluginXml('<widget id="a"/>'), undefined);
  });
});
