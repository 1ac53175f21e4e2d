/** Folders whose builds fail, or of which one could think so, with what a check says of each before the upload. */
import type { FindingCode, Verdict } from '../../src/projects/preflight/finding.ts';
import type { Files } from './packing.ts';

export interface FailingFolder {
  readonly what: string;
  readonly files: Files;
  /** Whose build it is about. */
  readonly platform?: 'android' | 'ios' | 'browser';
  /** What a check finds; undefined for a folder that is right. */
  readonly finds: readonly [code: FindingCode, verdict: Verdict] | undefined;
  /** What the built-in builder fails with; undefined where it builds. */
  readonly builtin?: RegExp;
  /** What the checks of the Cordova builder fail with; undefined where they let it pass. */
  readonly cordova?: RegExp;
}

const PAGE = '<!doctype html><title>Shop</title>';
const PAGES = { 'www/index.html': PAGE };

/** A config.xml with these parts. */
export function config({ id = 'com.example.shop', version = '1.0.0', attributes = '', body = '' } = {}): string {
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n` +
    `<widget id="${id}" version="${version}" xmlns="http://www.w3.org/ns/widgets"${attributes}>\n` +
    `  <name>Shop</name>\n${body}</widget>\n`
  );
}

const folder = (xml: string | Buffer, files: Files = PAGES): Files => ({ 'config.xml': xml, ...files });
const INVALID_ID = /^Invalid application identifier/;
/** A config.xml that no builder reads. */
const malformed = (what: string, xml: string | Buffer, code: FindingCode = 'malformed'): FailingFolder => {
  const message = /^Malformed config\.xml/;
  return { what, files: folder(xml), finds: [code, 'fails'], builtin: message, cordova: message };
};
/** The plugin that the engine of the tests has requires API_KEY. */
const plugin = (inner: string) => config({ body: `  <plugin name="plugin-a" spec="1.0.0">${inner}</plugin>\n` });

export const FAILING_FOLDERS: readonly FailingFolder[] = [
  { what: 'no config.xml', files: PAGES, finds: undefined },
  { what: 'only a page at the top', files: { 'index.html': PAGE }, finds: undefined },
  malformed('config.xml with an element that is never closed', config({ body: '  <description>Words\n' }), 'notClosed'),
  malformed('config.xml is empty', ''),
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
    what: '<name> is missing',
    files: folder(config().replace(/ {2}<name>.*\n/, '')),
    finds: ['nameMissing', 'fails'],
    builtin: /^Malformed config\.xml: .*name/,
  },
  ...['single', 'com.example.class', 'com.2a.b', `com.${'a'.repeat(200)}`].map((id) => ({
    what: `the id ${id.slice(0, 20)}`,
    files: folder(config({ id })),
    finds: ['idMalformed', 'fails'] as const,
    builtin: INVALID_ID,
    cordova: INVALID_ID,
  })),
  { what: 'an id with hyphens', files: folder(config({ id: 'com.my-shop.app' })), finds: undefined },
  { what: 'a version with a suffix', files: folder(config({ version: '1.2-beta' })), finds: undefined },
  {
    what: 'a name of characters that a build leaves out',
    files: folder(config().replace('Shop', '${}')),
    finds: ['nameMissing', 'fails'],
    // The built-in builder takes the title that the app has at the service.
    cordova: /^Malformed config\.xml: name is missing/,
  },
  {
    what: 'the version is missing',
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
    // Nothing is sent.
    builtin: /^The pages aren’t built yet/,
    cordova: /^App has no index\.html/,
  },
  {
    what: '<content src> that is not there, beside index.html',
    files: folder(config({ body: '  <content src="main.html"/>\n' })),
    finds: ['startPageMissing', 'mayFail'],
  },
  {
    what: '<content src> that is there, without index.html',
    files: folder(config({ body: '  <content src="main.html"/>\n' }), { 'www/main.html': PAGE }),
    finds: ['startPage', 'mayFail'],
  },
  {
    what: 'the page is left out by .appbuildignore',
    files: folder(config(), { ...PAGES, 'www/app.js': '', '.appbuildignore': 'index.html\n' }),
    finds: ['startPageMissing', 'fails'],
    builtin: /^App has no index\.html/,
    cordova: /^App has no index\.html/,
  },
  {
    what: 'an icon that is not there',
    files: folder(config({ body: '  <icon src="res/icon.png"/>\n' })),
    finds: ['fileMissing', 'mayFail'],
  },
  {
    what: 'a plugin that the service does not have',
    files: folder(config({ body: '  <plugin name="plugin-x" spec="1.0.0"/>\n' })),
    finds: ['pluginNotSupported', 'fails'],
    cordova: /^Plugin not supported: plugin-x/,
  },
  {
    what: 'a plugin that the service does not have, and the pages call',
    files: folder(config({ body: '  <plugin name="cordova-plugin-ble-central" spec="1.0.0"/>\n' }), {
      ...PAGES,
      'www/app.js': 'ble.scan([], 5);',
    }),
    finds: ['pluginNotSupported', 'fails'],
    builtin: /^Plugin not supported: cordova-plugin-ble-central \(www\/app\.js:1\)/,
    cordova: /^Plugin not supported: cordova-plugin-ble-central/,
  },
  {
    what: 'such a plugin that package.json names',
    files: folder(config(), {
      ...PAGES,
      'www/app.js': 'ble.scan([], 5);',
      'package.json': '{ "cordova": { "plugins": { "cordova-plugin-ble-central": {} } } }',
    }),
    finds: ['pluginNotSupported', 'fails'],
    builtin: /^Plugin not supported: cordova-plugin-ble-central \(www\/app\.js:1\)/,
  },
  {
    what: 'a variable that the plugin requires is missing',
    files: folder(plugin('')),
    finds: ['pluginVariable', 'fails'],
  },
  {
    what: 'a variable with a value that is not passed on',
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
    what: 'spaces, other scripts and a byte order mark',
    files: folder(`\ufeff${config().replace('Shop', 'Laden Größe 珈琲')}`, { ...PAGES, 'www/a b/größe.js': '' }),
    finds: ['fileNames', 'mayFail'],
  },
];
