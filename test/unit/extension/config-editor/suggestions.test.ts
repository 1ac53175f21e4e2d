import assert from 'node:assert/strict';
import { completionContext } from '../../../../src/extension/config-editor/completionContext.ts';
import { pathContext, type Suggestion, suggestionsFor } from '../../../../src/extension/config-editor/suggestions.ts';

/** Returns the suggestions at `|`. */
function at(marked: string): readonly Suggestion[] {
  const context = contextAt(marked);
  return context === undefined ? [] : suggestionsFor(context, ['cordova-plugin-camera', 'cordova-plugin-device']);
}

function contextAt(marked: string) {
  return completionContext(marked.replace('|', ''), marked.indexOf('|'));
}

const labels = (marked: string) => at(marked).map(({ label }) => label);

/** Returns the text after a suggestion is accepted, with `|` at the cursor. */
function taken(marked: string, label: string): string | undefined {
  const context = contextAt(marked);
  const suggestion = at(marked).find((each) => each.label === label);
  const text = marked.replace('|', '');
  const written = suggestion?.parts.map((part) => part ?? '|').join('');
  return written && context && text.slice(0, context.span.start) + written + text.slice(context.span.end);
}

const TAKEN: readonly (readonly [marked: string, label: string, text: string])[] = [
  // Elements, with their required parts.
  ['<widget><name>x</name>\n  <|', 'preference', '<widget><name>x</name>\n  <preference name="|" value="|" />'],
  [
    '<widget><pref|\n  <icon/>\n</widget>',
    'preference',
    '<widget><preference name="|" value="|" />\n  <icon/>\n</widget>',
  ],
  ['<widget><pref|x name="a" value="b"/>', 'preference', '<widget><preference name="a" value="b"/>'],
  ['<widget><!-- a --><na|', 'name', '<widget><!-- a --><name>|</name>'],
  ['<widget>\n  |\n</widget>', 'platform', '<widget>\n  <platform name="|">\n\t|\n</platform>\n</widget>'],
  ['<widget> |', 'access', '<widget> <access origin="|" />'],
  ['<widget><preference name="a" value="b"><|', 'icon', '<widget><preference name="a" value="b"><icon | />'],
  // End tags.
  ['<widget><platform name="ios"></|\n</widget>', '/platform', '<widget><platform name="ios"></platform>\n</widget>'],
  ['<widget><name>x</na|>', '/name', '<widget><name>x</name>'],
  // Attributes.
  ['<widget><preference na|', 'name', '<widget><preference name="|"'],
  ['<widget><preference name="Scheme" |/>', 'value', '<widget><preference name="Scheme" value="|"/>'],
  ['<widget><preference na|m="Scheme"/>', 'name', '<widget><preference name="Scheme"/>'],
  // Values.
  ['<widget><preference name="Ori|', 'Orientation', '<widget><preference name="Orientation'],
  ['<widget><preference name=|/>', 'Orientation', '<widget><preference name="Orientation"/>'],
  [
    '<widget><preference value="la|nd" name=\'Orientation\'/>',
    'landscape',
    '<widget><preference value="landscape" name=\'Orientation\'/>',
  ],
  ['<widget><preference name="Fullscreen" value=|', 'true', '<widget><preference name="Fullscreen" value="true"'],
  // Plugins.
  ['<widget><plugin name="|" />', 'cordova-plugin-camera', '<widget><plugin name="cordova-plugin-camera" />'],
  ['<widget><gap:plugin name=|', 'cordova-plugin-device', '<widget><gap:plugin name="cordova-plugin-device"'],
];

const NOTHING = [
  ...['<widget><preference name="a"|/>', '<widget><name>My app| is</name></widget>', '<widget></widget>\n|'],
  ...['|<widget></widget>', '<widget><!-- <pre|', '<?xml ver|', '<widget><name><![CDATA[ <a|', '<widget><!-- > <a |'],
];

describe('the suggestion list in a config.xml', () => {
  for (const [marked, label, text] of TAKEN) {
    it(`offers ${label} at ${JSON.stringify(marked)}`, () => assert.equal(taken(marked, label), text));
  }

  it('offers nothing in comments, in text, and outside the root', () => {
    assert.deepEqual(
      NOTHING.filter((marked) => at(marked).length > 0),
      [],
    );
  });

  it('omits an existing unique element, and one whose prefix isn’t declared', () => {
    assert.ok(!labels('<widget><name>a</name><|').includes('name'));
    assert.ok(labels('<widget><icon src="a"/><|').includes('icon'));
    assert.ok(!labels('<widget><|').some((label) => label.startsWith('gap:')));
    assert.ok(labels('<widget xmlns:gap="http://phonegap.com/ns/1.0"><|').includes('gap:plugin'));
  });

  it('lists elements that build services ignore last', () => {
    const all = labels('<widget><|');
    assert.ok(all.indexOf('hook') > all.indexOf('splash') && all.at(-1) === '/widget');
  });

  it('offers a platform’s preferences that aren’t set there', () => {
    const ofAndroid = labels(
      '<widget><platform name="android"><preference name="Fullscreen" value="true"/><preference name="|',
    );
    assert.ok(ofAndroid.includes('android-minSdkVersion') && ofAndroid.includes('Orientation'));
    assert.ok(!ofAndroid.includes('Fullscreen') && !ofAndroid.includes('SwiftVersion'));
    const old = at('<widget><preference name="|').find(({ label }) => label === 'BackupWebStorage');
    assert.equal(old?.isDeprecated, true);
    assert.deepEqual(labels('<widget><preference name="Fullscreen" value="|'), ['true', 'false']);
    assert.deepEqual(labels('<widget><preference name="NobodyKnows" value="|'), []);
  });

  it('offers the allowed values, which can depend on the platform', () => {
    assert.deepEqual(labels('<widget><icon density="|').slice(0, 3), ['ldpi', 'mdpi', 'hdpi']);
    assert.deepEqual(labels('<widget><platform name="android"><preference name="Scheme" value="|'), ['https', 'http']);
    assert.deepEqual(labels('<widget><platform name="ios"><preference name="Scheme" value="|'), []);
  });

  it('omits plugins that config.xml already contains', () => {
    const marked = '<widget><plugin name="cordova-plugin-camera" /><plugin name="|" />';
    assert.deepEqual(labels(marked), ['cordova-plugin-device']);
    assert.ok(at('<widget><plug|').find(({ label }) => label === 'plugin')?.suggestsNext);
  });

  it('offers files for a value that is a path', () => {
    const of = (marked: string) => {
      const context = contextAt(marked);
      return context && pathContext(context);
    };
    assert.equal(of('<widget><content src="|'), 'page');
    assert.equal(of('<widget><icon src="|'), 'file');
    assert.equal(of('<widget><icon density="|'), undefined);
  });
});
