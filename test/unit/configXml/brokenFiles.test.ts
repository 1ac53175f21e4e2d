import assert from 'node:assert/strict';

import { configFixture, configFixtures, lineOf, problemsOf } from '../../support/configXml.ts';

/** Files of the kinds that people asked about in public, and everything that is said of them. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'quoteMissing.xml': ['4 error quoteMissing: The value of “source” has no closing quote.'],
  'endTagMisspelt.xml': ['6 error endTagMismatch: <author> is closed by </auther>.'],
  'accessAllow.xml': ['4 warning unknownAttribute: <access> has no attribute “allow”.'],
  'undeclaredPrefix.xml': [
    '5 information leftOutElement: Build services leave <config-file> out.',
    '6 warning undeclaredPrefix: The prefix “android:” is not declared.',
  ],
  'neverClosed.xml': ['4 error notClosed: <platform> is never closed.'],
  'ampersand.xml': ['3 error malformed: “&” must be written as “&amp;”.'],
  'nothingSaid.xml': [
    '2 error idMissing: The id of the app is missing.',
    '2 error versionMissing: The version of the app is missing.',
    '2 error nameMissing: The name of the app is missing.',
  ],
  'everyValue.xml': [
    '2 error idMalformed: “2fast” in the id of the app must begin with a letter.',
    '2 error versionMalformed: “1.0-beta” is no version of an app.',
    '2 error badValue: The android-versionCode must be a whole number, not “1.0”.',
    '3 error nameMissing: The name of the app is empty.',
    '4 warning unknownPreference: No preference is known that is called “Fullscren”.',
    '5 warning repeatedPreference: The preference Fullscreen is set again further down, and this one has no effect.',
    '5 warning badValue: The value must be true or false, not “yes”.',
    '7 warning badValue: The value must be a colour such as #3366FF, not “3366FF”.',
    '8 warning badValue: The value must be a whole number, not “Lollipop”.',
    '10 warning misplacedElement: The preference KeepRunning has no effect in <platform name="ios">.',
    '13 warning droppedPreference: The preference AndroidXEnabled has no effect from cordova-android 10.0.0 on.',
  ],
};

describe('config.xml: broken files', () => {
  for (const name of configFixtures('broken')) {
    it(name, () => {
      const text = configFixture('broken', name);
      assert.deepEqual(
        problemsOf(text, []).map((problem) => lineOf(text, problem)),
        EXPECTED[name],
      );
    });
  }
});
