import assert from 'node:assert/strict';

import { plainText } from '../../../src/api/errors/sentence.ts';
import { checkConfig } from '../../../src/configXml/checkConfig.ts';
import { didYouMean, isOpposite } from '../../../src/configXml/didYouMean.ts';
import { parseXml } from '../../../src/configXml/xmlDocument.ts';
import { alarmsOf, fixed, lineOf, problemsOf, widget } from '../../support/configXml.ts';
import { isWidget } from '../../../src/configXml/widget.ts';

/** What stands in the root; what is said of it, with what is marked; what stands there after the first fix. */
type Case = readonly [children: string, problems: readonly string[] | undefined, mended?: string];

const NAME = '  <name>App</name>';

const CASES: readonly Case[] = [
  [
    '  <access allow="*" />',
    ['warning unknownAttribute “allow”: <access> has no attribute “allow”. Did you mean “origin”?'],
    '  <access origin="*" />',
  ],
  [
    '  <plugin name="x" Spec="1" foo="2" />',
    [
      'warning unknownAttribute “Spec”: <plugin> has no attribute “Spec”. Did you mean “spec”?',
      'information unknownAttribute “foo”: <plugin> has no attribute “foo”.',
    ],
    '  <plugin name="x" spec="1" foo="2" />',
  ],
  [
    '  <preferense name="x" value="y">z</preferense>',
    ['warning unknownElement “preferense”: Cordova knows no element <preferense>. Did you mean <preference>?'],
    '  <preference name="x" value="y">z</preference>',
  ],
  [
    '  <Author>Me</Author>',
    ['warning unknownElement “Author”: Cordova knows no element <Author>. Did you mean <author>?'],
    '  <author>Me</author>',
  ],
  [
    '  <something><preference /></something>',
    [
      'information unknownElement “something”: Cordova knows no element <something>. It has no effect, unless a plugin reads it.',
    ],
  ],
  [
    '  <platform name="android">\n    <platform name="ios" />\n  </platform>',
    ['warning misplacedElement “platform”: <platform> has no effect in <platform>. It belongs into <widget>.'],
    '  <platform name="android">\n  </platform>\n  <platform name="ios" />',
  ],
  [
    '  <param name="x" value="y" />',
    [
      'warning misplacedElement “param”: <param> has no effect in <widget>. It belongs into <feature>, <plugin>, <gap:plugin>.',
    ],
  ],
  [
    '  <content src="a.html" />\n  <content src="b.html" />',
    ['warning repeatedElement “content”: There is another <content> before this one, and only that one counts.'],
    '  <content src="a.html" />',
  ],
  ['  <name xml:lang="de">Äpp</name>', []],
  // What bans does not become what permits.
  ...['disallow-navigation', 'no-allow-intent'].map((name): Case => [
    `  <${name} href="https://example.com/*" />`,
    [
      `information unknownElement “${name}”: Cordova knows no element <${name}>. It has no effect, unless a plugin reads it.`,
    ],
  ]),
  ['  <preference name="AllowOverscroll" value="true" />', []],
  [
    '  <allow-navigatoin href="https://example.com/*" />',
    [
      'warning unknownElement “allow-navigatoin”: Cordova knows no element <allow-navigatoin>. Did you mean <allow-navigation>?',
    ],
    '  <allow-navigation href="https://example.com/*" />',
  ],
  ['  <discription>x</discription>', undefined, '  <description>x</description>'],
  [
    '  <preference name="Fullscreen" />',
    ['warning missingAttribute “preference”: The preference Fullscreen has no value.'],
    '  <preference name="Fullscreen" value="" />',
  ],
  [
    '  <author email="me.example.com">Me</author>',
    ['warning badValue “email="me.example.com"”: “me.example.com” is no e-mail address.'],
  ],
  [
    '  <edit-config target="AndroidManifest.xml" parent="/manifest" mode="merge"><a /></edit-config>',
    [
      'information leftOutElement “edit-config”: Build services leave <edit-config> out. It can read and write files outside of the app, so services that build for others leave it out.',
      'warning unknownAttribute “parent”: <edit-config> has no attribute “parent”: it names the file in “file”, and the place in it in “target”. It changes attributes that are there; <config-file> adds elements.',
    ],
    '  <edit-config file="AndroidManifest.xml" target="/manifest" mode="merge"><a /></edit-config>',
  ],
  [
    '  <edit-config parent="/manifest" file="a.xml" mode="merge"><a /></edit-config>',
    [
      'information leftOutElement “edit-config”: Build services leave <edit-config> out. It can read and write files outside of the app, so services that build for others leave it out.',
      'warning unknownAttribute “parent”: <edit-config> has no attribute “parent”: it names the file in “file”, and the place in it in “target”. It changes attributes that are there; <config-file> adds elements.',
    ],
    '  <edit-config target="/manifest" file="a.xml" mode="merge"><a /></edit-config>',
  ],
  [
    '  <edit-config file="AndroidManifest.xml" target="/manifest" mode="replace"><a /></edit-config>',
    [
      'information leftOutElement “edit-config”: Build services leave <edit-config> out. It can read and write files outside of the app, so services that build for others leave it out.',
      'warning badValue “mode="replace"”: “replace” is not one of the values that can stand here: merge, overwrite, remove.',
    ],
  ],
  [
    '  <edit-config file="*-Info.plist" target="A" mode="replace"><true/></edit-config>',
    [
      'information leftOutElement “edit-config”: Build services leave <edit-config> out. It can read and write files outside of the app, so services that build for others leave it out.',
    ],
  ],
  [
    '  <config-file target="*-Info.plist" parent="NSCameraUsageDescription"> For photos &amp; films\n </config-file>',
    [
      'information leftOutElement “config-file”: Build services leave <config-file> out. It can read and write files outside of the app, so services that build for others leave it out.',
      'warning badValue “For photos &amp; films”: A text has no effect here: a value of *-Info.plist is an element, such as <string>.',
    ],
    '  <config-file target="*-Info.plist" parent="NSCameraUsageDescription"> <string>For photos &amp; films</string>\n </config-file>',
  ],
  [
    '  <edit-config file="*-Info.plist" target="ITSAppUsesNonExemptEncryption" mode="merge">false</edit-config>',
    [
      'information leftOutElement “edit-config”: Build services leave <edit-config> out. It can read and write files outside of the app, so services that build for others leave it out.',
      'warning badValue “false”: A text has no effect here: a value of *-Info.plist is an element, such as <string>.',
    ],
    '  <edit-config file="*-Info.plist" target="ITSAppUsesNonExemptEncryption" mode="merge"><false/></edit-config>',
  ],
  [
    '  <edit-config file="*-Info.plist" target="A" mode="merge"><![CDATA[no fix]]></edit-config>\n  <config-file target="*-Info.plist" parent="B"><string>right</string></config-file>\n  <config-file target="AndroidManifest.xml" parent="/*">not a plist</config-file>',
    [
      'information leftOutElement “edit-config”: Build services leave <edit-config> out. It can read and write files outside of the app, so services that build for others leave it out.',
      'warning badValue “no fix”: A text has no effect here: a value of *-Info.plist is an element, such as <string>.',
      'information leftOutElement “config-file”: Build services leave <config-file> out. It can read and write files outside of the app, so services that build for others leave it out.',
      'information leftOutElement “config-file”: Build services leave <config-file> out. It can read and write files outside of the app, so services that build for others leave it out.',
    ],
  ],
  [
    '  <icon src="a.png" density="xxhpdi" />',
    [
      'error badValue “density="xxhpdi"”: “xxhpdi” is not one of the values that can stand here: ldpi, mdpi, hdpi, xhdpi, xxhdpi, xxxhdpi, nodpi, tvdpi, anyd….',
    ],
    '  <icon src="a.png" density="xxhdpi" />',
  ],
  [
    '  <platform name="ios"><icon src="a.png" density="xxhpdi" /></platform>',
    [
      'warning badValue “density="xxhpdi"”: “xxhpdi” is not one of the values that can stand here: ldpi, mdpi, hdpi, xhdpi, xxhdpi, xxxhdpi, nodpi, tvdpi, anyd….',
    ],
  ],
  [
    '  <splash src="a.png" density="land-xxhpdi" />',
    [
      'warning badValue “density="land-xxhpdi"”: “xxhpdi” is not one of the values that can stand here: ldpi, mdpi, hdpi, xhdpi, xxhdpi, xxxhdpi, nodpi, tvdpi, anyd….',
    ],
    '  <splash src="a.png" density="land-xxhdpi" />',
  ],
  ...['land', 'port', 'sw600dp', '560dpi', 'xhdpi-land', 'drawable-hdpi', 'mipmap-hdpi'].map((density): Case => [
    `  <icon src="a.png" density="${density}" />`,
    [],
  ]),
  ['  <preference name="StatusBarStyle" value="darkcontent" />', []],
  [
    '  <plugin name=" cordova-plugin-camera">\n    <variable name="API_KEY" value="1234 " />\n  </plugin>\n  <name xml:lang="de" dir="ltr" short="A ">Ä</name>',
    [
      'warning badValue “name=" cordova-plugin-camera"”: The value must not begin or end with white space.',
      'information badValue “value="1234 "”: The white space before or behind the value is part of it.',
    ],
    '  <plugin name="cordova-plugin-camera">\n    <variable name="API_KEY" value="1234 " />\n  </plugin>\n  <name xml:lang="de" dir="ltr" short="A ">Ä</name>',
  ],
  [
    '  <plugin spec="https://github.com/apache/cordova-plugin-camera.git#4.1.0" source="git" />',
    ['warning missingAttribute “plugin”: <plugin> needs an attribute “name”.'],
    '  <plugin spec="https://github.com/apache/cordova-plugin-camera.git#4.1.0" source="git" name="cordova-plugin-camera" />',
  ],
  [
    '  <plugin spec="https://example.com/cordova-plugin-camera/" />',
    ['warning missingAttribute “plugin”: <plugin> needs an attribute “name”.'],
    '  <plugin spec="https://example.com/cordova-plugin-camera/" name="" />',
  ],
  [
    '  <plugin spec="git@github.com:apache/cordova-plugin-camera.git" />',
    ['warning missingAttribute “plugin”: <plugin> needs an attribute “name”.'],
    '  <plugin spec="git@github.com:apache/cordova-plugin-camera.git" name="cordova-plugin-camera" />',
  ],
  ['  <platform name="androids" />', undefined, '  <platform name="android" />'],
];

describe('config.xml: elements and attributes', () => {
  it('are told when they are unknown, misplaced, repeated or missing, and mended', () => {
    for (const [children, expected, mended] of CASES) {
      const text = widget(`${NAME}\n${children}`);
      const problems = problemsOf(text);
      const said = problems.map(
        ({ severity, code, span, message, next }) =>
          `${severity} ${code} “${text.slice(span.start, span.end)}”: ${plainText(message)}${next ? ` ${plainText(next)}` : ''}`,
      );
      if (expected !== undefined) {
        assert.deepEqual(said, expected, children);
      }
      const fix = problems.find(({ fixes }) => fixes !== undefined)?.fixes?.[0];
      if (mended !== undefined) {
        assert.ok(fix !== undefined, children);
        assert.equal(fixed(text, fix), widget(`${NAME}\n${mended}`));
      }
    }
  });

  it('of a ban become no permission by any fix', () => {
    for (const ban of [
      '<disallow-navigation href="https://example.com/*" />',
      '<disallow-navigation href="https://example.com/*"></allow-navigation>',
      '<deny-navigation href="https://example.com/*"></allow-navigation>',
      '<access origin="" />',
      '<preference name="AndroidInsecureFileModeDisabled" value="true" />',
      '<preference name="InAppBrowserStorageDisabled" value="true" />',
      '<preference name="AllowTrustedCerts" value="true" />',
      '<preference name="StopRunning" value="true" />',
    ]) {
      const text = widget(`${NAME}\n  ${ban}`);
      const texts = problemsOf(text).flatMap(({ fixes = [] }) => fixes.map((fix) => fixed(text, fix)));
      assert.deepEqual(
        texts.filter((each) => /<allow-navigation|"\*"|Enabled|Untrusted|Keep/.test(each)),
        [],
        ban,
      );
    }
  });

  it('that services leave out say why', () => {
    const text = widget(
      `${NAME}\n  <engine name="ios" spec="1" />\n  <hook type="before_build" src="a.js" />\n  <edit-config file="a.xml" target="/x" mode="merge"><a><hook /></a></edit-config>`,
    );
    const problems = problemsOf(text);
    assert.deepEqual(
      problems.map(({ code, severity, message, next }) => [code, severity, plainText(message), next !== undefined]),
      ['engine', 'hook', 'edit-config'].map((name) => [
        'leftOutElement',
        'information',
        `Build services leave <${name}> out.`,
        true,
      ]),
    );
  });

  it('are known with the prefixes of Cordova and PhoneGap Build, and left alone with others', () => {
    const text = widget(
      `${NAME}\n  <cdv:preference name="a" value="b" />\n  <gap:plugin name="x"><param name="y" value="z" /></gap:plugin>\n  <tizen:setting a="b"><c /></tizen:setting>\n  <icon src="a.png" gap:platform="ios" android:b="c" />`,
      'id="com.example.app" version="1.0.0" xmlns:gap="http://phonegap.com/ns/1.0" xmlns:cdv="http://cordova.apache.org/ns/1.0" xmlns:android="a" xmlns:tizen="b"',
    );
    assert.deepEqual(
      problemsOf(text)
        .filter(({ severity }) => severity !== 'information')
        .map(({ message }) => plainText(message)),
      [],
    );
  });

  it('are not judged where an end tag is missing', () => {
    const text = widget(`${NAME}\n  <feature name="A">\n  <param name="x" value="y" />\n  <preferense />`);
    assert.deepEqual(
      problemsOf(text).map(({ code }) => code),
      ['notClosed'],
    );
    const mismatch = widget(`${NAME}\n  <auther>Me</author>`);
    assert.deepEqual(
      problemsOf(mismatch).map(({ code }) => code),
      ['endTagMismatch'],
    );
    const quote = widget(`${NAME}\n  <preference name="x value="y" />\n  <preferense name="x" value="z" />`);
    assert.deepEqual(
      problemsOf(quote).map(({ code }) => code),
      ['quoteMissing', 'unknownElement'],
    );
  });
});

describe('config.xml: which files are checked', () => {
  it('that of Cordova, not that of Jenkins, Tizen, BlackBerry WebWorks and others', () => {
    const children = '<name>A</name><preference name="a" value="b"/><foo/>';
    const roots: readonly (readonly [root: string, isCordova: boolean])[] = [
      ['widget', true],
      ['widget xmlns="http://www.w3.org/ns/widgets"', true],
      ['Widget', true],
      ['widgt', true],
      ['app xmlns:gap="http://phonegap.com/ns/1.0"', true],
      ['widget xmlns:tizen="http://tizen.org/ns/widgets"', false],
      ['widget xmlns:tizen="http://tizen.org/ns/widgets" xmlns:gap="http://phonegap.com/ns/1.0"', true],
      ['widget xmlns:rim="http://www.blackberry.com/ns/widgets"', false],
      ['widget xmlns:rim="http://www.blackberry.com/ns/widgets" xmlns:cdv="http://cordova.apache.org/ns/1.0"', true],
      ['project', false],
      ['plugin id="x"', false],
      ['configuration', false],
    ];
    for (const [root, isCordova] of roots) {
      const document = parseXml(`<${root}>${children}</${root.split(' ')[0]}>`);
      assert.equal(isWidget(document), isCordova, root);
      assert.equal(checkConfig(document).length > 0, isCordova, root);
    }
    assert.deepEqual(checkConfig(parseXml('')), []);
    assert.equal(isWidget(parseXml('<Widget><title/></Widget>')), false);
  });

  it('an element before the XML declaration is moved, and leaves no line before that', () => {
    for (const [start, lineEnd] of [
      ['', '\n'],
      ['', '\r\n'],
      ['\uFEFF', '\n'],
    ] as const) {
      const rest = `<?xml version="1.0"?>${lineEnd}<widget id="com.example.app" version="1.0.0">`;
      const text = `${start}<access origin="*" />${lineEnd}${rest}<name>A</name></widget>`;
      const fix = problemsOf(text).find(({ code }) => code === 'wrongRoot')?.fixes?.[0];
      assert.equal(fix && fixed(text, fix), `${start}${rest}\n    <access origin="*" /><name>A</name></widget>`);
      assert.deepEqual(fix && problemsOf(fixed(text, fix)), []);
    }
  });

  it('attributes of PhoneGap Build are known in any case', () => {
    for (const name of ['versionCode', 'versioncode', 'VersionCode']) {
      const text = widget(NAME, `id="com.example.app" version="1.0.0" ${name}="7"`);
      const [problem] = problemsOf(text);
      const [fix] = problem?.fixes ?? [];
      assert.equal(fix && fixed(text, fix), text.replace(name, 'android-versionCode'), name);
    }
  });

  it('the fix of an <edit-config> says what it renames', () => {
    const titles = (attributes: string) =>
      problemsOf(widget(`${NAME}<edit-config ${attributes} mode="merge"><a /></edit-config>`)).flatMap(
        ({ fixes = [] }) => fixes.map(({ title }) => plainText(title)),
      );
    assert.deepEqual(titles('target="a.xml" parent="/*"'), [
      'Rename target to file, and parent to target',
      'Change to “config-file”',
    ]);
    assert.deepEqual(titles('file="a.xml" parent="/*"'), ['Rename parent to target']);
  });

  it('an element before the root is told, and moved into it', () => {
    const root = '<widget id="com.example.app" version="1.0.0">';
    const rest = '  <name>App</name>\n</widget>\n';
    const moved = (element: string) => `<?xml version="1.0"?>\n${root}\n    ${element}\n${rest}`;
    for (const element of ['<access origin="*" />', '<access origin="*"></access>']) {
      const text = `<?xml version="1.0"?>\n${element}\n${root}\n${rest}`;
      assert.equal(isWidget(parseXml(text)), true);
      const [problem, ...others] = problemsOf(text);
      assert.ok(problem !== undefined && others.length === 0);
      assert.equal(
        lineOf(text, problem),
        '2 error wrongRoot: <access> stands before <widget>, and everything must be inside of that.',
      );
      const [fix] = problem.fixes ?? [];
      assert.equal(fix && fixed(text, fix), moved(element));
    }
    const text = `<access origin="*" />\n<content src="a.html" />\n${root}\n${rest}`;
    assert.deepEqual(alarmsOf(text), [
      '1 error wrongRoot: <access> stands before <widget>, and everything must be inside of that.',
    ]);
    const open = `<preference name="a" value="b">\n${root}\n${rest}`;
    assert.deepEqual(
      problemsOf(open).map(({ code }) => code),
      ['notClosed', 'wrongRoot'],
    );
    assert.deepEqual(problemsOf('<project><widget><name>A</name></widget></project>'), []);
  });

  it('a root of another name is mended', () => {
    const text = '<Widget id="a.b"><name>A</name><author>B</author></Widget>';
    const [problem, ...others] = problemsOf(text);
    assert.equal(
      problem && plainText(problem.message),
      'The root element is <Widget>. A build takes no other than <widget>.',
    );
    assert.equal(problem?.fixes?.[0] && fixed(text, problem.fixes[0]), text.replaceAll('Widget', 'widget'));
    assert.deepEqual(others, []);
    assert.deepEqual(
      problemsOf('<Widget><name>A</name><author>B</author></widget>').map(({ code }) => code),
      ['wrongRoot', 'endTagMismatch'],
    );
  });
});

describe('did you mean', () => {
  it('finds what differs by slips of the hand', () => {
    const known = ['preference', 'name', 'author', 'allow-intent', 'allow-navigation', 'icon', 'id', 'src'];
    for (const [written, meant] of [
      ['prefrence', 'preference'],
      ['preferecne', 'preference'],
      ['Preference', 'preference'],
      ['PREFERENCES', 'preference'],
      ['auther', 'author'],
      ['allow_intent', 'allow-intent'],
      ['allownavigation', 'allow-navigation'],
      ['nmae', 'name'],
      ['scr', 'src'],
      ['ID', 'id'],
      ['in', undefined],
      ['xyz', undefined],
      ['splash', undefined],
      ['name', undefined],
      ['', undefined],
      ['disallow-navigation', undefined],
      ['DisallowNavigation', undefined],
      ['unallow-intent', undefined],
    ] as const) {
      assert.equal(didYouMean(written, known), meant, written);
    }
  });

  it('never takes a name for its opposite', () => {
    for (const [name, other, isOne] of [
      ['allow-intent', 'disallow-intent', true],
      ['DisallowOverscroll', 'AllowOverscrol', true],
      ['enabled', 'disabled', true],
      ['AndroidInsecureFileModeDisabled', 'AndroidInsecureFileModeEnabled', true],
      ['androidinsecurefilemodedisabled', 'AndroidInsecureFileModeEnabled', true],
      ['AndroidSecureFileModeEnabled', 'AndroidInsecureFileModeEnabled', true],
      ['InAppBrowserStorageDisabled', 'InAppBrowserStorageEnabled', true],
      ['NotFullscreen', 'SetFullscreen', true],
      ['notfullscreen', 'Fullscreen', true],
      ['CameraUsesNoGeolocation', 'CameraUsesGeolocation', true],
      ['AllowTrustedCerts', 'AllowUntrustedCerts', true],
      ['StopRunning', 'KeepRunning', true],
      ['DeactivateCache', 'ActivateCache', true],
      ['external', 'Internal', true],
      ['deny-navigation', 'allow-navigation', true],
      ['unalow-intent', 'allow-intent', true],
      ['noallowintent', 'allow-intent', true],
      ['inntent', 'intent', false],
      ['DisalowOverscroll', 'DisallowOverscroll', false],
      ['disallowoverscrol', 'DisallowOverscroll', false],
      ['InlinePlayback', 'InlinePlaybak', false],
      ['discription', 'description', false],
      ['node', 'name', false],
      ['unversal', 'universal', false],
    ] as const) {
      assert.equal(isOpposite(name, other), isOne, name);
      assert.equal(isOpposite(other, name), isOne, name);
    }
  });
});
