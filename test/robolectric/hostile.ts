import type { PluginCall } from './calls.ts';

/** The origin of another website. */
export const FOREIGN = 'https://foreign.example';

/** Sends the page its own channel, as the shell does, and records the received messages. */
const OFFER = `const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => (opener ?? parent).postMessage('heard ' + data, '*');`;

/** Asks the shell for a channel and records the received ports. */
const ASK = `window.got = []; addEventListener('message', ({ ports }) => got.push(...ports));
  window.answer = prompt('appbuild:connect');`;

const page = (script: string): string => `<!doctype html><title>Foreign</title><body><script>${script}</script>`;

/** Pages of the other website by path. */
export const FOREIGN_PAGES: Readonly<Record<string, string>> = {
  '/offers': page(`${OFFER}
    (opener ?? parent).postMessage('appbuild:connect', '*', [port2]);
    (opener ?? parent).postMessage('done', '*');`),
  // A frame that no longer exists may count as no source.
  '/offers-and-goes': page(`${OFFER}
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentWindow.eval("(port) => top.postMessage('appbuild:connect', '*', [port])")(port2);
    frame.remove();
    parent.postMessage('done', '*');`),
  '/asks': page(`${ASK} parent.postMessage('done', '*');`),
  '/main': page(ASK),
  // The app's own page asks while it's in a frame of the other website.
  '/frames-the-app': page(`window.got = []; addEventListener('message', ({ ports }) => got.push(...ports));
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.onload = () => { window.answer = null; };
    frame.src = 'https://localhost/index.html';`),
  '/moves-on': page(`location.replace('/main')`),
};

/** Shows a part of the other website. Afterward, the shell must still answer the page and nothing else. */
const beside = (open: string): string => `addEventListener('message', ({ data }) => {
    if (data === 'done') { device.getInfo(({ platform }) => resolve(platform), reject); }
    if (String(data).startsWith('heard')) { reject(data); }
  });
  ${open}`;

const inFrame = (path: string): string =>
  beside(`document.body.appendChild(document.createElement('iframe')).src = '${FOREIGN}${path}';`);

const status = (url: string): string => `fetch(${url}).then(({ status }) => resolve(status), reject)`;

const sql = (statement: string): string =>
  `sqlitePlugin.openDatabase({ name: 'hostile.db', location: 'default' },
    (database) => database.executeSql(${JSON.stringify(statement)}, [], () => resolve('done'), ({ message }) => reject(message)), reject);`;

const hostile = (plugin: string, script: string, expected: RegExp): PluginCall => ({ plugin, script, expected });
const SELF = `cordova.file.applicationStorageDirectory.replace('file://', '')`;

/** Actions that must fail, run in sequence in a page of the app. */
export const HOSTILE_CALLS: readonly PluginCall[] = [
  hostile('cordova-plugin-device', inFrame('/offers'), /^"Android"$/),
  hostile('cordova-plugin-device', inFrame('/offers-and-goes'), /^"Android"$/),
  hostile('cordova-plugin-device', inFrame('/asks'), /^"Android"$/),
  hostile('cordova-plugin-device', beside(`open('${FOREIGN}/offers');`), /^"Android"$/),
  ...[
    `${SELF} + 'databases/hostile.db'`,
    `${SELF} + 'shared_prefs/appbuild.asked.xml'`,
    `${SELF} + 'files/..%2Fdatabases/hostile.db'`,
    `'/etc/hosts'`,
  ].flatMap((path) => [
    hostile('cordova-plugin-file', status(`'/_app_file_' + ${path}`), /^404$/),
    hostile('cordova-plugin-file', `resolveLocalFileSystemURL('file://' + ${path}, resolve, reject);`, /"code":2\b/),
    hostile(
      '@capacitor/filesystem',
      `cap.Filesystem.readFile({ path: 'file://' + ${path} }).then(resolve, reject);`,
      /^failure: /,
    ),
  ]),
  hostile('cordova-plugin-file', status(`'/__cdvfile_files__/..%2Fdatabases/hostile.db'`), /^404$/),
  hostile('cordova-plugin-file', status(`'/_app_content_/com.android.contacts/contacts/1/photo'`), /^404$/),
  hostile(
    'cordova-plugin-file',
    `resolveLocalFileSystemURL('content://com.android.contacts/contacts/1/photo', resolve, reject);`,
    /"code":2\b/,
  ),
  ...["ATTACH '/data/x.db' AS other", "VACUUM INTO '/data/x.db'", 'PRAGMA writable_schema = 1'].map((statement) =>
    hostile('cordova-sqlite-storage', sql(statement), /^failure: /),
  ),
];

/**
 * Addresses at which the main frame shows a page that doesn't belong to the app. It gets no channel, and the last page's channel is closed.
 */
export const HOSTILE_PAGES: readonly string[] = ['/main', '/moves-on'].map((path) => FOREIGN + path);

/** The shell creates a channel for the app's page in this one, and WebView discards it. */
export const FRAMING_PAGE = `${FOREIGN}/frames-the-app`;

/** A page that the app has saved. Its address has the app's origin. */
export const SAVED_PAGE = page(
  `try { window.stored = localStorage.length; } catch { window.stored = 'refused'; } ${ASK}`,
);
