import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readAppFiles } from '../../../../src/android-package/config/appFiles.ts';
import { parseConfig } from '../../../../src/android-package/config/packageConfig.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';

const CONFIG = `<?xml version="1.0" encoding="UTF-8"?>
<!-- An app -->
<widget xmlns="http://www.w3.org/ns/widgets" xmlns:gap="http://phonegap.com/ns/1.0" id="com.example.tides" version="1.2.3"
    android-versionCode="7" ios-CFBundleVersion="3.3.3">
  <name short="Tides">Tide
    &amp; <![CDATA[<Table>]]></name>
  <description>  When the water
    comes. </description>
  <author email="a@example.com" href="https://example.com">A. Author</author>
  <content src="start.html"/>
  <access origin="https://api.example.com"/>
  <allow-intent href="tel:*"/>
  <allow-navigation href="https://example.com/*"/>
  <preference name="Orientation" value="portrait"/>
  <plugin name="cordova-plugin-camera" spec="~8.0.0"><variable name="KEY" value="x"/></plugin>
  <plugin name="cordova-plugin-device"/>
  <gap:plugin name="org.example.old" version="1.0"><param name="P" value="q"/></gap:plugin>
  <hook type="before_build" src="evil.js"/>
  <hook type="after_build" src="evil.js"/>
  <platform name="android">
    <preference name="Orientation" value="landscape"/>
    <resource-file src="../../etc/passwd" target="a"/>
    <edit-config file="x" target="y" mode="merge"/>
    <config-file target="z"/>
  </platform>
  <engine name="android" spec="./engine"/>
</widget>`;

const parse = (xml: string): ReturnType<typeof parseConfig> => parseConfig(Buffer.from(xml));

describe('packages: config.xml', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  it('reads all values that a build needs', () => {
    assert.deepEqual(parse(CONFIG), {
      id: 'com.example.tides',
      version: '1.2.3',
      name: 'Tide & <Table>',
      shortName: 'Tides',
      description: 'When the water comes.',
      platformVersions: { 'android-versionCode': '7', 'ios-CFBundleVersion': '3.3.3' },
      contentSrc: 'start.html',
      preferences: [
        { name: 'Orientation', value: 'portrait' },
        { name: 'Orientation', value: 'landscape' },
      ],
      accessOrigins: ['https://api.example.com'],
      allowedIntents: ['tel:*'],
      allowedNavigation: ['https://example.com/*'],
      plugins: [
        { name: 'cordova-plugin-camera', version: '~8.0.0', variables: { KEY: 'x' } },
        { name: 'cordova-plugin-device', version: null, variables: {} },
        { name: 'org.example.old', version: '1.0', variables: { P: 'q' } },
      ],
      icons: [],
      intentFilters: [],
      queries: [],
      otherElements: ['hook', 'engine', 'resource-file', 'edit-config', 'config-file'],
      usesCleartextTraffic: false,
    });
  });

  it('ignores <plugin> elements for PhoneGap 2 classes, and allows “--” in comments, like Cordova', () => {
    const { plugins, otherElements } = parse(
      '<widget><!-- a -- b\n<plugin name="c"/> ---><plugin name="Geolocation" value="org.apache.cordova.GeoBroker"/>' +
        '<plugin name="p" value="v" spec="1"/><name><![CDATA[<!--]]></name></widget>',
    );
    assert.deepEqual(
      plugins.map(({ name }) => name),
      ['p'],
    );
    assert.deepEqual(otherElements, ['plugin']);
    assert.throws(() => parse('<widget>\n<!-- a -- b --><a></widget>'), /\(line 2, column \d+\)/);
  });

  it('accepts a plugin without a name if its spec is the URL of a Git repository', () => {
    for (const [attributes, name] of [
      ['spec="https://github.com/apache/cordova-plugin-camera/" source="git"', 'cordova-plugin-camera'],
      ['spec="git@github.com:apache/cordova-plugin-camera.git" source="git"', 'cordova-plugin-camera'],
      ['spec="github:apache/cordova-plugin-camera?x=/y" source="git"', 'cordova-plugin-camera'],
      ['spec="https://example.com/a/plugin-b.git?x#1"', 'plugin-b'],
      ['spec="https://example.com/a/plugin-b"', undefined],
      ['spec="^4.1.0" source="git"', undefined],
      ['spec="https://example.com/a b" source="git"', undefined],
    ] as const) {
      const { plugins, otherElements } = parse(`<widget><plugin ${attributes}/></widget>`);
      assert.deepEqual([plugins[0]?.name, otherElements.length], [name, name === undefined ? 1 : 0], attributes);
    }
  });

  it('accepts missing values, a byte order mark, and the name __proto__', () => {
    const { id, version, name, contentSrc, plugins } = parse(
      '\uFEFF<widget><plugin/><plugin name="__proto__"><variable name="__proto__" value="x"/></plugin></widget>',
    );
    assert.deepEqual([id, version, name, contentSrc, plugins[0]?.name], ['', '', '', 'index.html', '__proto__']);
  });

  const malformed: Readonly<Record<string, readonly [string | Buffer, RegExp]>> = {
    empty: ['', /^Malformed config\.xml: Root element is missing or invalid \(line 1, column 1\)\.$/],
    'an unclosed element': ['<widget>\n  <name>x\n</widget>', /\(line 3, column \d+\)\.$/],
    'a different root element': ['<foo/>', /^Malformed config\.xml: its root element is "foo", not "widget"\.$/],
    'a document type declaration': [
      '<!DOCTYPE widget><widget/>',
      /^Malformed config\.xml: it has a document type declaration\. Remove it\.$/,
    ],
    'an external entity': [
      '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]><widget>&x;</widget>',
      /^Malformed config\.xml: /,
    ],
    'an undefined entity': [
      '<widget>&nbsp;</widget>',
      /^Malformed config\.xml: Named entity isn't defined: &nbsp; \(line 1/,
    ],
    'UTF-16': [
      Buffer.from('\uFEFF<widget/>', 'utf16le'),
      /^Malformed config\.xml: it isn’t in UTF-8\. Save it as UTF-8\.$/,
    ],
    'a different declared encoding': [
      '<?xml version="1.0" encoding="ISO-8859-1"?><widget/>',
      /^Malformed config\.xml: its encoding is declared as "ISO-8859-1"\. Save it as UTF-8\.$/,
    ],
    'elements nested too deeply': ['<a>'.repeat(19_000), /^Malformed config\.xml: its elements are nested too deeply/],
  };
  for (const [name, [xml, message]] of Object.entries(malformed)) {
    it(`rejects a malformed file: ${name}`, () => {
      assert.throws(() => parseConfig(Buffer.from(xml)), { name: 'PackageError', message });
    });
  }

  it('rejects a file larger than 1 MiB', async () => {
    await writeFile(join(folder, 'config.xml'), ' '.repeat(1024 ** 2 + 1));
    await assert.rejects(readAppFiles(folder, 'android'), {
      name: 'PackageError',
      message: 'Malformed config.xml: it is larger than 1 MiB.',
    });
  });
});
