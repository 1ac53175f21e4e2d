import assert from 'node:assert/strict';

import { plainText, sentence } from '../../../src/api/errors/sentence.ts';
import { prefixProblems } from '../../../src/configXml/checks/prefixes.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { fixed } from '../../support/configXml.ts';

const XMLNS = 'xmlns:android="http://schemas.android.com/apk/res/android"';
const ANDROID = '<platform name="android"><config-file><a android:b="c" /></config-file></platform>';
const IOS = '<platform name="ios"><config-file><a android:b="c" /></config-file></platform>';

describe('config.xml: a prefix', () => {
  it('that is not declared ends a build for Android, where that takes it', () => {
    for (const [children, severity, marked = 'android:b'] of [
      ['<a tools:replace="b" />', 'error', 'tools:replace'],
      ['<gap:plugin name="x" />', 'error', 'gap:plugin'],
      [ANDROID, 'error'],
      [`${IOS}${ANDROID}`, 'error'],
      // Which platforms there are stands in package.json.
      ['<engine name="ios" /><a android:b="c" />', 'error'],
      ['<platform name="ios" /><a android:b="c" />', 'error'],
      // A sibling declares it.
      [`<b ${XMLNS} /><a android:b="c" />`, 'error'],
      [`<a android:b="c" /><b ${XMLNS} />`, 'error'],
      // Cordova copies what is in <platform>, and not its attributes.
      [ANDROID.replace('<platform', `<platform ${XMLNS}`), 'error'],
      // Cordova does not copy these into the package.
      [IOS, 'warning'],
      [`<platform name="android" />${IOS}`, 'warning'],
      ['<plugin name="x"><a android:b="c" /></plugin>', 'warning'],
    ] as const) {
      const document = parseXml(`<widget>${children}</widget>`);
      const [problem, ...others] = prefixProblems(document);
      assert.deepEqual([problem?.code, problem?.severity, others], ['undeclaredPrefix', severity, []], children);
      assert.equal(problem?.span.start, document.text.lastIndexOf(marked), children);
      assert.equal(plainText(problem.next ?? sentence('')).includes('unbound prefix'), severity === 'error', children);
    }
  });

  it('is declared by the root, or by what is copied with it', () => {
    for (const text of [
      `<widget ${XMLNS}>${ANDROID}${IOS}</widget>`,
      `<widget>${ANDROID.replace('<config-file', `<config-file ${XMLNS}`)}</widget>`,
      `<widget>${ANDROID.replace('<a', `<a ${XMLNS}`)}</widget>`,
      `<widget><a ${XMLNS} android:b="c" /></widget>`,
      `<widget>${IOS.replace('<platform', `<platform ${XMLNS}`)}</widget>`,
      '<widget><name xml:lang="de">A</name></widget>',
    ]) {
      assert.deepEqual(prefixProblems(parseXml(text)), [], text);
    }
  });

  it('is declared by a fix', () => {
    for (const [text, message, mended] of [
      [
        '<a><gap:plugin/><gap:plugin/></a>',
        'The prefix “gap:” is not declared.',
        '<a xmlns:gap="http://phonegap.com/ns/1.0"><gap:plugin/><gap:plugin/></a>',
      ],
      [
        '<a xmlns:android="x" andriod:b=""/>',
        'The prefix “andriod:” is not declared.',
        '<a xmlns:android="x" android:b=""/>',
      ],
      [
        `<a><platform name="android" ${XMLNS}><b android:c=""/></platform></a>`,
        'The prefix “android:” is declared in <platform>, which Cordova does not copy.',
        `<a ${XMLNS}><platform name="android" ${XMLNS}><b android:c=""/></platform></a>`,
      ],
      ['<a xmln:b="c"/>', 'The prefix “xmln:” is not declared.', '<a xmlns:b="c"/>'],
      ['<a xmls:b="c"/>', 'The prefix “xmls:” is not declared.', '<a xmlns:b="c"/>'],
    ] as const) {
      const [problem, ...others] = prefixProblems(parseXml(text));
      assert.deepEqual([problem && plainText(problem.message), others], [message, []], text);
      const fix = problem?.fixes?.[0];
      assert.equal(fix && fixed(text, fix), mended);
      assert.deepEqual(prefixProblems(parseXml(mended)), []);
    }
  });
});
