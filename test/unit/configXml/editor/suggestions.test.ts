import assert from 'node:assert/strict';
import { completionContext } from '../../../../src/configXml/editor/completionContext.ts';
import { pathContext, type Suggestion, suggestionsFor } from '../../../../src/configXml/editor/suggestions.ts';

/** What is offered at `|`. */
function at(marked: string): readonly Suggestion[] {
  const context = contextAt(marked);
  return context === undefined ? [] : suggestionsFor(context);
}

function contextAt(marked: string) {
  return completionContext(marked.replace('|', ''), marked.indexOf('|'));
}

const labels = (marked: string) => at(marked).map(({ label }) => label);

/** What is written when a suggestion is taken, with `|` where the cursor goes. */
const written = (marked: string, label: string) =>
  at(marked)
    .find((each) => each.label === label)
    ?.parts.map((part) => part ?? '|')
    .join('');

describe('what may be written in a config.xml', () => {
  it('is an element with what it cannot do without', () => {
    assert.equal(written('<widget><|', 'preference'), 'preference name="|" value="|" />');
    assert.equal(written('<widget><|', 'platform'), 'platform name="|">\n\t|\n</platform>');
    assert.equal(written('<widget><|', 'name'), 'name>|</name>');
    assert.equal(written('<widget><icon |', 'src'), 'src="|"');
    assert.equal(written('<widget> |', 'access'), '<access origin="|" />');
    assert.equal(written('<widget><acc| origin="*"/>', 'access'), 'access');
  });

  it('is not what stands there once, and not what a prefix is missing for', () => {
    assert.ok(!labels('<widget><name>a</name><|').includes('name'));
    assert.ok(labels('<widget><icon src="a"/><|').includes('icon'));
    assert.ok(!labels('<widget><|').some((label) => label.startsWith('gap:')));
    assert.ok(labels('<widget xmlns:gap="http://phonegap.com/ns/1.0"><|').includes('gap:plugin'));
  });

  it('has what build services leave out behind the rest', () => {
    const all = labels('<widget><|');
    assert.ok(all.indexOf('hook') > all.indexOf('splash') && all.at(-1) === '/widget');
  });

  it('goes on in the element around one that was not closed', () => {
    assert.ok(labels('<widget><preference name="a" value="b"><|').includes('icon'));
  });

  it('is a preference of the platform that is not set there yet', () => {
    const ofAndroid = labels(
      '<widget><platform name="android"><preference name="Fullscreen" value="true"/><preference name="|',
    );
    assert.ok(ofAndroid.includes('android-minSdkVersion') && ofAndroid.includes('Orientation'));
    assert.ok(!ofAndroid.includes('Fullscreen') && !ofAndroid.includes('SwiftVersion'));
    const old = at('<widget><preference name="|').find(({ label }) => label === 'BackupWebStorage');
    assert.equal(old?.isDeprecated, true);
    assert.deepEqual(labels('<widget><preference name="Fullscreen" value="|'), ['true', 'false']);
    assert.equal(written('<widget><preference name="Fullscreen" value=|', 'true'), '"true"');
    assert.deepEqual(labels('<widget><preference name="NobodyKnows" value="|'), []);
  });

  it('is a value of a closed set, which may be another one in the element of a platform', () => {
    assert.deepEqual(labels('<widget><icon density="|').slice(0, 3), ['ldpi', 'mdpi', 'hdpi']);
    assert.deepEqual(labels('<widget><platform name="android"><preference name="Scheme" value="|'), ['https', 'http']);
    assert.deepEqual(labels('<widget><platform name="ios"><preference name="Scheme" value="|'), []);
  });

  it('is a file where a value names one', () => {
    const of = (marked: string) => {
      const context = contextAt(marked);
      return context && pathContext(context);
    };
    assert.equal(of('<widget><content src="|'), 'page');
    assert.equal(of('<widget><icon src="|'), 'file');
    assert.equal(of('<widget><icon density="|'), undefined);
  });
});
