import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import { alarmsOf, fixed, lineOf, problemsOf, widget } from '../../support/configXml.ts';

const preference = (name: string, value: string): string => `    <preference name="${name}" value="${value}" />`;

/** The elements of an app that has a name, in the lines from 3 on. */
function app(...lines: readonly string[]): string {
  return widget(['    <name>App</name>', ...lines].join('\n'));
}

function platform(name: string, ...lines: readonly string[]): readonly string[] {
  return [`    <platform name="${name}">`, ...lines, '    </platform>'];
}

describe('config.xml: preferences', () => {
  it('what is right, or may be a plugin’s own, is not spoken of', () => {
    const text = app(
      preference('fullscreen', 'true'),
      preference('Orientation', 'portrait'),
      preference('ScannerTorch', 'always'),
      preference('android-manifest/@android:hardwareAccelerated', 'yes'),
      preference('CodePushDeploymentKeyIOS', '0000'),
      '    <preference name="android-manifest/activity" delete="true" />',
      preference('ios-XCBuildConfiguration-ENABLE_BITCODE', 'NO').replace('value', 'buildType="debug" value'),
      preference('ios-XCBuildConfiguration-ENABLE_BITCODE', 'YES').replace('value', 'buildType="release" value'),
      ...platform('android', preference('Orientation', 'landscape'), preference('KeyboardStyle', 'dark')),
      ...platform('ios', preference('Orientation', 'all'), preference('StatusBarStyle', 'LightContent')),
      ...platform('tizen', preference('KeepRunning', 'false')),
    );
    assert.deepEqual(alarmsOf(text), []);
  });

  it('a name that is nearly one that is known', () => {
    const text = app(preference('Fullscren', 'true'));
    const [problem] = problemsOf(text);
    assert.ok(problem !== undefined);
    assert.equal(
      lineOf(text, problem),
      '4 warning unknownPreference: No preference is known that is called “Fullscren”.',
    );
    assert.equal(plainText(problem.next ?? problem.message), 'Did you mean “Fullscreen”?');
    const [fix] = problem.fixes ?? [];
    assert.ok(fix !== undefined);
    assert.equal(fixed(text, fix), app(preference('Fullscreen', 'true')));
  });

  it('several permissions, with commas between them', () => {
    const values = ['none', 'camera', 'Location,  microphone', 'camera, contacts', 'locations'];
    const text = app(...values.map((value) => preference('AndroidPermissions', value)));
    const problems = problemsOf(text).filter(({ code }) => code === 'badValue');
    assert.deepEqual(
      problems.map((problem) => lineOf(text, problem).replace(/ one of .*/, '')),
      ['7 warning badValue: “contacts” is not', '8 warning badValue: “locations” is not'],
    );
    assert.deepEqual(
      problems.map(({ fixes = [] }) => fixes.length),
      [0, 1],
    );
  });

  it('a value of the wrong type; of the wrong case is good to know only', () => {
    const text = app(
      preference('Fullscreen', 'yes'),
      preference('BackgroundColor', '3366FF'),
      preference('DisallowOverscroll', 'True'),
      preference('Orientation', 'sideways'),
    );
    const problems = problemsOf(text);
    assert.deepEqual(
      problems.map((problem) =>
        lineOf(text, problem)
          .replace(/:.*not “/, ': … “')
          .slice(0, 60),
      ),
      [
        '4 warning badValue: … “yes”.',
        '5 warning badValue: … “3366FF”.',
        '6 information badValue: … “True”.',
        '7 warning badValue: “sideways” is not one of the values that',
      ],
    );
    const mended = problems
      .flatMap(({ fixes }) => fixes?.[0] ?? [])
      .sort((a, b) => (b.changes[0]?.span.start ?? 0) - (a.changes[0]?.span.start ?? 0))
      .reduce(fixed, text);
    assert.equal(
      mended,
      app(
        preference('Fullscreen', 'true'),
        preference('BackgroundColor', '#3366FF'),
        preference('DisallowOverscroll', 'true'),
        preference('Orientation', 'sideways'),
      ),
    );
  });

  it('an attribute of the root that was taken for a preference moves there', () => {
    const root = (attributes = '') =>
      `id="com.example.app" version="1.0.0" xmlns="http://www.w3.org/ns/widgets"${attributes}`;
    const text = (lines: string, attributes = '') =>
      `<widget ${root(attributes)}>\n    <name>App</name>${lines}\n</widget>\n`;
    const line = "\n    <preference name='android-versionCode' value='7&#48; ' />";
    const said =
      '3 warning misplacedElement: android-versionCode is an attribute of <widget>, and has no effect as a preference.';
    for (const [attributes, mended] of [
      ['', " android-versionCode='7&#48;'"],
      [' android-versionCode="3"', ' android-versionCode="3"'],
    ] as const) {
      const before = text(line, attributes);
      assert.deepEqual(alarmsOf(before), [said]);
      const [fix] = problemsOf(before)[0]?.fixes ?? [];
      assert.equal(fix && fixed(before, fix), text('', mended));
    }
  });

  it('a scheme that Android does not take, in its element', () => {
    assert.deepEqual(alarmsOf(app(...platform('android', preference('Scheme', 'app')))), [
      '5 warning badValue: “app” is not one of the values that can stand here: https, http.',
    ]);
    const right = [preference('scheme', 'app'), ...platform('ios', preference('scheme', 'ionic'))];
    assert.deepEqual(alarmsOf(app(...right, ...platform('android', preference('scheme', 'HTTP')))), []);
  });

  it('white space around it: of a name and a known value it is wrong, of what only a plugin knows it is good to know', () => {
    const text = app(
      preference('Orientation ', ' portrait'),
      preference('MY_KEY', '1234 '),
      preference('AppendUserAgent', ' App'),
    );
    assert.deepEqual(
      problemsOf(text).map((problem) => lineOf(text, problem)),
      [
        '4 warning badValue: The value must not begin or end with white space.',
        '4 warning badValue: The value must not begin or end with white space.',
        '5 information badValue: The white space before or behind the value is part of it.',
      ],
    );
  });

  it('set twice: the last one counts, for each platform by itself', () => {
    const text = app(
      preference('Fullscreen', 'true'),
      preference('fullscreen', 'false'),
      preference('Torch', 'on'),
      preference('Torch', 'on'),
      ...platform('android', preference('Fullscreen', 'true')),
      ...platform('android', preference('Fullscreen', 'false')),
      ...platform('ios', preference('Fullscreen', 'true')),
    );
    const problems = problemsOf(text);
    assert.deepEqual(
      problems.map((problem) => lineOf(text, problem)),
      [
        '4 warning repeatedPreference: The preference Fullscreen is set again further down, and this one has no effect.',
        '6 information repeatedPreference: The preference Torch is set again further down, and this one has no effect.',
        '9 warning repeatedPreference: The preference Fullscreen is set again further down, and this one has no effect.',
      ],
    );
    assert.deepEqual(
      problems.map(({ related }) => text.slice(0, related?.span.start).split('\n').length),
      [5, 7, 12],
    );
    const [fix] = problems[0]?.fixes ?? [];
    assert.ok(fix !== undefined);
    assert.equal(fixed(text, fix), text.replace(`${preference('Fullscreen', 'true')}\n`, ''));
  });

  it('an element that shares its line is removed without the line', () => {
    const text = app(`    ${preference('Torch', 'on').trim()}${preference('Torch', 'off').trim()}`);
    const [fix] = problemsOf(text)[0]?.fixes ?? [];
    assert.ok(fix !== undefined);
    assert.equal(fixed(text, fix), app(preference('Torch', 'off')));
  });

  it('one of another platform', () => {
    const text = app(...platform('ios', preference('KeepRunning', 'true')));
    assert.deepEqual(alarmsOf(text), [
      '5 warning misplacedElement: The preference KeepRunning has no effect in <platform name="ios">.',
    ]);
  });

  describe('dropped by a version of a platform', () => {
    const dropped = (line: number, severity: string): string =>
      `${line} ${severity} droppedPreference: The preference AndroidXEnabled has no effect from cordova-android 10.0.0 on.`;

    it('is told with what to do', () => {
      const text = app(preference('AndroidXEnabled', 'true'), preference('UIWebViewDecelerationSpeed', 'fast'));
      const [first, second] = problemsOf(text);
      assert.ok(first !== undefined && second !== undefined);
      assert.equal(lineOf(text, first), dropped(4, 'warning'));
      assert.equal(plainText(first.next ?? first.message), 'It can be removed.');
      assert.equal(plainText(second.next ?? second.message), 'In its place: WKWebViewDecelerationSpeed.');
      assert.deepEqual(
        second.fixes?.map(({ title }) => plainText(title)),
        ['Change to “WKWebViewDecelerationSpeed”', 'Remove UIWebViewDecelerationSpeed'],
      );
      const mended = [second, first].reduce((result, { fixes }) => {
        const [fix] = fixes ?? [];
        assert.ok(fix !== undefined);
        return fixed(result, fix);
      }, text);
      assert.equal(mended, app(preference('WKWebViewDecelerationSpeed', 'fast')));
    });

    it('is good to know where the file asks for an older version', () => {
      for (const [spec, severity] of [
        ['~9.1.0', 'information'],
        ['9', 'information'],
        ['https://example.com/cordova-android.git#9.0.0', 'information'],
        ['^10.0.0', 'warning'],
        ['13.0.0', 'warning'],
        ['>=6.0.0', 'warning'],
        ['latest', 'warning'],
      ] as const) {
        const text = app(`    <engine name="android" spec="${spec}" />`, preference('AndroidXEnabled', 'true'));
        const problem = problemsOf(text).find(({ code }) => code === 'droppedPreference');
        assert.ok(problem !== undefined, spec);
        assert.equal(lineOf(text, problem), dropped(5, severity));
      }
    });

    it('is not told where another platform of the file reads it', () => {
      const splash = preference('SplashScreen', 'screen');
      assert.equal(alarmsOf(app(splash)).length, 1);
      assert.deepEqual(alarmsOf(app(splash, '    <platform name="windows" />')), []);
      assert.equal(alarmsOf(app(...platform('android', splash), '    <platform name="windows" />')).length, 1);
      assert.deepEqual(alarmsOf(app(...platform('windows', splash))), []);
    });
  });
});
