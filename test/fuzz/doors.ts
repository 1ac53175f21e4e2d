/** Every door that a foreign text comes in through, how much it lets in, and what it is given to stumble over. */
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { removeCredentials, withoutCredentialValues } from '../../src/api/credentials.ts';
import { BuildServiceError } from '../../src/api/errors/buildServiceError.ts';
import { readableMessage } from '../../src/api/http/failures.ts';
import { LinkResolver } from '../../src/api/hypermedia/links.ts';
import { readResource } from '../../src/api/hypermedia/readResource.ts';
import { isTemplate, templateVariables } from '../../src/api/hypermedia/templates.ts';
import { Redactor, redactUrl } from '../../src/api/redaction.ts';
import { absoluteUrl } from '../../src/api/serviceRequest.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { readApp } from '../../src/apps/model/app.ts';
import { readBuilds } from '../../src/apps/model/build.ts';
import { readBuilderSupport } from '../../src/apps/model/builderSupport.ts';
import { readCollaborators } from '../../src/apps/model/collaborator.ts';
import { readSigningKeys } from '../../src/apps/model/signingKey.ts';
import { logUpdates } from '../../src/builds/logs/followLog.ts';
import { LogText } from '../../src/builds/logs/logText.ts';
import { pathsInFolder } from '../../src/builds/logs/fileReferences.ts';
import { withDefaultBuild } from '../../src/builds/task/tasksJson.ts';
import { checkConfig } from '../../src/configXml/checkConfig.ts';
import { completionContext } from '../../src/configXml/editor/completionContext.ts';
import { suggestionsFor } from '../../src/configXml/editor/suggestions.ts';
import { parseXml } from '../../src/configXml/xmlDocument.ts';
import { certificateFacts } from '../../src/formats/certificates.ts';
import { checkPassword, factsOf, isKeyPassword, readKeyFile } from '../../src/formats/keyFile.ts';
import { createMask } from '../../src/localService/builds/buildLog.ts';
import { PackageError } from '../../src/localService/builds/packages/archiveContents.ts';
import { parseConfig } from '../../src/localService/builds/packages/packageConfig.ts';
import { checkPackage } from '../../src/localService/builds/packages/uploadedPackage.ts';
import { PageScan } from '../../src/formats/pageScan.ts';
import { readPage } from '../../src/projects/htmlPage.ts';
import { planFolder } from '../../src/projects/packing/folderPlan.ts';
import { withLine } from '../../src/projects/packing/ignoreRules.ts';
import { searchSecrets } from '../../src/projects/packing/secretSearch.ts';
import { pageFindings } from '../../src/projects/preflight/pageFindings.ts';
import { DiskTree, ProjectFolder } from '../../src/projects/projectFolder.ts';
import { packageJsonIn, readWebManifest } from '../../src/projects/projectJson.ts';
import { findWebProjects } from '../../src/projects/projectSearch.ts';
import { proposedId } from '../../src/configXml/checks/appId.ts';
import { ToolConfig } from '../../src/projects/tools/toolConfig.ts';
import { safeFileName } from '../../src/resources/downloads/fileName.ts';
import { zipOf } from '../support/archives.ts';
import { allAbsent } from '../support/configXml.ts';
import { fileUri, KNOWN_APP } from '../support/packing.ts';
import { nested, pumps, within, type MakeText } from './pumps.ts';

export interface Door {
  /** Characters, or bytes, of the longest text that it lets in. */
  readonly limit: number;
  /** Reads a text. What it throws is a fault, unless it {@link isRefusal | refuses} the text. */
  readonly read: (text: string) => unknown;
  /** What it alone is given. */
  readonly inputs?: Readonly<Record<string, MakeText>>;
  /** It takes no text but that. */
  readonly isSpecial?: true;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** One that can be written in many ways, one of one letter, a short one, and a long one. */
const SECRETS = ['aA0%2B"\\/&<é tok-en', 'aaaaaaaab', 'pa55', 'x'.repeat(300)];

export const redactor = new Redactor();
redactor.add(...SECRETS);

const ROOT = '<widget id="com.example.app" version="1.0.0"><name>A</name>';
const CONFIGS: Readonly<Record<string, MakeText>> = {
  ...pumps({
    'white space in an open value': ['<widget a="b', ' '],
    '> and < in an open value': ['<widget a="', '>\n<'],
    'unknown attributes': [`${ROOT}<icon `, 'a§="" ', '/></widget>'],
    'attributes of the root': ['<widget ', 'android-§="" ', '/>'],
    'elements of Cordova in each other': [ROOT, '<platform name="a">'],
    'levels that are read': [ROOT, '<platform name="a">'.repeat(400) + '</platform>'.repeat(400), '</widget>'],
    'misplaced elements': [ROOT, '<feature>'],
    'unknown elements': [ROOT, '<preferenc§/>', '</widget>'],
    'unknown preferences': [ROOT, '<preference name="P§"/>', '</widget>'],
    icons: [ROOT, '<icon src="§"/>', '</widget>'],
    variables: [`${ROOT}<plugin name="x">`, '<variable name="§"/>', '</plugin></widget>'],
    'unknown entities': [ROOT, '&b;', '</widget>'],
    'the root again and again': ['', '<widget '],
    'carriage returns': ['<widget><name>', '\r', '</name></widget>'],
    'a name of many words': ['<widget><name>', 'a ', '</name></widget>'],
    'texts of references': ['<widget><name>', '&#65;', '</name></widget>'],
    'texts of CDATA': ['<widget><name>', '<![CDATA[]]>', '</name></widget>'],
    prefixes: [ROOT, '<p§:a/>', '</widget>'],
    'a comment': ['<!--', '- \r\n', '--><widget/>'],
    'a declaration': ['<?xml ', ' encoding', '?><widget/>'],
    'a doctype': ['<!DOCTYPE widget [', '] ', ']><widget/>'],
  }),
  'elements in elements': nested('<a>', '</a>', '<widget>', '', '</widget>'),
};

const LINES = pumps({
  'lines of a build': ['', '> Task :app:compileDebugJavaWithJavac UP-TO-DATE and more words\n'],
  'errors of files': ['', 'www/js/app.js:3:5: error: Unexpected token\n'],
  'a place in spaces': ['', `a.js:1${' '.repeat(3_900)}!\n`],
  colours: ['', '\u001b[31ma\u001b[0mb'],
  'long lines of colours': ['', `${'\u001b[31ma'.repeat(600)}\n`],
  'what is nearly a secret': ['', 'aaaaaaaa '],
  'one long line': ['', 'error www/a.js:3:5 <a>(a.a.. 00:00:00 \u001b]8;; \u001b[3'],
  'dots that end no name': ['', `${'.'.repeat(4_000)}a `],
  'spaces between colons and dashes': ['', `a.js:1${' '.repeat(900)}:${' '.repeat(900)}-!`],
});

const SCRIPTS = pumps({
  names: ['let ', 'a§,', 'b; export default b'],
  'functions in each other': ['export default ', 'a=>', '0'],
  calls: ['export default ', '<a>('],
  'a chain of constants': ['const a0 = {};', 'const a§ = {...a0, ...a§};', ' export default a9'],
  'one long list': ['export default { base: [', '"a",', '] }'],
  groups: ['export default /', '(?<a>b)|', '/'],
});

const PAGES = pumps({
  scripts: ['', '<script src="§.js"></script>'],
  'a base and scripts': ['<base href="/a/">', '<script src="b.js"></script>'],
  policies: ['', `<meta http-equiv="content-security-policy" content="${'script-src a;'.repeat(50)}">`],
  attributes: ['<a ', 'a§=b ', '>'],
});

const RULES = pumps({
  stars: ['', '**/a*§*b/**/c\n'],
  'one long rule': ['', '*a'],
  'rules that take in': ['', '!x§\n'],
});

const APPS = pumps({
  'apps with the fewest members': ['{"apps":[', '{"title":"a","link":"/api/v1/apps/§"},', '{}]}'],
  'messages of open comments': [
    '{"apps":[',
    `{"title":"a","link":"/1","status":{"android":"error"},"error":{"android":"${'<!--'.repeat(500)}"}},`,
    '{}]}',
  ],
  platforms: ['{"title":"a","link":"/api/v1/apps/1","status":{', '"p§":null,', '"a":null}}'],
  builds: ['{"builds":[', '{"platform":"a§","title":"c"},', '{}]}'],
  people: ['{"collaborators":{"active":[', '{"person":"b§","name":"d"},', '{}]}}'],
  keys: ['{"keys":{"android":{"all":[', '{"title":"c","link":"/api/v1/keys/a/§"},', '{}]}}}'],
  plugins: ['{"plugins":[', '"p§",', '"a"],"unavailable":{}}'],
});

const FIELDS = pumps({
  'distinct names': ['', '§=&'],
  'few long fields': ['', `${'a'.repeat(1000)}=${'%41'.repeat(1000)}&`],
  'nested, distinct': ['', 'a[§][§]=1&'],
  'a deep name': ['a', '[b]', '=1'],
  'a list': ['title=x&platforms=', 'a,'],
  'an e-mail address': ['email=', 'a@b.'],
  'a repository': ['create_method=remote_repo&repo=https://a/', 'a/../'],
  'members of data': ['data={"a":1', ',"§":1', '}'],
  'an array in data': ['data={"a":[1', ',1', ']}'],
  'levels of data': ['data=', '{"a":['],
  'escapes in data': ['data={"title":"', '\\u0041', '"}'],
});

/** Names of the files in an archive, each in a line. */
const NAMES = pumps({
  flat: ['', '§.js\n'],
  'that differ by a letter': ['', `www/${'a'.repeat(70)}§\n`],
  'deep pages': ['', `${'a/'.repeat(40)}§/index.html\n`],
  'deep pages with long names': ['', `${'abcdefghijklmnop/'.repeat(45)}§/index.html\n`],
  'deep configurations': ['', `${'a/'.repeat(40)}§/config.xml\n`],
  'folders of their own': ['', `§/${'b/'.repeat(45)}x\n`],
});

/** A number of a key file in Latin-1, in which each character is a byte. */
const uint = (value: number, bytes: number): string => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer.toString('latin1');
};
const der = (tag: string, content: string): string => `${tag}\x84${uint(content.length, 4)}${content}`;
const javaKeystore = (entries: number, content: string): string =>
  `\xfe\xed\xfe\xed${uint(2, 4)}${uint(entries, 4)}${content}${'a'.repeat(20)}`;
const javaEntry = (tag: 1 | 2, content: string): string => `${uint(tag, 4)}${uint(1, 2)}a${'\0'.repeat(8)}${content}`;
const javaCertificate = `${uint(5, 2)}X.509${uint(1, 4)}a`;
const DATA_TYPE = Buffer.from('06092a864886f70d010701', 'hex').toString('latin1');
const BAG_TYPE = Buffer.from('060b2a864886f70d010c0a0101', 'hex').toString('latin1');
const PROTECTOR = Buffer.from('300e060a2b060104012a021101010500', 'hex').toString('latin1');
const pkcs12 = (bags: string): string => {
  const data = (content: string): string => der('0', DATA_TYPE + der('\xa0', der('\x04', content)));
  return der('0', `\x02\x01\x03${data(der('0', data(bags)))}`);
};
const repeated =
  (piece: string, make: (count: number, pieces: string) => string): MakeText =>
  (length) => {
    const count = Math.floor((length - 200) / piece.length);
    return make(count, piece.repeat(count));
  };

const KEY_FILES: Readonly<Record<string, MakeText>> = {
  'JKS with certificates': repeated(javaEntry(2, javaCertificate), javaKeystore),
  'JKS with keys': repeated(javaEntry(1, '\0'.repeat(8)), javaKeystore),
  'JKS with a chain': repeated(javaCertificate, (count, chain) =>
    javaKeystore(1, javaEntry(1, uint(0, 4) + uint(count, 4) + chain)),
  ),
  'JKS with a long key': repeated('\0', (_count, key) => {
    const encrypted = der('0', PROTECTOR + der('\x04', key));
    return javaKeystore(1, javaEntry(1, uint(encrypted.length, 4) + encrypted + uint(0, 4)));
  }),
  'PKCS#12 with bags': repeated(der('0', BAG_TYPE + der('\xa0', der('0', ''))), (_count, bags) =>
    pkcs12(der('0', bags)),
  ),
  'PKCS#12 with elements': repeated('\x05\0', (_count, elements) => pkcs12(der('0', elements))),
  'PKCS#12 of open sequences': within('0\x80\x02\x01\x03', '0\x80'),
  'a certificate of sequences': repeated('0\0', (_count, parts) => der('0', parts)),
  ...pumps({
    'certificates of a profile': ['<?xml <key>DeveloperCertificates</key>', '<data>AAAA</data>', '</array></plist>'],
    'open certificates of a profile': ['<?xml <key>DeveloperCertificates</key>', '<data>', '</array></plist>'],
  }),
};

const RESPONSE_URL = 'https://build.example/api/v1/apps/1';
const resolver = new LinkResolver(RESPONSE_URL);
const service = parseServiceUrl('https://build.example');
const mask = createMask(['P&ss<w"ör d\'9', 'a'.repeat(255), 'line\nline', ...SECRETS]);

/** True for the error of a reader that refuses a text. */
export function isRefusal(error: unknown): boolean {
  return error instanceof BuildServiceError || error instanceof PackageError;
}

function orRefused(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!isRefusal(error)) {
      throw error;
    }
  }
}

/** The JSON value of an answer; other answers are a text in it. */
function readModels(text: string): void {
  const isJson = /^\{.*\}$/s.test(text) && parses(text);
  const value: unknown = isJson ? JSON.parse(text) : { title: text, error: { android: text }, builds: [text] };
  const resource = readResource({ value, url: RESPONSE_URL, headers: {}, mediaType: 'application/json' });
  for (const read of [readApp, readBuilds, readCollaborators, readSigningKeys, readBuilderSupport]) {
    read(resource, RESPONSE_URL);
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function followLog(text: string): Promise<void> {
  const part = { text, nextOffset: text.length, completed: true };
  const unread = { read: () => Promise.resolve(part), hideSecrets: (lines: string) => redactor.hideSecrets(lines) };
  const log = new LogText();
  for await (const update of logUpdates(unread, { signal: new AbortController().signal })) {
    log.append(update.text);
  }
  log.references.forEach(({ reference }) => pathsInFolder(reference.path, '/home/me/app'));
}

function editConfigXml(text: string): void {
  const document = parseXml(text);
  checkConfig(document, allAbsent(document));
  for (const offset of [text.length, Math.floor(text.length / 2)]) {
    const context = completionContext(text, offset);
    if (context !== undefined) {
      suggestionsFor(context);
    }
  }
}

async function readKey(text: string): Promise<void> {
  const bytes = Buffer.from(text, 'latin1');
  const file = await readKeyFile(bytes);
  factsOf(file, 'a');
  certificateFacts(bytes);
  if (file.kind === 'jks') {
    await checkPassword(file, 'x');
    isKeyPassword(file, 'a', 'x');
  }
}

/** Doors of the extension but for an answer of the service. @param folder of a project, in which files are written */
export function doorsOfExtension(folder: string): Readonly<Record<string, Door>> {
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  const planProjects = async (): Promise<void> => {
    const tree = new DiskTree(folder);
    for (const project of await findWebProjects(fileUri(folder))) {
      await planFolder(new ProjectFolder(tree, project.path), project, { known: KNOWN_APP });
    }
  };
  return {
    'apps, builds, keys, people': { limit: MIB, read: readModels, inputs: APPS },
    'log that is shown': { limit: 4 * MIB, read: followLog, inputs: LINES },
    'config.xml in the editor': { limit: MIB, read: editConfigXml, inputs: CONFIGS },
    'ignore file': {
      limit: 256 * KIB,
      read: async (text) => {
        await write('.gitignore', text);
        await planProjects();
        withLine(text, { path: 'a/b.txt', isFolder: false });
      },
      inputs: RULES,
    },
    'file that is searched for secrets': {
      limit: 4 * MIB,
      read: async (text) => {
        await write('secrets.txt', text);
        const file = { path: 'www/a.txt', uri: fileUri(path.join(folder, 'secrets.txt')), mode: 0o600 };
        const { size: sizeBytes, mtimeMs: modifiedMs, ino: inode } = await stat(file.uri.fsPath);
        await searchSecrets([{ file: { ...file, sizeBytes, modifiedMs, inode }, names: ['a.txt'] }]);
      },
      inputs: pumps({
        'identifiers without keys': ['', 'AKIAQWERTYUIOPASDFGH '],
        tokens: ['', `ghp_${'aB3dE6gH9j'.repeat(4)} `],
        'beginnings of keys': ['', '-----BEGIN RSA PRIVATE KEY-----\n'],
      }),
    },
    'key file': { limit: MIB - 200, read: readKey, inputs: KEY_FILES },
    page: {
      limit: MIB,
      read: (html) => {
        const page = readPage(html);
        pageFindings({ page, html, path: 'www/index.html', has: () => false, reasonAgainst: () => undefined });
      },
      inputs: PAGES,
    },
    'scripts of the pages': {
      limit: 4 * MIB,
      read: (text) => {
        const scan = new PageScan([{ name: 'cordova-plugin-file' }]);
        scan.read('a.js', text);
        scan.read('a.html', text);
        return [scan.http, scan.permissions, scan.pluginUses];
      },
      inputs: pumps({
        'calls of plugins': ['', 'navigator.camera.a();\n'],
        tests: ['', "if (window.plugins['a'] && typeof "],
        constraints: ['getUserMedia(a);', 'a={video:'],
        addresses: ['"http://a.test"', 'fetch(a, "http://b§.test", url:'],
        elements: ['"http://a.test"', '<link rel=stylesheet href= <a onclick="'],
        templates: ['', '`${=/['],
        comments: ['', '/*<!--<script>'],
      }),
    },
    'configuration of a build tool': {
      limit: 256 * KIB,
      read: (text) => new ToolConfig('vite.config.ts', text).at('build', 'outDir').kind,
      inputs: SCRIPTS,
    },
    'package.json': { limit: 256 * KIB, read: (text) => [packageJsonIn(text), readWebManifest(text)] },
    'tasks.json': {
      limit: 256 * KIB,
      read: (text) => withDefaultBuild(text, 'build'),
      inputs: pumps({ 'default builds': ['{"tasks":[', '{"group":{"kind":"build","isDefault":true}},', '{}]}'] }),
    },
    'Link header': {
      limit: 16 * KIB,
      read: (link) => readResource({ value: {}, url: RESPONSE_URL, headers: { link }, mediaType: 'application/json' }),
      inputs: pumps({
        values: ['', '</§>;rel=a,'],
        relations: ['</>;rel="', 'a§ ', '"'],
        anchors: ['', '</§>;rel=a;anchor="/",'],
        'open quotes': ['<a>;a="', '\\"'],
      }),
    },
    'text for the log': {
      limit: 4 * MIB,
      read: (text) => [
        redactor.redact(text),
        redactUrl(`https://h/${text}`, redactor),
        readableMessage(text, redactor),
      ],
    },
    address: {
      limit: MIB,
      read: (text) => {
        resolver.target(text);
        resolver.target(`/x${text}y`);
        if (isTemplate(text)) {
          templateVariables(text);
        }
        safeFileName(`${text}y`, text, `https://h/${text}y`);
        proposedId(text, `a@b.c:${text}`);
        orRefused(() => absoluteUrl(`/${text}y`, service));
        orRefused(() => parseServiceUrl(`https://h/${text}y`));
      },
    },
    // The URL parser is not ours. What it takes for the longest address counts.
    'longest address': {
      limit: 8 * KIB - 1,
      read: (text) => {
        resolver.target(`/${text}`);
        removeCredentials(new URL(`https://h/?${text}#${text}`));
        withoutCredentialValues(text);
      },
    },
  };
}

/** Sends a request to the local service. */
export type Send = (
  path: string,
  request?: { readonly type?: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> },
) => Promise<void>;

/** Doors of the local service. @param newPath of a file that does not exist */
export function doorsOfService(send: Send, token: () => string, newPath: () => string): Readonly<Record<string, Door>> {
  const URLENCODED = 'application/x-www-form-urlencoded';
  const api = () => ({ Authorization: `token ${token()}` });
  const field = (name: string, text: string) => new URLSearchParams({ [name]: text }).toString();
  return {
    'form of a page': {
      limit: 64 * KIB,
      read: (body) => send('/sign-in', { type: URLENCODED, body }),
      inputs: FIELDS,
    },
    'form of another website': {
      limit: MIB,
      read: (body) => send('/authorize', { type: URLENCODED, body, headers: { Origin: 'https://evil.example' } }),
    },
    'form of an exchange': {
      limit: 64 * KIB,
      read: (body) => send('/authorize/token', { type: URLENCODED, body }),
      inputs: FIELDS,
    },
    'form of the API': {
      limit: 256 * KIB,
      read: (body) => send('/api/v1/apps', { type: URLENCODED, body, headers: api() }),
      inputs: FIELDS,
    },
    'JSON of the API': {
      limit: 256 * KIB,
      read: (body) => send('/api/v1/apps', { type: 'application/json', body, headers: api() }),
      inputs: pumps({
        members: ['{"a":1', ',"§":1', '}'],
        numbers: ['{"a":[1', ',1', ']}'],
        escapes: ['{"title":"', '\\u0041', '"}'],
      }),
    },
    // Each name is in a part of a hundred bytes and more.
    'multipart form': {
      limit: 8 * KIB,
      read: (text) => {
        const head = 'Content-Disposition: form-data; name=';
        const parts = text.split(',').map((name) => `--x\r\n${head}"${name.replaceAll('"', '')}"\r\n\r\n\r\n`);
        const body = `${parts.join('')}--x--\r\n`;
        return send('/api/v1/apps', { type: 'multipart/form-data; boundary=x', body, headers: api() });
      },
      inputs: pumps({ 'distinct names': ['', '§,'], 'nested names': ['', `${'a[b][]'.repeat(100)},`] }),
    },
    'fields with rules of their own': {
      limit: 64 * KIB,
      read: async (text) => {
        await send('/api/v1/apps/1001/collaborators', { type: URLENCODED, body: field('email', text), headers: api() });
        const body = `publisher_id=x&${field('title', text)}`;
        await send('/api/v1/keys/winphone', { type: URLENCODED, body, headers: api() });
      },
    },
    'head of a request': {
      limit: 14 * KIB,
      read: async (text) => {
        const header = text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
        await send(`/api/v1/apps?${encodeURI(text).slice(0, 14 * KIB)}`, { headers: api() });
        await send(`/api/v1/me?callback=${encodeURIComponent(text).slice(0, 14 * KIB)}&auth_token=${token()}`);
        await send('/account', { headers: { Cookie: header } });
        await send('/api/v1/me', { headers: { Authorization: `token ${header}` } });
        await send('/api/v1/me', { headers: { Authorization: header } });
      },
      inputs: FIELDS,
    },
    // To check a password takes its time, whatever it is.
    'basic credentials': {
      limit: 14 * KIB,
      read: (text) => send('/api/v1/me', { headers: { Authorization: `Basic ${text}` } }),
      inputs: pumps({ spaces: ['', ' '], names: ['', 'YTphYTph'], empty: ['', '='] }),
      isSpecial: true,
    },
    'config.xml of a package': {
      limit: MIB,
      read: (text) => parseConfig(Buffer.from(text)),
      inputs: CONFIGS,
    },
    'directory of a package': {
      limit: MIB,
      read: async (text) => {
        const file = newPath();
        // Folders count, too.
        await writeFile(file, zipOf(text.split('\n', 9_900).map((name) => ({ name }))));
        await checkPackage(file);
      },
      inputs: NAMES,
      isSpecial: true,
    },
    'log of a build': { limit: MIB, read: mask, inputs: LINES },
  };
}
