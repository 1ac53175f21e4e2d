/*
 * Checks of an app's features on this phone. The code must run on old phones, so it uses only ES2015 and Chromium 51.
 *
 * A check consists of its title, an instruction for the user, a function, and flags. The function returns a string that
 * describes the result, or throws an error that describes the problem. The flags:
 * - `itself`: the check starts automatically
 * - `judged`: the user decides whether it worked
 * - `phone`: the check is only available on a phone
 *
 * A function may set `window.undo`, which is called once when its check ends or is canceled.
 */
'use strict';

const WAIT_MS = 600;

function expect(isGood, text) {
  if (!isGood) {
    throw new Error(text);
  }
  return text;
}

/** Rejects with an error that explains why this WebView doesn't support the feature. The app isn't at fault. */
function fail(text) {
  return Promise.reject(Object.assign(new Error(text), { isUnavailable: true }));
}

function wait() {
  return new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}

/** Resolves with the first event, or with the first event for which a condition is true. */
function next(target, type, condition) {
  return new Promise((resolve) => {
    target.addEventListener(type, function listener(event) {
      if (!condition || condition()) {
        target.removeEventListener(type, listener);
        resolve(event);
      }
    });
  });
}

/** Rejects when the page is no longer visible. */
function failIfLeft() {
  return next(document, 'visibilitychange', () => document.hidden).then(() => {
    throw new Error('You left the app.');
  });
}

function fetchFile(path, options) {
  return fetch(path, options).then((response) => response.text().then((text) => ({ status: response.status, text })));
}

function checkStatus(path, expected) {
  return fetchFile(path).then(({ status }) => expect(status === expected, `status ${status}`));
}

function checkRange(name, value, from, to) {
  return fetchFile('data/digits.txt', { headers: { [name]: value } }).then(({ status, text }) =>
    expect(
      status === 206 && text === '0123456789'.repeat(100).slice(from, to),
      `${value}: status ${status}, ${text.length} characters`
    )
  );
}

function checkEncoding() {
  const frame = Object.assign(document.createElement('iframe'), { src: 'data/windows-1252.html', hidden: true });
  const loaded = next(frame, 'load');
  document.body.appendChild(frame);
  return loaded.then(() => {
    const page = frame.contentDocument;
    const text = page.querySelector('p').textContent;
    frame.remove();
    return expect(text === 'Ã©', `${page.characterSet}: ${text}`);
  });
}

function checkModule() {
  const script = Object.assign(document.createElement('script'), { src: 'data/module.js', type: 'module' });
  const isKnown = 'noModule' in script;
  document.body.appendChild(script);
  return isKnown ? next(script, 'load').then(() => 'loaded') : fail('This WebView doesn’t support modules.');
}

function checkServiceWorker() {
  const workers = navigator.serviceWorker;
  return workers
    .register('service-worker.js')
    .then(() => workers.controller || next(workers, 'controllerchange'))
    .then(() => fetchFile('from-the-service-worker'))
    .then(({ status, text }) => expect(text === 'yes', `status ${status}`));
}

/** Returns the number of starts, or undefined at the first start. */
function checkKept() {
  const starts = Number(localStorage.getItem('starts')) + 1;
  localStorage.setItem('starts', String(starts));
  return starts > 1 ? `Start ${starts}` : undefined;
}

function useMedia(constraints) {
  const devices = navigator.mediaDevices;
  if (!devices || !devices.getUserMedia) {
    return fail('This WebView doesn’t support getUserMedia.');
  }
  return devices.getUserMedia(constraints).then((stream) => {
    const [track] = stream.getTracks();
    track.stop();
    return track.label;
  });
}

function findPosition() {
  return new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(`to ${Math.round(coords.accuracy)} m`), reject)
  );
}

function chooseFiles(accept, attributes) {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept, hidden: true });
  Object.keys(attributes).forEach((name) => input.setAttribute(name, attributes[name]));
  const ended = Promise.race([next(input, 'cancel'), next(input, 'change')]);
  // If it weren't part of the page, it might be garbage-collected before the user chooses files.
  document.body.appendChild(input);
  window.undo = () => input.remove();
  input.click();
  return ended.then(() => {
    const files = Array.from(input.files);
    const isGood = files.length > (input.multiple ? 1 : 0) && files.every(({ size }) => size > 0);
    return expect(
      isGood,
      files.map(({ name, size, type }) => `${name}, ${size} bytes, ${type}`).join('; ') || 'No file'
    );
  });
}

function follow(attributes) {
  const link = Object.assign(document.createElement('a'), attributes);
  document.body.appendChild(link);
  link.click();
  link.remove();
}

/** Saves a file like most pages do, which revoke the URL immediately. */
function saveBlob() {
  const href = URL.createObjectURL(new Blob(['Saved by Device Check'], { type: 'text/plain' }));
  follow({ href, download: 'device-check.txt' });
  URL.revokeObjectURL(href);
}

const DATA = { href: 'data:text/csv,a%2Cb%0A1%2C2', download: 'device-check.csv' };
const SITE = { href: 'https://example.com/', target: '_blank' };

function openEmptyWindow() {
  const opened = window.open('');
  expect(opened, 'window.open returns nothing.');
  return wait()
    .then(() => opened.close())
    .then(wait)
    .then(() => 'The page is still here.');
}

/** Opens a link to this app, for which the shell calls handleOpenURL. */
function openOwnLink() {
  const called = new Promise((resolve) => (window.handleOpenURL = resolve));
  location.href = 'device-check://back';
  return called.then((url) => expect(url === 'device-check://back', url));
}

function awaitDarkMode() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  if (dark.media === 'not all') {
    return fail('This WebView doesn’t support dark mode.');
  }
  return new Promise((resolve) => dark.addListener(() => resolve(dark.matches ? 'It’s dark now.' : 'It’s light now.')));
}

function awaitRotation() {
  const isWide = innerWidth > innerHeight;
  return next(window, 'resize', () => innerWidth > innerHeight !== isWide)
    .then(wait)
    .then(() => expect(document.documentElement.scrollWidth <= innerWidth, `${innerWidth} × ${innerHeight}`));
}

/** Returns the height that the keyboard leaves visible. */
function visibleHeight() {
  return window.visualViewport ? Math.min(innerHeight, visualViewport.height) : innerHeight;
}

function awaitKeyboard() {
  const field = document.getElementById('note');
  const height = visibleHeight();
  const isUp = () => height - visibleHeight() > 100;
  const views = [window, window.visualViewport].filter(Boolean);
  field.focus();
  return Promise.race(views.map((view) => next(view, 'resize', isUp)))
    .then(wait)
    .then(() => {
      const top = window.visualViewport ? visualViewport.offsetTop : 0;
      const end = Math.round(field.getBoundingClientRect().bottom - top);
      return expect(end > 0 && end <= visibleHeight(), `The field ends at ${end} of ${visibleHeight()}.`);
    });
}

function awaitBackInHistory() {
  const gone = next(window, 'popstate').then(() => 'The page went back, and the app stayed.');
  history.pushState(history.state, '', '#back');
  window.undo = () => location.hash === '#back' && history.back();
  return Promise.race([gone, failIfLeft()]);
}

function awaitBackButton() {
  const { href } = location;
  const pressed = new Promise((resolve) => {
    document.addEventListener('backbutton', resolve);
    window.undo = () => document.removeEventListener('backbutton', resolve);
  });
  const asked = pressed.then(wait).then(() => {
    expect(location.href === href, 'The page was asked, and went back, too.');
    return 'The page was asked.';
  });
  return Promise.race([asked, failIfLeft()]);
}

function awaitReturn() {
  const events = Promise.all([next(document, 'pause'), next(document, 'resume')]);
  return events.then(() => 'The page paused and resumed, and is as it was.');
}

function awaitNetwork() {
  return next(window, 'offline')
    .then(() => Promise.all([fetchFile('data/name.json'), next(window, 'online')]))
    .then(([{ status }]) => expect(status === 200, `Offline, then online. A file in between: status ${status}`));
}

/**
 * Waits for Android to close the app. The shell restores the history with its state, which the next page finds. First waits for an
 * earlier check that may still be going back.
 */
function awaitEnd() {
  return wait().then(() => {
    history.replaceState(Object.assign({}, history.state, { isEnding: true }), '');
    return new Promise(() => undefined);
  });
}

function awaitFullscreen() {
  const changed = () => next(document, 'fullscreenchange');
  if (!document.fullscreenEnabled) {
    return fail('This WebView doesn’t support full screen.');
  }
  const back = changed().then(changed);
  return Promise.all([back, document.documentElement.requestFullscreen()]).then(() => 'The page is back.');
}

window.GROUPS = {
  Automatic: [
    ['The page is secure', '', () => expect(isSecureContext, location.origin)],
    ['The device is ready', '', () => next(document, 'deviceready').then(({ type }) => type)],
    ['Files are found', '', () => checkStatus('data/name.json', 200)],
    ['A missing file returns 404', '', () => checkStatus('data/none.json', 404)],
    ['Two slashes count as one', '', () => checkStatus('.//data//name.json', 200)],
    ['A range with an end', '', () => checkRange('Range', 'bytes=100-199', 100, 200)],
    ['A range without an end', '', () => checkRange('Range', 'bytes=900-', 900)],
    ['The last bytes', '', () => checkRange('Range', 'bytes=-100', 900)],
    ['A header in lower case', '', () => checkRange('range', 'bytes=500-599', 500, 600)],
    ['A page in another encoding', '', checkEncoding],
    ['A module loads', '', checkModule],
    ['A service worker answers', '', checkServiceWorker],
    ['Data persists', 'Close the app, and open it again.', checkKept],
  ].map(([title, todo, start]) => [title, todo, start, 'itself']),
  Permissions: [
    ['Camera', 'Allow it when Android asks.', () => useMedia({ video: true })],
    ['Microphone', 'Allow it when Android asks.', () => useMedia({ audio: true })],
    ['Location', 'Allow it when Android asks.', findPosition],
  ],
  Files: [
    ['One file', 'Choose any file.', () => chooseFiles('', {})],
    [
      'Multiple pictures',
      'Choose two or more. Only pictures are offered.',
      () => chooseFiles('image/*', { multiple: '' }),
    ],
    ['A picture', 'The camera opens: take a picture.', () => chooseFiles('image/*', { capture: '' }), 'judged phone'],
    ['A video', 'The camera opens: record a second.', () => chooseFiles('video/*', { capture: '' }), 'judged phone'],
    ['Save a file', 'Afterward, Downloads contains device-check.txt with text in it.', saveBlob, 'judged'],
    ['Save a data: URL', 'Afterward, Downloads contains device-check.csv.', () => follow(DATA), 'judged'],
    [
      'A PDF of the app',
      'Another app shows it, or it’s in Downloads.',
      () => follow({ href: 'data/note.pdf' }),
      'judged phone',
    ],
  ],
  Links: [
    ['Another site', 'The browser opens example.com. Come back here.', () => follow(SITE), 'judged phone'],
    ['A phone number', 'The phone app shows 123. Come back here.', () => follow({ href: 'tel:123' }), 'judged phone'],
    ['A link to this app', 'Nothing else opens.', openOwnLink, 'phone'],
    ['An empty window', 'This page doesn’t change.', openEmptyWindow],
  ],
  Display: [
    [
      'Icon',
      'It fills its shape on the home screen, with the name “Device Check” under it.',
      undefined,
      'judged phone',
    ],
    ['Bars', 'Neither the system bars nor a camera cutout hides any part of this page.', undefined, 'judged phone'],
    ['Dark mode', 'Turn the phone’s dark mode on or off. This page changes with it.', awaitDarkMode],
    ['Rotation', 'Rotate the phone. This page stays, and fits the screen.', awaitRotation],
    ['Keyboard', 'The field at the bottom stays in view.', awaitKeyboard],
    ['Full screen', 'The system bars disappear. Go back, and they return.', awaitFullscreen],
    ['Vibration', 'The phone vibrates.', () => void navigator.vibrate(400), 'judged phone'],
  ],
  'Back and return': [
    ['Back in the history', 'Go back once.', awaitBackInHistory],
    ['Back as the page handles it', 'Go back once. Nothing else happens.', awaitBackButton],
    ['Back out of the app', 'Go back to the home screen, and open the app again.', awaitReturn],
    ['Offline', 'Turn airplane mode on and Wi-Fi off, come back here, and turn them back.', awaitNetwork],
    [
      'Return after the app has ended',
      'Type in the field at the bottom first. Tap Start, turn on “Don’t keep activities” in the developer options, and come back. Turn it off again afterward.',
      awaitEnd,
      'phone',
    ],
  ],
};
