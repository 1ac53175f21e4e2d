/*
 * Checks of plugins' native code. They call it the same way the plugins' own JavaScript does, so that nothing has to be installed from
 * npm. Other apps should use the plugins' functions instead. The flags are those of checks.js.
 */
'use strict';

const FILE = 'device-check-ü.txt';
const DATABASE = 'device-check.db';
const WEBSITE = 'https://example.com/';
const RECORDING = 'device-check.m4a';
const RECORD_MS = 2000;
const NOTIFICATION = 1;
/** Error code of the accelerometer if the phone has none. */
const NO_SENSOR = 3;
/** Sources of pictures in cordova-plugin-camera. */
const GALLERY = 0;
const CAMERA = 1;

function exec(...args) {
  if (!window.cordova) {
    throw Object.assign(new Error('This page isn’t running as an app.'), { isUnavailable: true });
  }
  window.cordova.exec(...args);
}

/** Calls a plugin's native code. */
function native(service, action, ...args) {
  return new Promise((resolve, reject) => {
    const refuse = (reason) =>
      reject(new Error(typeof reason === 'string' ? reason : `${service}.${action} failed: ${JSON.stringify(reason)}`));
    exec(resolve, refuse, service, action, args);
  });
}

function describeDevice() {
  return native('Device', 'getDeviceInfo').then(({ platform, manufacturer, model, version }) =>
    expect(platform === 'Android', `${platform} ${version}, ${manufacturer} ${model}`)
  );
}

function keepValue() {
  const value = JSON.stringify({ text: 'ü' });
  return native('NativeStorage', 'setItem', 'device-check', value)
    .then(() => native('NativeStorage', 'getItem', 'device-check'))
    .then((kept) => native('NativeStorage', 'remove', 'device-check').then(() => expect(kept === value, kept)));
}

/** Resolves with the results of the statements. */
function runSql(statements) {
  const executes = statements.map((sql) => ({ sql, params: [] }));
  return native('SQLitePlugin', 'backgroundExecuteSqlBatch', { dbargs: { dbname: DATABASE }, executes });
}

function useDatabase() {
  return native('SQLitePlugin', 'open', { name: DATABASE, dblocation: 'nosync' })
    .then(() =>
      runSql([
        'CREATE TABLE IF NOT EXISTS t(a)',
        'INSERT INTO t VALUES (1.5)',
        'SELECT sqlite_version() AS v, a FROM t',
      ])
    )
    .then((answers) => {
      const [{ v, a }] = answers[2].result.rows;
      return native('SQLitePlugin', 'delete', { path: DATABASE }).then(() => expect(a === 1.5, `SQLite ${v}`));
    });
}

/** Writes a file of the app and resolves with its URL. */
function writeFile(text) {
  return native('File', 'requestAllPaths')
    .then(({ dataDirectory }) => native('File', 'getFile', dataDirectory, FILE, { create: true }))
    .then(({ nativeURL }) => native('File', 'write', nativeURL, text, 0, false).then(() => nativeURL));
}

/** Loads one of the app's files by its URL on the page's origin. */
function loadedFrom(url) {
  return fetchFile(window.Ionic.WebView.convertFileSrc(url));
}

function useFile() {
  return writeFile('Grün').then((url) =>
    Promise.all([native('File', 'readAsText', url, 'UTF-8', 0, 9), loadedFrom(url)]).then(([read, { status, text }]) =>
      native('File', 'remove', url).then(() => expect(read === 'Grün' && text === read, `${read}; ${status}: ${text}`))
    )
  );
}

function readNumbers() {
  const options = { type: 'decimal' };
  return native('Globalization', 'numberToString', { number: 1234.5, options }).then(({ value: numberString }) =>
    native('Globalization', 'stringToNumber', { numberString, options }).then(({ value }) =>
      expect(value === 1234.5, numberString)
    )
  );
}

function hasPermission(name) {
  return native('Permissions', 'checkPermission', `android.permission.${name}`).then((answer) => answer.hasPermission);
}

function checkPermissions() {
  return Promise.all([hasPermission('VIBRATE'), hasPermission('ACCESS_FINE_LOCATION')]).then(([isUsual, isAllowed]) =>
    expect(isUsual, `The location is ${isAllowed ? 'allowed' : 'not allowed'}.`)
  );
}

function feelMotion() {
  const felt = new Promise((resolve, reject) => exec(resolve, reject, 'Accelerometer', 'start', [])).then(
    ({ x, y, z }) => [x, y, z].map((value) => value.toFixed(1)).join(', '),
    ({ code, message }) => (code === NO_SENSOR ? fail(message) : expect(false, message))
  );
  return felt.then((text) => native('Accelerometer', 'stop').then(() => text));
}

function countBadge() {
  return native('Badge', 'set', 3)
    .then(() => native('Badge', 'get'))
    .then((count) => native('Badge', 'clear').then(() => expect(count === 3, `${count}`)));
}

function copyText() {
  const text = 'Device Check ü';
  return native('Clipboard', 'copy', text)
    .then(() => native('Clipboard', 'paste'))
    .then((pasted) => expect(pasted === text, pasted));
}

function chooseYes() {
  return native('Notification', 'confirm', 'Tap Yes.', 'Device Check', ['Yes', 'No']).then((index) =>
    expect(index === 1, `Button ${index}`)
  );
}

function chooseTwo() {
  return native('ActionSheet', 'show', { title: 'Tap Two.', buttonLabels: ['One', 'Two'] }).then((index) =>
    expect(index === 2, `Button ${index}`)
  );
}

function hideStatusBar() {
  window.undo = () => native('StatusBar', 'show');
  return native('StatusBar', 'hide');
}

function openKeyboard() {
  const heights = new Promise((resolve, reject) => {
    const listener = (event) => event && event.charAt(0) === 'S' && resolve(`Its height is ${event.slice(1)}.`);
    exec(listener, reject, 'CDVIonicKeyboard', 'init', []);
  });
  document.getElementById('note').focus();
  window.undo = () => native('CDVIonicKeyboard', 'hide');
  return native('CDVIonicKeyboard', 'show').then(() => heights);
}

function lockOrientation() {
  const isWide = innerWidth > innerHeight;
  const turned = next(window, 'resize', () => innerWidth > innerHeight !== isWide);
  window.undo = () => native('CDVOrientation', 'screenOrientation', 0, 'any');
  return native('CDVOrientation', 'screenOrientation', 0, isWide ? 'portrait' : 'landscape')
    .then(() => turned)
    .then(wait)
    .then(() => `${innerWidth} × ${innerHeight}`);
}

function keepAwake() {
  window.undo = () => native('Insomnia', 'allowSleepAgain');
  return native('Insomnia', 'keepAwake');
}

/** Takes a picture with a quality of 80 percent, as a URL (1), upright, and at most 800 pixels wide and high. */
function takePicture(source) {
  return native('Camera', 'takePicture', 80, 1, source, 800, 800, 0, 0, false, true, false, null, 0).then(showSize);
}

function showSize(url) {
  const picture = new Image();
  const shown = next(picture, 'load').then(() => `${picture.naturalWidth} × ${picture.naturalHeight}`);
  const failed = next(picture, 'error').then(() => expect(false, `The page can’t show ${url}`));
  picture.src = window.Ionic.WebView.convertFileSrc(url);
  return Promise.race([shown, failed]);
}

function chooseWithPlugin() {
  return native('Chooser', 'getFile', '*/*', false).then((answer) => {
    expect(answer !== 'RESULT_CANCELED', 'No file');
    const { mediaType, uri } = JSON.parse(answer);
    return loadedFrom(uri).then(({ status }) => expect(status === 200, `${mediaType}, status ${status}`));
  });
}

function recordSound() {
  window.undo = () => native('Media', 'release', 'device-check');
  return native('Media', 'startRecordingAudio', 'device-check', RECORDING)
    .then(() => new Promise((resolve) => setTimeout(resolve, RECORD_MS)))
    .then(() => native('Media', 'stopRecordingAudio', 'device-check'))
    .then(() => native('Media', 'release', 'device-check'))
    .then(() => native('Media', 'startPlayingAudio', 'device-check', RECORDING, {}));
}

/** Opens the in-app browser and resolves with the names of its events. */
function openInApp() {
  const types = [];
  return new Promise((resolve, reject) => {
    const listener = ({ type }) => types.push(type) && type === 'exit' && resolve(types.join(', '));
    exec(listener, reject, 'InAppBrowser', 'open', [WEBSITE, '_blank', 'location=yes']);
  });
}

function openFile() {
  return writeFile('Opened by Device Check').then((url) => native('FileOpener2', 'open', url, 'text/plain'));
}

function notify() {
  const [title, text] = ['Device Check', 'The notification is here.'];
  window.undo = () => native('LocalNotification', 'cancel', NOTIFICATION);
  return native('LocalNotification', 'request')
    .then((isAllowed) => expect(isAllowed, 'Notifications aren’t allowed.'))
    .then(() => native('LocalNotification', 'ready'))
    .then(() =>
      native('LocalNotification', 'schedule', { id: NOTIFICATION, title, text, trigger: { in: 5, unit: 'second' } })
    );
}

/** Picks a contact, whose data doesn't go into the report. */
function pickContact() {
  return native('Contacts', 'pickContact').then(({ id }) => expect(id, id ? 'A contact' : 'No contact'));
}

function addEvent() {
  const startTime = Date.now();
  return native('Calendar', 'createEventInteractively', {
    title: 'Device Check',
    startTime,
    endTime: startTime + 3600000,
    options: {},
  });
}

const share = () => native('SocialSharing', 'shareWithOptions', { message: 'Shared by Device Check', url: WEBSITE });
const speak = () => native('TTS', 'speak', { text: 'Hello from Device Check', locale: 'en-US', rate: 1 });
const askForLocation = () =>
  native('Geolocation', 'getPermission', true).then(() => hasPermission('ACCESS_FINE_LOCATION'));

window.GROUPS['Automatic plugin checks'] = [
  ['Device', '', describeDevice],
  ['Network', '', () => native('NetworkStatus', 'getConnectionInfo')],
  ['App version', '', () => native('AppVersion', 'getVersionNumber')],
  ['Preferences', '', keepValue],
  ['Database', '', useDatabase],
  ['A file of the app', '', useFile],
  ['Number format', '', readNumbers],
  ['Permissions', '', checkPermissions],
  ['Text size', '', () => native('MobileAccessibility', 'getTextZoom').then((percent) => `${percent} %`)],
  ['Motion', '', feelMotion],
  [
    'Notifications',
    '',
    () => native('LocalNotification', 'check').then((isAllowed) => (isAllowed ? 'Allowed' : 'Not allowed')),
  ],
  ['Badge', '', countBadge],
].map(([title, todo, start]) => [title, todo, start, 'itself phone']);

window.GROUPS.Plugins = [
  ['Clipboard', 'Replaces the text on the clipboard.', copyText],
  ['Dialog', 'Tap Yes.', chooseYes],
  ['Action sheet', 'Tap Two.', chooseTwo],
  [
    'Toast',
    '“Hello” appears at the bottom for a moment.',
    () => native('Toast', 'show', { message: 'Hello', duration: 'short', position: 'bottom' }),
    'judged',
  ],
  [
    'Vibration pattern',
    'The phone vibrates three times.',
    () => native('Vibration', 'vibrateWithPattern', [200, 200, 200, 200, 200], -1),
    'judged',
  ],
  ['Status bar', 'It disappears until you tap a button.', hideStatusBar, 'judged'],
  ['Keyboard by a plugin', 'The keyboard opens.', openKeyboard],
  ['Locked rotation', 'The page rotates, and then rotates back.', lockOrientation],
  [
    'Keep awake',
    'Don’t touch the phone for longer than its screen usually stays on. It stays on.',
    keepAwake,
    'judged',
  ],
  ['Share', 'Android offers apps. Choose one, or go back.', share, 'judged'],
  ['Take a picture', 'The camera opens: take a picture.', () => takePicture(CAMERA)],
  ['Choose a picture', 'Choose one.', () => takePicture(GALLERY)],
  ['Choose a file', 'Choose any file.', chooseWithPlugin],
  ['Record and play', 'Speak for two seconds. Then you hear the recording.', recordSound, 'judged'],
  ['In-app browser', 'example.com opens in the app, with its address at the top. Close it.', openInApp],
  [
    'Browser tab',
    'example.com opens in a tab of the browser. Go back.',
    () => native('BrowserTab', 'openUrl', WEBSITE),
    'judged',
  ],
  ['Open a file', 'Another app shows some text. Come back here.', openFile, 'judged'],
  [
    'A notification',
    'Allow notifications when Android asks. One appears after five seconds, even if you leave the app.',
    notify,
    'judged',
  ],
  [
    'Location by a plugin',
    'Allow it when Android asks.',
    () =>
      askForLocation().then((isAllowed) => expect(isAllowed, isAllowed ? 'Allowed' : 'Not allowed, or not precise')),
  ],
  ['Pick a contact', 'Choose one.', pickContact],
  ['Calendar', 'The calendar shows an event called “Device Check”. Save it or go back.', addEvent, 'judged'],
  ['Speech', 'You hear “Hello from Device Check”.', speak, 'judged'],
].map(([title, todo, start, isJudged]) =>
  // Without text, the report contains only the user's judgment.
  isJudged ? [title, todo, () => start().then(() => undefined), 'judged phone'] : [title, todo, start, 'phone']
);
