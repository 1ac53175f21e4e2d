/** Everything that reads what somebody else wrote, with the most that it reads, and what it is given to stumble over. */
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { BuildServiceError } from '../../src/api/errors/buildServiceError.ts';
import { readResource } from '../../src/api/hypermedia/readResource.ts';
import { Redactor } from '../../src/api/redaction.ts';
import type { AppCalls } from '../../src/apps/calls/appCalls.ts';
import { readCollaborators } from '../../src/apps/model/collaborator.ts';
import { readApp } from '../../src/apps/model/app.ts';
import { readBuilds } from '../../src/apps/model/build.ts';
import { readBuilderSupport } from '../../src/apps/model/builderSupport.ts';
import { readSigningKeys } from '../../src/apps/model/signingKey.ts';
import { pathsInFolder } from '../../src/builds/logs/fileReferences.ts';
import { logUpdates } from '../../src/builds/logs/followLog.ts';
import { LogText } from '../../src/builds/logs/logText.ts';
import { withDefaultBuild } from '../../src/builds/task/tasksJson.ts';
import { checkConfig } from '../../src/configXml/checkConfig.ts';
import { completionContext } from '../../src/configXml/editor/completionContext.ts';
import { suggestionsFor } from '../../src/configXml/editor/suggestions.ts';
import { parseXml } from '../../src/configXml/xmlDocument.ts';
import { checkPassword, factsOf, isKeyPassword, readKeyFile } from '../../src/formats/keyFile.ts';
import { readPage } from '../../src/projects/htmlPage.ts';
import { planFolder } from '../../src/projects/packing/folderPlan.ts';
import { linesToAdd } from '../../src/projects/packing/ignoreRules.ts';
import { searchSecrets } from '../../src/projects/packing/secretSearch.ts';
import { pageFindings } from '../../src/projects/preflight/pageFindings.ts';
import { packageJsonIn, readWebManifest } from '../../src/projects/projectJson.ts';
import { DiskTree, ProjectFolder } from '../../src/projects/projectFolder.ts';
import { searchProjects } from '../../src/projects/projectSearch.ts';
import { proposedId } from '../../src/projects/proposedId.ts';
import { readConfig } from '../../src/projects/tools/readConfig.ts';
import { allAbsent } from '../support/configXml.ts';
import { fileUri, KNOWN_APP } from '../support/packing.ts';

/** Makes a text of some characters. */
export type MakeText = (length: number) => string;

export interface Reader {
  /** Characters that are read; of more the rest is left out, or all is refused with a sentence. */
  readonly limit: number;
  /** Reads a text. What it throws other than a {@link BuildServiceError} is a fault. */
  readonly read: (text: string) => unknown;
  /** What it alone is given. */
  readonly inputs?: Readonly<Record<string, MakeText>>;
}

const MIB = 2 ** 20;
const PROJECT_FILES = 100;

const redactor = new Redactor();
redactor.add('aA0%2B"\\/&<é tok-en', 'aaaaaaaab', 'pa55');

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
/** Numbered, so that no two are the same. */
const numbered = (length: number, write: (number: number) => string) => {
  const pieces: string[] = [];
  for (let number = 0, written = 0; written < length; number += 1) {
    const piece = write(number);
    pieces.push(piece);
    written += piece.length;
  }
  return pieces.join('');
};
const listed = (length: number, write: (number: number) => string) =>
  numbered(length - 20, (number) => `${write(number)},`).slice(0, -1);

/** One character, pairs of them, and what begins like something and is none. */
const PIECES = [
  ...Array.from('aA0 .,:;/\\\'"<>=&#!?%@*_-|()[]{}\t\n\r\u001bé'),
  ...['a ', ' \n', '\r\n', '.a', 'a.', '..', './', '/*', '//', '/**/', '<!', '<!--', '-->', '<a', '<a ', '</', '/>'],
  ...[
    'a=',
    '="',
    '="">',
    '&#',
    '&a;',
    '${',
    '`${',
    '()',
    '([',
    '{}',
    '{"',
    '":',
    '[]',
    '[[',
    '](',
    '0:',
    '\u001b[',
    '\\"',
  ],
  ...['1:1:', 'a.js:1', ' error', '://', 'a@', '@:', '!a\n', '*\n', '**/', 'a*', '\u001b[31ma', 'AKIA', '-----BEGIN '],
];

const ROOT = '<widget id="com.example.app" version="1.0.0"><name>A</name>';
const WAYS: Readonly<Record<string, MakeText>> = {
  'names that differ by a letter': (length) => `<${filled('a', length / 2 - 3)}></${filled('a', length / 2 - 4)}b>`,
  'lines that differ': (length) => numbered(length, (number) => `a${number}\n`),
  'spaces, then another': (length) => `a.js:1${filled(' ', length - 7)}!`,
  deep: (length) => filled('{"a":[', length / 2) + filled(']}', length / 2),
  'deep and wide': (length) => numbered(length, () => `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`),
};

/** What every reader is given, by what it is. */
export const INPUTS: Readonly<Record<string, MakeText>> = {
  ...Object.fromEntries(PIECES.map((piece) => [JSON.stringify(piece), (length: number) => filled(piece, length)])),
  // What looks for the end of a run from each of its characters takes the square of its length.
  ...Object.fromEntries(
    [' ', '.', '\r', '\n', '=', '/', '_', '-', '\\', '*'].map((piece) => [
      `${JSON.stringify(piece)}, then another`,
      (length: number) => `${filled(piece, length - 2)}a\n`,
    ]),
  ),
  ...WAYS,
};

const CONFIGS: Readonly<Record<string, MakeText>> = {
  'names that differ by a letter, in a widget': (length) => `${ROOT}${WAYS['names that differ by a letter']?.(length)}`,
  'white space in an open value': (length) => `<widget a="b${filled(' ', length)}`,
  '> and < in an open value': (length) => `<widget a="${filled('>\n', length)}<`,
  'unknown attributes': (length) => `${ROOT}<icon ${numbered(length, (number) => `a${number}="" `)}/></widget>`,
  'elements of Cordova in each other': (length) => `${ROOT}${filled('<platform name="a">', length)}`,
  'levels that are read': (length) =>
    `${ROOT}${numbered(length, () => '<platform name="a">'.repeat(400) + '</platform>'.repeat(400))}</widget>`,
  'misplaced elements': (length) => `${ROOT}${filled('<feature>', length)}`,
  'unknown elements': (length) => `${ROOT}${numbered(length, (number) => `<preferenc${number}/>`)}</widget>`,
  'unknown preferences': (length) => `${ROOT}${numbered(length, (number) => `<preference name="P${number}"/>`)}`,
  'unknown entities': (length) => `${ROOT}${filled('&b;', length)}</widget>`,
  'a long tag name': (length) => `${ROOT}<${filled('a', length)}`,
  'the root again and again': (length) => filled('<widget ', length),
  'carriage returns': (length) => `${ROOT}${filled('\r', length)}</widget>`,
  'a name of many words': (length) => `<widget><name>${filled('a ', length)}</name></widget>`,
  prefixes: (length) => `${ROOT}${numbered(length, (number) => `<p${number}:a/>`)}</widget>`,
};

const LINES: Readonly<Record<string, MakeText>> = {
  'lines of a build': (length) => filled('> Task :app:compileDebugJavaWithJavac UP-TO-DATE and more words\n', length),
  'errors of files': (length) => filled('www/js/app.js:3:5: error: Unexpected token\n', length),
  'a place in spaces': (length) => filled(`a.js:1${' '.repeat(3_900)}!\n`, length),
  colours: (length) => filled('\u001b[31ma\u001b[0mb', length),
  'one long line': (length) => filled('error www/a.js:3:5 <a>(a.a.. 00:00:00 \u001b]8;; \u001b[3', length),
  'dots that end no name': (length) => filled(`${'.'.repeat(4_000)}a `, length),
  'spaces between colons and dashes': (length) => filled(`a.js:1${' '.repeat(900)}:${' '.repeat(900)}-!`, length),
};

const SCRIPTS: Readonly<Record<string, MakeText>> = {
  names: (length) => `let ${numbered(length, (number) => `a${number},`)}b; export default b`,
  'functions in each other': (length) => `export default ${filled('a=>', length)}0`,
  calls: (length) => `export default ${filled('<a>(', length)}`,
  'a chain of constants': (length) =>
    `const a0 = {}; ${numbered(length, (number) => `const a${number + 1} = {...a${number}};`)} export default a9`,
  'one long list': (length) => `export default { base: [${filled('"a",', length - 30)}] }`,
  groups: (length) => `export default /${filled('(?<a>b)|', length - 20)}/`,
};

const PAGES: Readonly<Record<string, MakeText>> = {
  scripts: (length) => numbered(length, (number) => `<script src="${number}.js"></script>`),
  'a base and scripts': (length) => `<base href="/a/">${filled('<script src="b.js"></script>', length)}`,
  policies: (length) =>
    filled(`<meta http-equiv="content-security-policy" content="${'script-src a;'.repeat(50)}">`, length),
  attributes: (length) => `<a ${numbered(length, (number) => `a${number}=b `)}>`,
};

const RULES: Readonly<Record<string, MakeText>> = {
  stars: (length) => numbered(length, (number) => `**/a*${number}*b/**/c\n`),
  'one long rule': (length) => filled('*a', length),
  'rules that take in': (length) => numbered(length, (number) => `!x${number}\n`),
};

const SECRETS: Readonly<Record<string, MakeText>> = {
  'identifiers without keys': (length) =>
    numbered(length, (number) => `AKIA${String(number).padStart(16, 'QWERTYUIOPASDFGH').slice(0, 16)} `),
  tokens: (length) => filled(`ghp_${'aB3dE6gH9j'.repeat(4)} `, length),
  'beginnings of keys': (length) => filled('-----BEGIN RSA PRIVATE KEY-----\n', length),
};

const APPS: Readonly<Record<string, MakeText>> = {
  'apps with the fewest members': (length) =>
    `{"apps":[${listed(length, (number) => `{"title":"a","link":"/api/v1/apps/${number}"}`)}]}`,
  'messages of open comments': (length) =>
    `{"apps":[${listed(length, (number) => `{"title":"a","link":"/api/v1/apps/${number}","status":{"android":"error"},"error":{"android":"${'<!--'.repeat(500)}"}}`)}]}`,
  platforms: (length) =>
    `{"apps":[{"title":"a","link":"/api/v1/apps/1","status":{${listed(length, (number) => `"p${number % 3_000}":null`)}}}]}`,
};

/** In latin1: each character is a byte. */
const KEY_FILES: Readonly<Record<string, MakeText>> = {
  'a long key': (length) =>
    javaKeystore([privateKey('a', der(0x30, KEY_PROTECTOR, der(4, Buffer.alloc(length - 200))))]),
  'many keys': (length) =>
    javaKeystore(Array.from({ length: length / 24 - 10 }, () => privateKey('', Buffer.alloc(0)))),
  'many certificates': (length) => {
    const count = Math.floor(length / 6) - 20;
    return javaKeystore([Buffer.concat([...entryHead('a'), uint32(0), uint32(count), Buffer.alloc(6 * count)])]);
  },
  'many bags': (length) => {
    const bag = der(0x30, Buffer.from('060b2a864886f70d010c0a0101', 'hex'), der(0xa0, der(0x30)));
    return pkcs12(der(0x30, Buffer.alloc(bag.length * Math.floor((length - 200) / bag.length), bag)));
  },
  'many elements': (length) => pkcs12(der(0x30, Buffer.alloc(length - 200, Buffer.from('0500', 'hex')))),
  'elements in each other': (length) =>
    Buffer.concat([Buffer.from('3080020103', 'hex'), Buffer.alloc(length - 10, Buffer.from('3080', 'hex'))]).toString(
      'latin1',
    ),
  'certificates of a profile': (length) =>
    `<?xml <key>DeveloperCertificates</key>${filled('<data>AAAA</data>', length - 100)}</array></plist>`,
  'open certificates of a profile': (length) =>
    `<?xml <key>DeveloperCertificates</key>${filled('<data>', length - 100)}</array></plist>`,
};

const KEY_PROTECTOR = Buffer.from('300e060a2b060104012a021101010500', 'hex');
const DATA = Buffer.from('06092a864886f70d010701', 'hex');

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, 0x84]), uint32(content.length), content]);
}

function pkcs12(bags: Buffer): string {
  const safe = der(0x30, der(0x30, DATA, der(0xa0, der(4, bags))));
  return der(0x30, Buffer.from('020103', 'hex'), der(0x30, DATA, der(0xa0, der(4, safe)))).toString('latin1');
}

function entryHead(alias: string): readonly Buffer[] {
  return [uint32(1), Buffer.from([0, alias.length]), Buffer.from(alias), Buffer.alloc(8)];
}

function privateKey(alias: string, encrypted: Buffer): Buffer {
  return Buffer.concat([...entryHead(alias), uint32(encrypted.length), encrypted, uint32(0)]);
}

function javaKeystore(entries: readonly Buffer[]): string {
  const head = [uint32(0xfeedfeed), uint32(2), uint32(entries.length)];
  return Buffer.concat([...head, ...entries, Buffer.alloc(20)]).toString('latin1');
}

async function followLog(text: string): Promise<void> {
  const part = { text, nextOffset: text.length, completed: true };
  const { signal } = new AbortController();
  const hideSecrets = (lines: string) => redactor.hideSecretsInText(lines);
  const log = new LogText();
  for await (const update of logUpdates(() => Promise.resolve(part), { signal, hideSecrets })) {
    log.append(update.text);
  }
  log.references.forEach(({ reference }) => pathsInFolder(reference.path, '/home/me/app'));
}

/** With the pauses that an editor makes: it looks for files in between. */
async function readConfigXml(text: string): Promise<void> {
  const document = parseXml(text);
  await setImmediate();
  const absent = allAbsent(document);
  await setImmediate();
  checkConfig(document, absent);
  for (const offset of [text.length, text.length / 2]) {
    await setImmediate();
    const context = completionContext(text, Math.floor(offset));
    if (context !== undefined) {
      suggestionsFor(context);
    }
  }
}

async function readKey(text: string): Promise<void> {
  const file = readKeyFile(Buffer.from(text, 'latin1'));
  await setImmediate();
  factsOf(file, 'a');
  await setImmediate();
  if (file.kind === 'jks') {
    await checkPassword(file, 'x');
    await setImmediate();
    isKeyPassword(file, 'a', 'x');
  }
}

/** What the answers of a service that are no list of apps are read as. */
async function readValues(text: string): Promise<void> {
  const named = (template: string) => JSON.parse(template.replace('"*"', () => text)) as unknown;
  const url = 'https://build.example/api/v1/apps/1';
  const readers = [
    ['{"title":"a","status":"*","error":"*"}', readApp],
    ['{"builds":"*"}', readBuilds],
    ['{"collaborators":{"active":"*"}}', readCollaborators],
    ['{"keys":{"android":{"all":"*"}}}', readSigningKeys],
    ['{"plugins":"*","unavailable":"*"}', readBuilderSupport],
  ] as const;
  for (const [template, read] of readers) {
    const resource = readResource({ value: named(template), url, headers: {}, mediaType: 'application/json' });
    await setImmediate();
    read(resource, url);
    await setImmediate();
  }
}

/** Values as a service may send them: what is no JSON is a text in it. */
function jsonOf(text: string): string {
  return /^[[{]/.test(text) && isJson(text) ? text : JSON.stringify([text]);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A list of apps whose titles and messages are pieces of the text. */
function appsOf(text: string): string {
  if (text.startsWith('{"apps"')) {
    return text;
  }
  const pieces = text.match(/[^]{1,500}/g) ?? [];
  const apps = pieces.map((piece, id) => ({
    title: piece,
    link: `/api/v1/apps/${id}`,
    status: { android: 'error' },
    error: { android: piece },
  }));
  return JSON.stringify({ apps });
}

/** The readers by their names. @param folder of {@link PROJECT_FILES} pages, in which files are written */
export function readersIn(folder: string, callsOf: (apps: string) => AppCalls): Readonly<Record<string, Reader>> {
  const file = { path: 'www/a.txt', uri: fileUri(path.join(folder, 'secrets.txt')), mode: 0o600 };
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  const inProject = async (): Promise<void> => {
    const tree = new DiskTree(folder);
    for (const project of await searchProjects(tree, fileUri(folder))) {
      await planFolder(new ProjectFolder(tree, project.path), project, { known: KNOWN_APP });
    }
  };
  return {
    'list of apps': { limit: 2 * MIB, read: (text) => callsOf(appsOf(text)).list(), inputs: APPS },
    'builds, keys, people, platforms': {
      limit: MIB,
      read: (text) => readValues(jsonOf(text)),
      inputs: {
        'empty records': (length) => `[${filled('{"a":0},', length - 10)}{}]`.replace(/,[^,]*\{\}\]$/, ',{}]'),
        'records of builds and people': (length) =>
          `[${listed(length, (number) => `{"platform":"a${number}","person":"b","title":"c","name":"d","link":"/api/v1/keys/a/${number}"}`)}]`,
        'a map': (length) => `{${listed(length, (number) => `"p${number % 3_000}":"a"`)}}`,
      },
    },
    log: { limit: 4 * MIB, read: followLog, inputs: LINES },
    'config.xml': { limit: MIB, read: readConfigXml, inputs: CONFIGS },
    'ignore file': {
      limit: 256 * 1024,
      read: async (text) => {
        await write('.gitignore', text);
        await inProject();
      },
      inputs: RULES,
    },
    'ignore file that gets lines': {
      limit: 256 * 1024,
      read: (text) =>
        linesToAdd(
          text,
          Array.from({ length: 20 }, (_, id) => ({ path: `a/b${id}.txt`, isFolder: false })),
        ),
      inputs: RULES,
    },
    'file that may hold secrets': {
      limit: 4 * MIB,
      read: async (text) => {
        await write('secrets.txt', text);
        const { size: sizeBytes, mtimeMs: modifiedMs, ino: inode } = await stat(file.uri.fsPath);
        return searchSecrets([{ file: { ...file, sizeBytes, modifiedMs, inode }, names: ['a.txt'] }]);
      },
      inputs: SECRETS,
    },
    'key file': { limit: MIB, read: readKey, inputs: KEY_FILES },
    page: {
      limit: MIB,
      read: async (text) => {
        const page = readPage(text);
        await setImmediate();
        pageFindings({ page, html: text, path: 'www/index.html', has: () => false, reasonAgainst: () => undefined });
      },
      inputs: PAGES,
    },
    'configuration in JavaScript': {
      limit: 64 * 1024,
      read: (text) => readConfig(text, 'vite.config.js'),
      inputs: SCRIPTS,
    },
    'configuration in TypeScript': {
      limit: 64 * 1024,
      read: (text) => readConfig(text, 'vite.config.ts'),
      inputs: SCRIPTS,
    },
    'configuration in JSON': { limit: 128 * 1024, read: (text) => readConfig(text, 'angular.json') },
    'package.json': { limit: MIB, read: (text) => packageJsonIn(text)?.name ?? readWebManifest(text) },
    'tasks.json': {
      limit: 256 * 1024,
      read: (text) => withDefaultBuild(text, 'build'),
      inputs: {
        'default builds': (length) =>
          `{"tasks":[${listed(length, () => '{"group":{"kind":"build","isDefault":true}}')}]}`,
      },
    },
    'address of a repository': {
      limit: 2_000,
      read: (text) => [proposedId(text, text), proposedId(`a@b.c:${text}`, 'a')],
    },
    'Link header': {
      limit: 16 * 1024,
      read: (link) =>
        readResource({ value: {}, url: 'https://build.example/', headers: { link }, mediaType: 'application/json' }),
    },
  };
}

/** True when it was read, false when a sentence says why not. */
export async function isRead({ read }: Reader, text: string): Promise<boolean> {
  try {
    await read(text);
    return true;
  } catch (error) {
    if (error instanceof BuildServiceError) {
      return false;
    }
    throw error;
  }
}

/** Pages of the project whose ignore file is read. */
export function projectPages(): Readonly<Record<string, string>> {
  const names = Array.from({ length: PROJECT_FILES }, (_, id) => `a/b/c/d${id}.txt`);
  return { 'index.html': '<p>A', ...Object.fromEntries(names.map((name) => [name, 'x'])) };
}
