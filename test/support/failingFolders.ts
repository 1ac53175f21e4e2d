/** Folders whose builds fail or seem likely to, with the findings that the check reports before the upload. */
import type { FindingCode, FindingVerdict } from '../../src/web-project/check/projectFinding.ts';
import type { Files } from './packing.ts';

export interface FailingFolder {
  readonly what: string;
  readonly files: Files;
  /** Platform of the build. */
  readonly platform?: 'android' | 'ios' | 'browser';
  /** Finding of the check. Undefined for a correct folder. */
  readonly finds: readonly [code: FindingCode, verdict: FindingVerdict] | undefined;
  /** Error of the built-in builder. Undefined if its build succeeds. */
  readonly builtin?: RegExp;
  /** Error of the Cordova builder's checks. Undefined if they pass. */
  readonly cordova?: RegExp;
}

const PAGE = '<!doctype html><title>Shop</title>';
const PAGES = { 'www/index.html': PAGE };

/** Returns a config.xml with these parts. */
export function config({ id = 'com.example.shop', version = '1.0.0', attributes = '', body = '' } = {}): string {
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n` +
    `<widget id="${id}" version="${version}" xmlns="http://www.w3.org/ns/widgets"${attributes}>\n` +
    `  <name>Shop</name>\n${body}</widget>\n`
  );
}

const folder = (xml: string | Buffer, files: Files = PAGES): Files => ({ 'config.xml': xml, ...files });
const INVALID_ID = /^Invalid application identifier/;
/** A folder with a config.xml that no builder can read. */
const malformed = (what: string, xml: string | Buffer, code: FindingCode = 'malformed'): FailingFolder => {
  const message = /^Malformed config\.xml/;
  return { what, files: folder(xml), finds: [code, 'fails'], builtin: message, cordova: message };
};
/** The plugin in the tests' engine requires API_KEY. */
const plugin = (inner: string) => config({ body: `  <plugin name="plugin-a" spec="1.0.0">${inner}</plugin>\n` });

export const FAILING_FOLDERS: readonly FailingFolder[] = [
  { what: 'a missing config.xml', files: PAGES, finds: undefined },
  { what: 'a single page at the top', files: { 'index.html': PAGE }, finds: undefined },
  malformed('config.xml with an unclosed element', config({ body: '  <description>Words\n' }), 'notClosed'),
  malformed('an empty config.xml', ''),
  malformed(
    'config.xml in UTF-16',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(config(), 'utf16le')]),
    'encoding',
  ),
  malformed(
    'a document type with entities',
    config().replace('<widget', '<!DOCTYPE widget [<!ENTITY x "y">]>\n<widget'),
    'doctype',
  ),
  malformed('config.xml larger than 1 MiB', config({ body: `<!--${'-x'.repeat(600_000)} -->` }), 'tooLarge'),
  malformed('another root element', '<foo/>', 'wrongRoot'),
  {
    what: 'a missing <name>',
    files: folder(config().replace(/ {2}<name>.*\n/, '')),
    finds: ['nameMissing', 'fails'],
    builtin: /^Malformed config\.xml: .*name/,
  },
  ...['single', 'com.example.class', 'com.2a.b', `com.${'a'.repeat(200)}`].map((id) => ({
    what: `the ID "${id.slice(0, 20)}"`,
    files: folder(config({ id })),
    finds: ['idMalformed', 'fails'] as const,
    builtin: INVALID_ID,
    cordova: INVALID_ID,
  })),
  { what: 'an ID with hyphens', files: folder(config({ id: 'com.my-shop.app' })), finds: undefined },
  { what: 'a version with a suffix', files: folder(config({ version: '1.2-beta' })), finds: undefined },
  {
    what: 'a name made of characters that a build removes',
    files: folder(config().replace('Shop', '${}')),
    finds: ['nameMissing', 'fails'],
    // The built-in builder uses the app's title at the service.
    cordova: /^Malformed config\.xml: name is missing/,
  },
  {
    what: 'a missing version',
    files: folder(config().replace(/ version="1.0.0"/, '')),
    finds: ['versionMissing', 'mayFail'],
  },
  {
    what: 'version "abc"',
    files: folder(config({ version: 'abc' })),
    finds: ['versionMalformed', 'fails'],
    builtin: /^Invalid version/,
    cordova: /^Invalid version/,
  },
  {
    what: 'www without index.html',
    files: folder(config(), { 'www/start.html': PAGE }),
    finds: ['notBuilt', 'fails'],
    // Packing fails with this error, so nothing is sent to the builder.
    builtin: /^The pages haven’t been built yet/,
    cordova: /^The app doesn’t have an index\.html/,
  },
  {
    what: 'a missing <content src>, beside index.html',
    files: folder(config({ body: '  <content src="main.html"/>\n' })),
    finds: ['startPageMissing', 'mayFail'],
  },
  {
    what: 'an existing <content src>, without index.html',
    files: folder(config({ body: '  <content src="main.html"/>\n' }), { 'www/main.html': PAGE }),
    finds: ['startPage', 'mayFail'],
  },
  {
    what: 'a page that .appbuildignore leaves out',
    files: folder(config(), { ...PAGES, 'www/app.js': '', '.appbuildignore': 'index.html\n' }),
    finds: ['startPageMissing', 'fails'],
    builtin: /^The app doesn’t have an index\.html/,
    cordova: /^The app doesn’t have an index\.html/,
  },
  {
    what: 'a missing icon',
    files: folder(config({ body: '  <icon src="res/icon.png"/>\n' })),
    finds: ['fileMissing', 'mayFail'],
  },
  {
    what: 'a plugin that the service lacks',
    files: folder(config({ body: '  <plugin name="plugin-x" spec="1.0.0"/>\n' })),
    finds: ['pluginNotSupported', 'fails'],
    cordova: /^Plugin not supported: plugin-x/,
  },
  {
    what: 'a plugin that the service lacks and the pages call',
    files: folder(config({ body: '  <plugin name="cordova-plugin-ble-central" spec="1.0.0"/>\n' }), {
      ...PAGES,
      'www/app.js': 'ble.scan([], 5);',
    }),
    finds: ['pluginNotSupported', 'fails'],
    builtin: /^Plugin not supported: cordova-plugin-ble-central \(www\/app\.js:1\)/,
    cordova: /^Plugin not supported: cordova-plugin-ble-central/,
  },
  {
    what: 'a plugin in package.json that the service lacks and the pages call',
    files: folder(config(), {
      ...PAGES,
      'www/app.js': 'ble.scan([], 5);',
      'package.json': '{ "cordova": { "plugins": { "cordova-plugin-ble-central": {} } } }',
    }),
    finds: ['pluginNotSupported', 'fails'],
    builtin: /^Plugin not supported: cordova-plugin-ble-central \(www\/app\.js:1\)/,
  },
  {
    what: 'a missing variable that the plugin requires',
    files: folder(plugin('')),
    finds: ['pluginVariable', 'fails'],
  },
  {
    what: 'a variable with an unsupported value',
    files: folder(plugin('<variable name="API_KEY" value="a;b$(c)"/>')),
    finds: ['pluginVariable', 'fails'],
    cordova: /^Plugin plugin-a: the variable/,
  },
  {
    what: 'a plugin with its variable',
    files: folder(plugin('<variable name="API_KEY" value="k-1"/>')),
    finds: undefined,
  },
  {
    what: 'spaces, international characters, and a byte order mark',
    files: folder(`\ufeff${config().replace('Shop', 'Laden Größe 珈琲')}`, { ...PAGES, 'www/a b/größe.js': '' }),
    finds: ['fileNames', 'mayFail'],
  },
];
