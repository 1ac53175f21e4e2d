import assert from 'node:assert/strict';

import { parseXml, XmlElement } from '@rgrove/parse-xml';
import fc from 'fast-check';

import { projectConfig, type ConfiguredJob } from '../../../../../src/build-service/builds/cordova/projectConfig.ts';
import { NO_CONFIG, parseConfig, type ConfigFile } from '../../../../../src/android-package/config/packageConfig.ts';
import { BuildError } from '../../../../../src/android-package/index.ts';

const APP = { title: 'Title', package: 'com.example.title', version: '4.5', description: 'Words' };

interface Options extends Partial<ConfiguredJob> {
  readonly config?: ConfigFile;
}

/** Returns a project's config.xml and the log lines about an app's config.xml. */
function project(
  xml: string | undefined,
  { app = APP, platform = 'android', config }: Options = {},
): { xml: string; log: string[] } {
  const log: string[] = [];
  const read = config ?? (xml === undefined ? NO_CONFIG : parseConfig(Buffer.from(xml), platform));
  const job = { app, platform, source: { config: read, webFiles: ['index.html', 'start.html'] } };
  return { xml: projectConfig(job, new Map([['plugin-a', '1.0.0']]), '', (line) => log.push(line)).xml, log };
}

describe('local service: config.xml of a Cordova project', () => {
  it('uses the app’s values if config.xml has none', () => {
    const { xml } = project(undefined);
    assert.match(xml, /<widget xmlns="[^"]+" id="com\.example\.title" version="4\.5">/);
    assert.match(xml, /<name>Title<\/name>\s*<description>Words<\/description>\s*<content src="index\.html" \/>/);
  });

  it('keeps safe elements that apply to the platform', () => {
    const { xml, log } =
      project(`<widget id="com.a.b" version="1.2.3.4" android-versionCode="70" ios-CFBundleVersion="x">
      <name>Grüße &amp; Co</name><content src="start.html"/>
      <preference name="ORIENTATION" value="portrait"/><preference name="BackgroundColor" value="0xff00ff00"/>
      <platform name="android"><preference name="KeepRunning" value="false"/></platform>
      <platform name="ios"><preference name="DisallowOverscroll" value="true"/></platform>
      <access origin="*"/><access origin="https://*.example.com:8080/a"/><allow-navigation href="https://a.b/*"/>
      <allow-intent href="tel:*"/></widget>`);
    assert.deepEqual(log, []);
    assert.deepEqual(
      xml.split('\n').map((line) => line.trim()),
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<widget xmlns="http://www.w3.org/ns/widgets" id="com.a.b" version="1.2.3.4" android-versionCode="70">',
        '<name>Grüße &#38; Co</name>',
        '<description>Words</description>',
        '<content src="start.html" />',
        '<access origin="*" />',
        '<access origin="https://*.example.com:8080/a" />',
        '<allow-navigation href="https://a.b/*" />',
        '<allow-intent href="tel:*" />',
        '<preference name="ORIENTATION" value="portrait" />',
        '<preference name="BackgroundColor" value="0xff00ff00" />',
        '<preference name="KeepRunning" value="false" />',
        '</widget>',
        '',
      ],
    );
  });

  it('leaves out plugins of Capacitor, which Cordova can’t build with', () => {
    const names = ['@capacitor/core', '@capacitor-community/sqlite'];
    const { log } = project(
      `<widget id="a.b">${names.map((name) => `<plugin name="${name}" spec="^8.0.0"/>`).join('')}</widget>`,
    );
    assert.deepEqual(
      log,
      names.map((name) => `Plugin ${name}: it’s a Capacitor plugin, so Cordova builds the app without it.`),
    );
    assert.throws(() => project('<widget id="a.b"><plugin name="@capacitors/core"/></widget>'), BuildError);
  });

  it('leaves out unsafe elements, and logs their names', () => {
    const { xml, log } = project(`<widget id="com.a.b" version="1"><name>A</name>
      <content src="../../etc/passwd"/><hook type="before_prepare" src="x.js"/><hook type="after_prepare" src="y.js"/>
      <platform name="ios"><engine name="ios" spec="x"/></platform><splash src="x"/><splash src="y"/><exec>rm</exec>
      <preference name="GradleVersion" value="1"/><preference name="BackgroundColor" value="red'"/>
      <preference name="Fullscreen" value="yes"/><preference name="android-minSdkVersion" value="24; x"/>
      <preference name="__proto__" value="true"/><preference name="AndroidGradlePluginVersion" value="8.0.0"/>
      <preference name="SplashScreen" value="x.png"/><preference name="hostname" value="-a"/>
      <access origin="&quot;x"/><allow-navigation href="a b"/></widget>`);
    assert.ok(!/hook|preference|access|navigation|etc/.test(xml), xml);
    const preferences = ['GradleVersion', 'BackgroundColor', 'Fullscreen', 'android-minSdkVersion', '__proto__'];
    assert.deepEqual(log, [
      'config.xml: <hook> isn’t supported and is ignored.',
      'config.xml: <splash> isn’t supported and is ignored.',
      'config.xml: <exec> isn’t supported and is ignored.',
      'config.xml: <content src> doesn’t name a file of the app, so the app starts with index.html.',
      'config.xml: <access> with “x” doesn’t name an origin and is ignored.',
      'config.xml: <allow-navigation> with “a b” doesn’t name an origin and is ignored.',
      ...[...preferences, 'AndroidGradlePluginVersion', 'SplashScreen', 'hostname'].map(
        (name) => `config.xml: the preference “${name}” isn’t supported with this value and is ignored.`,
      ),
    ]);
  });

  const widget = (plugins: string): string => `<widget id="com.a.b" version="1"><name>A</name>${plugins}</widget>`;

  it('rejects a needed plugin that the engine lacks', () => {
    const { log } = project(
      widget(
        '<platform name="ios"><plugin name="unknown"/></platform><plugin spec="1.0"/>' +
          '<plugin name="org.apache.cordova.console"/><plugin name="cordova-plugin-whitelist"/>' +
          '<plugin spec="https://example.com/x/plugin-a.git" source="git"/>',
      ),
    );
    assert.deepEqual(log, [
      'config.xml: <plugin> isn’t supported and is ignored.',
      'Plugin org.apache.cordova.console: the app doesn’t need it.',
      'Plugin cordova-plugin-whitelist: the app doesn’t need it.',
      'Plugin plugin-a: the engine’s version 1.0.0 is used. The app requests https://example.com/x/plugin-a.git.',
    ]);
    for (const [plugin, message] of [
      ['name="unknown" spec="^1.0.0"', /^BuildError: Plugin not supported: unknown\. .* Run “Install Engine…”/],
      [
        'spec="git@example.com:x/plugin-b.git#1"',
        /^BuildError: Plugin not supported: plugin-b\. .* Specify a version from/,
      ],
    ] as const) {
      assert.throws(() => project(widget(`<plugin ${plugin}/>`)), message);
    }
  });

  it('accepts only plain values as plugin variables', () => {
    const withVariable = (name: string, value: string) =>
      project(widget(`<plugin name="plugin-a"><variable name="${name}" value="${value}"/></plugin>`));
    assert.deepEqual(withVariable('KEY', 'abc-123').log, []);
    for (const [name, value] of [
      ['KEY', '$(x)'],
      ['KEY', '&lt;x&gt;'],
      ['__proto__', 'x'],
      ['a b', 'x'],
    ] as const) {
      assert.throws(() => withVariable(name, value), /^BuildError: Plugin plugin-a: the variable/);
    }
  });

  it('starts with the website in <content>, and allows navigation to it', () => {
    const { xml, log } = project(
      '<widget id="a.b"><name>A</name><content src="https://shop.example/a?b=1&amp;c"/></widget>',
    );
    assert.match(
      xml,
      /<content src="https:\/\/shop\.example\/a\?b=1&#38;c" \/>\n {2}<allow-navigation href="https:\/\/shop\.example\/\*" \/>/,
    );
    assert.deepEqual(log, []);
    const odd = project('<widget id="a.b"><name>A</name><content src="https://shop.example/${x}"/></widget>');
    assert.match(odd.xml, /<content src="index\.html" \/>/);
    assert.equal(odd.log.length, 1);
  });

  it('replaces hyphens in the identifier with underscores, on Android only', () => {
    const app = { ...APP, package: 'com.a-b.c' };
    const [android, ios] = (['android', 'ios'] as const).map((platform) => project(undefined, { app, platform }).xml);
    assert.match(android ?? '', / id="com\.a_b\.c"/);
    assert.match(ios ?? '', / id="com\.a-b\.c"/);
  });

  it('rejects an identifier or a version that Cordova would copy into a build script', () => {
    const ids = [
      'single',
      'com.1a',
      'com.-b',
      'com.class.a',
      'com.a.',
      "com.a'",
      'com.ä.b',
      'com.a b',
      'a.'.repeat(99) + 'abc',
    ];
    for (const id of ids) {
      const app = { ...APP, package: id };
      assert.throws(() => project(undefined, { app }), /^BuildError: Invalid application identifier/, id);
    }
    for (const version of ['abc', '1.2.3.4.5', '1.', '1-', '1-b c', '1-$(x)', `1-${'b'.repeat(51)}`, "1'", '1 ']) {
      assert.throws(() => project(undefined, { app: { ...APP, version } }), /^BuildError: Invalid version/, version);
    }
  });

  it('keeps a version’s suffix, but uses only the numbers for iOS', () => {
    const text = '<widget id="com.a.b" version="1.5.0-beta.2"><name>A</name></widget>';
    const versions = (['android', 'ios'] as const).map((platform) => {
      const { xml, log } = project(text, { platform });
      return [/ version="([^"]*)"/.exec(xml.slice(xml.indexOf('<widget')))?.[1], ...log];
    });
    assert.deepEqual(versions, [
      ['1.5.0-beta.2'],
      ['1.5.0', 'Version 1.5.0-beta.2: iOS accepts only numbers, so the version is 1.5.0 there.'],
    ]);
  });

  it('writes well-formed XML with only allowed values, even for hostile names and values', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom('$', '{', '}', '"', "'", '`', '\\', '<', '>', '&', ']]>', '\0', '\u2028', '\uD800', '@', 'a'),
        )
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, text, text, text, (title, description, origin, value) => {
        let built: string;
        try {
          const config = {
            ...NO_CONFIG,
            ...{ accessOrigins: [origin], preferences: [{ name: 'AppendUserAgent', value }] },
            contentSrc: value,
          };
          built = project(undefined, { config, app: { ...APP, title, description } }).xml;
        } catch (error) {
          assert.ok(error instanceof BuildError);
          return;
        }
        const { root } = parseXml(built);
        const elements = (root?.children ?? []).filter((child) => child instanceof XmlElement);
        const names = new Set(elements.map(({ name }) => name));
        assert.deepEqual(
          [...names].filter((name) => !['name', 'description', 'content', 'access', 'preference'].includes(name)),
          [],
        );
        for (const { text: content, attributes } of elements) {
          assert.ok(
            ![content, ...Object.values(attributes)].some((each) => /[$`{}\\"'<>]|\p{Cc}(?<!\n)/u.test(each)),
            built,
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});
