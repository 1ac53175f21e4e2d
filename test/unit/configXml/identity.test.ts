import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import type { ProblemCode } from '../../../src/configXml/configProblem.ts';
import { alarmsOf, fixed, problemsOf, widget } from '../../support/configXml.ts';

const NAME = '    <name>App</name>';

/** Attributes of the root, and what is said of them. */
const ATTRIBUTES: readonly (readonly [attributes: string, ...alarms: readonly string[]])[] = [
  ['id="com.example.app" version="1.0.0"'],
  ['id="com.example.app_2" version="1"'],
  ['id="Com.Example.classes" version="2012.10.31.4"'],
  ["id='ai.example' version='0.0.2'"],
  ['id="com.example.app" version="1.0.0" android-versionCode="2100000000" ios-CFBundleVersion="7"'],
  ['id="com.example.app" version="1.0.0" ios-CFBundleIdentifier="com.example.my-app"'],
  [
    'id="com.example.app" version="1.0.0" versionCode="7"',
    'warning unknownAttribute: <widget> has no attribute “versionCode”.',
  ],
  ['version="1.0.0"', 'error idMissing: The id of the app is missing.'],
  ['id="" version="1.0.0"', 'error idMissing: The id of the app is missing.'],
  ['id="app" version="1.0.0"', 'error idMalformed: The id “app” has one part only.'],
  ['id="com..app" version="1.0.0"', 'error idMalformed: The id “com..app” has a dot with nothing before or behind it.'],
  ['id="com.example.-app" version="1.0.0"', 'error idMalformed: “-app” in the id of the app must begin with a letter.'],
  [
    'id="com.example.2fast" android-packageName="com.example.fast" version="1.0.0"',
    'warning idMalformed: “2fast” in the id of the app must begin with a letter.',
  ],
  [
    'id="com.example.2fast" version="1.0.0"',
    'error idMalformed: “2fast” in the id of the app must begin with a letter.',
  ],
  [
    'id="com.example.new" version="1.0.0"',
    'error idMalformed: “new” in the id of the app is a word of the language Java, which Android does not take.',
  ],
  [
    'id="com.exämple.app" version="1.0.0"',
    'error idMalformed: The id “com.exämple.app” has a character that is not allowed: “ä”.',
  ],
  [
    'id=" com.example.app" version="1.0.0"',
    'error idMalformed: The id of the app must not begin or end with white space.',
  ],
  [
    'id="t.example.app" version="1.0.0"',
    'error idMalformed: The first part of the id “t.example.app” is one letter: Android wants two or more.',
  ],
  [
    `id="com.${'x'.repeat(200)}" version="1.0.0"`,
    'error idMalformed: The id of the app has 204 characters; 200 are the most.',
  ],
  [
    'id="com.example.app" android-packageName="com.example.package" version="1.0.0"',
    'error idMalformed: “package” in the id of the app is a word of the language Java, which Android does not take.',
  ],
  [
    'id="com.example.app" ios-CFBundleIdentifier="com.example.my_app" version="1.0.0"',
    'warning idMalformed: “com.example.my_app” is no id that iOS takes.',
  ],
  ['id="com.example.app"', 'error versionMissing: The version of the app is missing.'],
  ['id="com.example.app" version="1.0-beta"'],
  ['id="com.example.app" version="1.0.0+7"', 'error versionMalformed: “1.0.0+7” is no version of an app.'],
  ['id="com.example.app" version="1.0.0-"', 'error versionMalformed: “1.0.0-” is no version of an app.'],
  [
    'id="com.example.app" version="300000.0.0-rc"',
    'error versionMalformed: The version 300000.0.0-rc makes the android-versionCode 3000000000, and Android takes up to 2100000000.',
  ],
  ['id="com.example.app" version="v2"', 'error versionMalformed: “v2” is no version of an app.'],
  ['id="com.example.app" version="1,0,0"', 'error versionMalformed: “1,0,0” is no version of an app.'],
  ['id="com.example.app" version="1.2.3.4.5"', 'error versionMalformed: “1.2.3.4.5” is no version of an app.'],
  ['id="com.example.app" version="abc"', 'error versionMalformed: “abc” is no version of an app.'],
  [
    'id="com.example.app" version="1.0.0" android-versionCode="1.0"',
    'error badValue: The android-versionCode must be a whole number, not “1.0”.',
  ],
  [
    'id="com.example.app" version="1.0.0" android-versionCode="2100000001"',
    'warning badValue: Google Play takes an android-versionCode from 1 to 2100000000.',
  ],
  [
    'id="com.example.app" version="1.0.0" ios-CFBundleVersion="1.0b3"',
    'warning badValue: “1.0b3” is no version that iOS takes.',
  ],
];

/** Names, and what is said of them. */
const NAMES: readonly (readonly [children: string, ...alarms: readonly string[]])[] = [
  ['<name>App</name>'],
  ['<name short="A">\n  Äpp &amp; more\n</name>'],
  ['<name><![CDATA[App]]></name>'],
  ['<name>@home</name>'],
  ['<description/>', 'error nameMissing: The name of the app is missing.'],
  ['<name/>', 'error nameMissing: The name of the app is empty.'],
  ['<name> <!-- App --> </name>', 'error nameMissing: The name of the app is empty.'],
  ['<name>${}</name>', 'error nameMissing: The name “${}” has only characters that a build leaves out.'],
  ['<name>@?</name>', 'error nameMissing: The name “@?” has only characters that a build leaves out.'],
];

/** The text of a root's start tag, and what the preferred fix makes of it. */
const FIXES: readonly (readonly [before: string, code: ProblemCode, after: string])[] = [
  ['version="1.0.0"', 'idMissing', 'id="com.example.app" version="1.0.0"'],
  ['id="" version="1.0.0"', 'idMissing', 'id="com.example.app" version="1.0.0"'],
  ['id="com.example.app"', 'versionMissing', 'id="com.example.app" version="1.0.0"'],
  ['id="app" version="1"', 'idMalformed', 'id="com.example.app" version="1"'],
  [
    'id="com.example.app" version="1" versionCode="7"',
    'unknownAttribute',
    'id="com.example.app" version="1" android-versionCode="7"',
  ],
  ['id="com.example.new" version="1"', 'idMalformed', 'id="com.example.new_" version="1"'],
  ['id=" com.example.app " version="1"', 'idMalformed', 'id="com.example.app" version="1"'],
  ['id="com.example.app" version="v1.2-beta"', 'versionMalformed', 'id="com.example.app" version="1.2"'],
  ['id="com.example.app" version="1,2"', 'versionMalformed', 'id="com.example.app" version="1.2"'],
  [
    'id="com.example.app" version="1" ios-CFBundleIdentifier="com.example.my_app"',
    'idMalformed',
    'id="com.example.app" version="1" ios-CFBundleIdentifier="com.example.my-app"',
  ],
];

function withoutLine(alarm: string): string {
  return alarm.replace(/^\d+ /, '');
}

describe('config.xml: id, version and name', () => {
  it('of the root, each attribute is said to be what it is', () => {
    for (const [attributes, ...alarms] of ATTRIBUTES) {
      assert.deepEqual(alarmsOf(widget(NAME, attributes)).map(withoutLine), alarms, attributes);
    }
  });

  it('of a version with a suffix, nothing is said that another attribute says', () => {
    for (const [attributes, ...messages] of [
      ['android-versionCode="7"', 'Builds cut the version at “-”: it is 1.5.0 on iOS.'],
      ['ios-CFBundleVersion="7"', 'Builds cut the version at “-”: the android-versionCode is made of 1.5.0.'],
      ['android-versionCode="7" ios-CFBundleVersion="7"'],
    ] as const) {
      const problems = problemsOf(widget(NAME, `id="com.example.app" version="1.5.0-beta.2" ${attributes}`));
      assert.deepEqual(
        problems.map(({ message }) => plainText(message)),
        messages,
      );
    }
  });

  it('of a version with a suffix, what becomes of it is said', () => {
    const [problem, ...others] = problemsOf(widget(NAME, 'id="com.example.app" version="1.5.0-beta.2"'));
    assert.ok(problem !== undefined && others.length === 0);
    assert.deepEqual(
      [problem.severity, problem.code, plainText(problem.message), problem.next && plainText(problem.next)],
      [
        ...['information', 'versionSuffix'],
        'Builds cut the version at “-”: the android-versionCode is made of 1.5.0, which is the version on iOS, too.',
        'On Android, people see 1.5.0-beta.2.',
      ],
    );
  });

  it('of an id with hyphens, what Android has in its place is said, but for an Android id of its own', () => {
    const message = 'Android allows no hyphens in an id, so builds for Android use com.my_shop.app.';
    for (const [attributes, ...messages] of [
      ['id="com.my-shop.app"', message, 'Builds for iOS keep the id as it is.'],
      ['id="com.my-shop.app" android-packageName="com.shop.app"'],
      ['id="com.example.app" android-packageName="com.my-shop.app"', message],
    ] as const) {
      const problems = problemsOf(widget(NAME, `${attributes} version="1.0.0"`));
      assert.ok(problems.every(({ code, severity }) => code === 'idHyphen' && severity === 'information'));
      assert.deepEqual(
        problems.flatMap((problem) => [problem.message, ...(problem.next ? [problem.next] : [])]).map(plainText),
        messages,
      );
    }
  });

  it('of the name, what a build makes of it counts', () => {
    for (const [children, ...alarms] of NAMES) {
      assert.deepEqual(alarmsOf(widget(children)).map(withoutLine), alarms, children);
    }
  });

  it('the preferred fix makes the root right', () => {
    for (const [before, code, after] of FIXES) {
      const text = widget(NAME, before);
      const problem = problemsOf(text).find((each) => each.code === code);
      const fix = problem?.fixes?.find(({ isPreferred }) => isPreferred);
      assert.ok(fix !== undefined, before);
      assert.equal(fixed(text, fix), widget(NAME, after));
      assert.deepEqual(alarmsOf(fixed(text, fix)), [], before);
    }
  });

  it('a name is added where the others stand', () => {
    const rootAlone = '<widget id="com.example.app" version="1.0.0"></widget>';
    for (const [before, after] of [
      [widget('\t<description>D</description>'), widget('\t<name>My App</name>\n\t<description>D</description>')],
      [rootAlone, rootAlone.replace('><', '>\n    <name>My App</name>\n<')],
    ] as const) {
      const fix = problemsOf(before)[0]?.fixes?.[0];
      assert.ok(fix !== undefined);
      assert.equal(plainText(fix.title), 'Add a name');
      assert.equal(fixed(before, fix), after);
    }
    for (const empty of ['<name/>', '<name> </name>']) {
      const [emptyName] = problemsOf(widget(empty));
      const [emptyFix] = emptyName?.fixes ?? [];
      assert.ok(emptyFix !== undefined);
      assert.equal(fixed(widget(empty), emptyFix), widget('<name>My App</name>'));
    }
  });

  it('where the text is broken, nothing is said to be missing that may be there', () => {
    for (const text of [
      '<widget id="com.example.app version="1.0.0"><name>App</name></widget>',
      '<widget id="com.ex',
      '<widget id="com.example.app" version="1.0.0"><name/>My App</name></widget>',
    ]) {
      assert.deepEqual(
        problemsOf(text).filter(({ code }) => code.endsWith('Missing') && code !== 'quoteMissing'),
        [],
        text,
      );
    }
  });
});
