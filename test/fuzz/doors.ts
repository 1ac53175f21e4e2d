/** Every door through which untrusted text enters, its size limit, and difficult inputs for it. */
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { absoluteUrl, removeCredentials, withoutCredentialValues } from '../../src/service-client/credentials.ts';
import { BuildServiceError } from '../../src/errors/buildServiceError.ts';
import { readableMessage } from '../../src/service-client/http/failures.ts';
import { parseJson } from '../../src/service-client/http/response.ts';
import { LinkResolver } from '../../src/service-client/hypermedia/links.ts';
import { readResource } from '../../src/service-client/hypermedia/readResource.ts';
import { isTemplate, templateVariables } from '../../src/service-client/hypermedia/templates.ts';
import { Redactor, redactUrl } from '../../src/service-client/redaction.ts';
import { parseServiceUrl } from '../../src/service-client/serviceUrl.ts';
import { readApp } from '../../src/extension/apps/model/app.ts';
import { readBuilds } from '../../src/extension/apps/model/build.ts';
import { readBuilderSupport } from '../../src/extension/apps/model/readBuilderSupport.ts';
import { readCollaborators } from '../../src/extension/apps/model/collaborator.ts';
import { readSigningKeys } from '../../src/extension/apps/model/signingKey.ts';
import { logUpdates } from '../../src/extension/apps/builds/logs/followLog.ts';
import { LogText } from '../../src/extension/apps/builds/logs/logText.ts';
import { pathsInFolder } from '../../src/web-project/fileReferences.ts';
import { withDefaultBuild } from '../../src/extension/apps/builds/task/tasksJson.ts';
import { checkConfig } from '../../src/config-xml/checkConfig.ts';
import { completionContext } from '../../src/extension/config-editor/completionContext.ts';
import { suggestionsFor } from '../../src/extension/config-editor/suggestions.ts';
import { parseXml } from '../../src/config-xml/xmlDocument.ts';
import { certificateFacts } from '../../src/android-package/keys/certificates.ts';
import { checkPassword, getFileFacts, isKeyPassword, readKeyFile } from '../../src/android-package/keys/keyFile.ts';
import { createMask } from '../../src/build-service/builds/buildLog.ts';
import { parseConfig, PackageError } from '../../src/android-package/config/packageConfig.ts';
import { checkPackage } from '../../src/build-service/builds/packages/uploadedPackage.ts';
import { PageScan } from '../../src/android-package/pages/pageScan.ts';
import { readPage } from '../../src/web-project/htmlPage.ts';
import { planPackage } from '../../src/web-project/packing/folderPlan.ts';
import { withLine } from '../../src/web-project/packing/ignoreRules.ts';
import { searchSecrets } from '../../src/web-project/packing/secretSearch.ts';
import { pageFindings } from '../../src/web-project/check/pageFindings.ts';
import { DiskTree, ProjectFolder } from '../../src/web-project/projectFolder.ts';
import { packageJsonIn, readWebManifest } from '../../src/web-project/projectJson.ts';
import { findWebProjects } from '../../src/web-project/projectSearch.ts';
import { proposedId } from '../../src/config-xml/checks/appId.ts';
import { ToolConfig } from '../../src/web-project/tools/toolConfig.ts';
import { safeFileName } from '../../src/service-client/http/fileName.ts';
import { createZip } from '../support/archives.ts';
import { allAbsent } from '../support/configXml.ts';
import { fileUri, KNOWN_APP } from '../support/packing.ts';
import { nested, pumps, within, type MakeText } from './pumps.ts';

export interface Door {
  /** Maximum length of accepted text, in characters or bytes. */
  readonly limit: number;
  /** Reads text. An error is a fault, unless it {@link isRefusal | rejects} the text. */
  readonly read: (text: string) => unknown;
  /** Additional inputs for this door. */
  readonly inputs?: Readonly<Record<string, MakeText>>;
  /** True if the door accepts only those inputs. */
  readonly isSpecial?: true;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** A secret with many encodings, one that repeats a letter, a short one, and a long one. */
const SECRETS = ['aA0%2B"\\/&<é tok-en', 'aaaaaaaab', 'pa55', 'x'.repeat(300)];

export const redactor = new Redactor();
redactor.add(...SECRETS);

const ROOT = '<widget id="com.example.app" version="1.0.0"><name>A</name>';
const CONFIGS: Readonly<Record<string, MakeText>> = {
  ...pumps(
    ['<widget a="', '>\n<'],
    [`${ROOT}<icon `, 'a§="" ', '/></widget>'],
    [ROOT, '<platform name="a">'.repeat(400) + '</platform>'.repeat(400), '</widget>'],
    [ROOT, '<preferenc§/><preference name="P§"/>', '</widget>'],
    [`${ROOT}<plugin name="x">`, '<variable name="§"/>', '</plugin></widget>'],
    ['<widget><name>', '&#65;\r<![CDATA[]]> &b;', '</name></widget>'],
    ['<!--', '- \r\n', '--><widget/>'],
    ['<?xml ', ' encoding', '?><widget/>'],
    ['<!DOCTYPE widget [', '] ', ']><widget/>'],
  ),
  'elements in elements': nested('<a>', '</a>', '<widget>', '', '</widget>'),
};

const LINES = pumps(
  ['', '> Task :app:compileDebugJavaWithJavac UP-TO-DATE and more words\n'],
  ['', 'www/js/app.js:3:5: error: Unexpected token\n'],
  ['', `a.js:1${' '.repeat(3_900)}!\n`],
  ['', `${'\u001b[31ma'.repeat(600)}\n`],
  ['', 'error www/a.js:3:5 <a>(a.a.. 00:00:00 \u001b]8;; \u001b[3'],
  ['', `${'.'.repeat(4_000)}a `],
);

const FIELDS = pumps(
  ['', '§=&'],
  ['', `${'a'.repeat(1000)}=${'%41'.repeat(1000)}&`],
  ['', 'a[§][§]=1&'],
  ['a', '[b]', '=1'],
  ['title=x&platforms=', 'a,'],
  ['create_method=remote_repo&repo=https://a/', 'a/../'],
  ['data={"a":1', ',"§":1', '}'],
  ['data=', '{"a":['],
);

/** Returns a key file with as many parts as fit, in Latin-1, in which each character is a byte. */
const createKeyFile =
  (piece: string, make: (count: number, pieces: string) => string): MakeText =>
  (length) => {
    const count = Math.floor((length - 200) / piece.length);
    return make(count, piece.repeat(count));
  };
const bytes = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');
const uint32 = (value: number): string => bytes(value.toString(16).padStart(8, '0'));
const der = (tag: string, content: string): string => `${bytes(tag)}\x84${uint32(content.length)}${content}`;
const javaKeystore = (entries: number, content: string): string =>
  `${bytes('feedfeed00000002')}${uint32(entries)}${content}${'a'.repeat(20)}`;
const javaCertificate = `${bytes('0005')}X.509${uint32(1)}a`;
const pkcs12 = (bags: string): string => {
  const data = (content: string): string => der('30', bytes('06092a864886f70d010701') + der('a0', der('04', content)));
  return der('30', `\x02\x01\x03${data(der('30', data(der('30', bags))))}`);
};
const javaEntry = `${bytes('000000020001')}a${'\0'.repeat(8)}${javaCertificate}`;
const bag = der('30', bytes('060b2a864886f70d010c0a0101') + der('a0', der('30', '')));

const KEY_FILES: Readonly<Record<string, MakeText>> = {
  'JKS with certificates': createKeyFile(javaEntry, javaKeystore),
  'JKS with a chain': createKeyFile(javaCertificate, (count, chain) =>
    javaKeystore(1, `${bytes('000000010001')}a${'\0'.repeat(8)}${uint32(0)}${uint32(count)}${chain}`),
  ),
  'PKCS#12 with bags': createKeyFile(bag, (_count, bags) => pkcs12(bags)),
  'PKCS#12 of open sequences': within('0\x80\x02\x01\x03', '0\x80'),
  'a certificate of sequences': createKeyFile('0\0', (_count, parts) => der('30', parts)),
  ...pumps(['<?xml <key>DeveloperCertificates</key>', '<data>AAAA</data><data>', '</array></plist>']),
};

const RESPONSE_URL = 'https://build.example/api/v1/apps/1';
const resolver = new LinkResolver(RESPONSE_URL);
const service = parseServiceUrl('https://build.example');
const mask = createMask(['P&ss<w"ör d\'9', 'a'.repeat(255), 'line\nline', ...SECRETS]);

/** Reports whether an error means that the text was rejected. */
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

/** Reads the JSON value of a response. Puts text that isn't JSON into a JSON value. */
function readModels(text: string): void {
  const other: unknown = { title: text, error: { android: text }, builds: [text] };
  const value = parseJson(text) ?? other;
  const resource = readResource({ value, url: RESPONSE_URL, headers: {}, mediaType: 'application/json' });
  for (const read of [readApp, readBuilds, readCollaborators, readSigningKeys, readBuilderSupport]) {
    read(resource, RESPONSE_URL);
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
      suggestionsFor(context, ['cordova-plugin-camera']);
    }
  }
}

async function readKey(text: string): Promise<void> {
  const bytes = Buffer.from(text, 'latin1');
  const file = await readKeyFile(bytes);
  getFileFacts(file, 'a');
  certificateFacts(bytes);
  if (file.kind === 'jks') {
    await checkPassword(file, 'x');
    isKeyPassword(file, 'a', 'x');
  }
}

/** Returns the extension's doors, except those for service responses. @param folder project folder to write files to */
export function createExtensionDoors(folder: string): Readonly<Record<string, Door>> {
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  const planProjects = async (): Promise<void> => {
    const tree = new DiskTree(folder);
    for (const project of await findWebProjects(fileUri(folder))) {
      await planPackage(project, { known: KNOWN_APP }, new ProjectFolder(tree, project.path));
    }
  };
  return {
    'apps, builds, keys, collaborators': {
      limit: MIB,
      read: readModels,
      inputs: pumps(
        ['{"apps":[', '{"title":"a","link":"/api/v1/apps/§","error":{"android":"<!--<!--"}},', '{}]}'],
        ['{"title":"a","link":"/api/v1/apps/1","status":{', '"p§":null,', '"a":null}}'],
        ['{"keys":{"android":{"all":[', '{"title":"c","link":"/api/v1/keys/a/§"},', '{}]}}}'],
      ),
    },
    'displayed log': { limit: 4 * MIB, read: followLog, inputs: LINES },
    'config.xml in the editor': { limit: MIB, read: editConfigXml, inputs: CONFIGS },
    'ignore file': {
      limit: 256 * KIB,
      read: async (text) => {
        await write('.gitignore', text);
        await planProjects();
        withLine(text, { path: 'a/b.txt', isFolder: false });
      },
      inputs: pumps(['', '**/a*§*b/**/c\n'], ['', '!x§\n'], ['', '*a']),
    },
    'file in the search for secrets': {
      limit: 4 * MIB,
      read: async (text) => {
        await write('secrets.txt', text);
        const file = { path: 'www/a.txt', uri: fileUri(path.join(folder, 'secrets.txt')), mode: 0o600 };
        const { size: sizeBytes, mtimeMs: modifiedMs, ctimeMs: changedMs, ino: inode } = await stat(file.uri.fsPath);
        await searchSecrets([{ file: { ...file, sizeBytes, modifiedMs, changedMs, inode }, names: ['a.txt'] }]);
      },
      inputs: pumps(['', `AKIAQWERTYUIOPASDFGH ghp_${'aB3dE6gH9j'.repeat(4)} -----BEGIN RSA PRIVATE KEY-----\n`]),
    },
    'key file': { limit: MIB - 200, read: readKey, inputs: KEY_FILES },
    page: {
      limit: MIB,
      read: (html) => {
        const page = readPage(html);
        pageFindings({ page, html, path: 'www/index.html', has: () => false, reasonAgainst: () => undefined });
      },
      inputs: pumps(
        ['<base href="/a/">', '<script src="§.js"></script>'],
        ['', `<meta http-equiv="content-security-policy" content="${'script-src a;'.repeat(50)}">`],
        ['<a ', 'a§=b ', '>'],
      ),
    },
    'scripts of the pages': {
      limit: 4 * MIB,
      read: (text) => {
        const scan = new PageScan([{ name: 'cordova-plugin-file' }]);
        scan.read('a.js', text);
        scan.read('a.html', text);
        return [scan.http, scan.permissions, scan.pluginUses];
      },
      inputs: pumps(
        ['', "navigator.camera.a();\nif (window.plugins['a'] && typeof "],
        ['getUserMedia(a);', 'a={video:'],
        ['"http://a.test"', 'fetch(a, "http://b§.test", url:'],
        ['"http://a.test"', '<link rel=stylesheet href= <a onclick="'],
        ['', '/*<!--<script>`${=/['],
      ),
    },
    'configuration of a build tool': {
      limit: 256 * KIB,
      read: (text) => new ToolConfig('vite.config.ts', text).at('build', 'outDir').kind,
      inputs: pumps(
        ['let ', 'a§,', 'b; export default b'],
        ['export default ', 'a=><a>(', '0'],
        ['const a0 = {};', 'const a§ = {...a0, ...a§};', ' export default a9'],
        ['export default { base: [', '"a",', '] }'],
        ['export default /', '(?<a>b)|', '/'],
      ),
    },
    'package.json': { limit: 256 * KIB, read: (text) => [packageJsonIn(text), readWebManifest(text)] },
    'tasks.json': {
      limit: 256 * KIB,
      read: (text) => withDefaultBuild(text, 'build'),
      inputs: pumps(['{"tasks":[', '{"group":{"kind":"build","isDefault":true}},', '{}]}']),
    },
    'Link header': {
      limit: 16 * KIB,
      read: (link) => readResource({ value: {}, url: RESPONSE_URL, headers: { link }, mediaType: 'application/json' }),
      inputs: pumps(['', '</§>;rel=a;anchor="/",'], ['</>;rel="', 'a§ ', '"'], ['<a>;a="', '\\"']),
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
    // Node parses the URL, so this tests only the longest address that the reader accepts.
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
type Send = (
  path: string,
  request?: { readonly type?: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> },
) => Promise<void>;

/** Returns the local service's doors. @param newPath returns the path of a file that doesn't exist */
export function createServiceDoors(
  send: Send,
  token: () => string,
  newPath: () => string,
): Readonly<Record<string, Door>> {
  const api = () => ({ Authorization: `token ${token()}` });
  const post = (target: string, headers?: () => Readonly<Record<string, string>>) => (body: string) =>
    send(target, { type: 'application/x-www-form-urlencoded', body, ...(headers && { headers: headers() }) });
  const field = (name: string, text: string) => new URLSearchParams({ [name]: text }).toString();
  return {
    'form of a page': { limit: 64 * KIB, read: post('/sign-in'), inputs: FIELDS },
    'form of another website': {
      limit: MIB,
      read: post('/authorize', () => ({ Origin: 'https://evil.example' })),
    },
    'form of an exchange': { limit: 64 * KIB, read: post('/authorize/token'), inputs: FIELDS },
    'form of the API': { limit: 256 * KIB, read: post('/api/v1/apps', api), inputs: FIELDS },
    'JSON of the API': {
      limit: 256 * KIB,
      read: (body) => send('/api/v1/apps', { type: 'application/json', body, headers: api() }),
      inputs: pumps(['{"a":1', ',"§":1', '}'], ['{"a":[1', ',1', ']}'], ['{"title":"', '\\u0041', '"}']),
    },
    // Each name becomes a part of more than 50 bytes, so the body is much longer than the text.
    'multipart form': {
      limit: 8 * KIB,
      read: (text) => {
        const head = 'Content-Disposition: form-data; name=';
        const parts = text.split(',').map((name) => `--x\r\n${head}"${name.replaceAll('"', '')}"\r\n\r\n\r\n`);
        const body = `${parts.join('')}--x--\r\n`;
        return send('/api/v1/apps', { type: 'multipart/form-data; boundary=x', body, headers: api() });
      },
      inputs: pumps(['', '§,'], ['', `${'a[b][]'.repeat(100)},`]),
    },
    'fields with special rules': {
      limit: 64 * KIB,
      read: async (text) => {
        await post('/api/v1/apps/1001/collaborators', api)(field('email', text));
        await post('/api/v1/keys/winphone', api)(`publisher_id=x&${field('title', text)}`);
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
    // Checking a password takes time, whatever its value is.
    'basic credentials': {
      limit: 14 * KIB,
      read: (text) => send('/api/v1/me', { headers: { Authorization: `Basic ${text}` } }),
      inputs: pumps(['', 'YTphYTph'], ['', '= ']),
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
        // This keeps the text under the limit on the number of entries, which includes folders.
        await writeFile(file, createZip(text.split('\n', 9_900).map((name) => ({ name }))));
        await checkPackage(file);
      },
      inputs: pumps(
        ['', `www/${'a'.repeat(70)}§\n`],
        ['', `${'a/'.repeat(40)}§/index.html\n${'a/'.repeat(40)}§/config.xml\n`],
        ['', `§/${'b/'.repeat(45)}x\n`],
      ),
      isSpecial: true,
    },
    'log of a build': { limit: MIB, read: mask, inputs: LINES },
  };
}
