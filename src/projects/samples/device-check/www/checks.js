/*
 * What an app can do on this phone. Old phones read this: ES2015, and nothing newer than Chromium 51.
 * A check is its title, what the user does, a function, and words: a text that the function gives describes what it found, and an
 * error describes the problem. `itself`: it starts by itself. `judged`: the user tells whether it worked. `phone`: it isn't offered
 * elsewhere. A function may set `window.undo`, which is called once when its check ends or is given up.
 */
'use strict';

const WAIT_MS = 600;

function expect(isGood, text) {
  if (!isGood) {
    throw new Error(text);
  }
  return text;
}

/** Fails with a text that explains why this WebView can't do it; the app isn't at fault. */
function fail(text) {
  return Promise.reject(Object.assign(new Error(text), { isUnavailable: true }));
}

function wait() {
  return new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}

/** Resolves with the first event, or the first at which a condition holds. */
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

/** Fails when the page is no longer seen. */
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

/** Nothing to tell at the first start. */
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
  // Outside the page, it might be collected as garbage before files are chosen.
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

/** As most pages save: the URL is revoked at once. */
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

/** The shell calls handleOpenURL with a link that opens the app. */
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

/** The height that the keyboard leaves. */
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

/** The shell restores the history with its state: the page that starts then finds it. A check before may be going back still. */
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
  'By itself': [
    ['The page is secure', '', () => expect(isSecureContext, location.origin)],
    ['The device is ready', '', () => next(document, 'deviceready').then(({ type }) => type)],
    ['Files are found', '', () => checkStatus('data/name.json', 200)],
    ['A missing file is 404', '', () => checkStatus('data/none.json', 404)],
    ['Two slashes count as one', '', () => checkStatus('.//data//name.json', 200)],
    ['A range with an end', '', () => checkRange('Range', 'bytes=100-199', 100, 200)],
    ['A range without an end', '', () => checkRange('Range', 'bytes=900-', 900)],
    ['The last bytes', '', () => checkRange('Range', 'bytes=-100', 900)],
    ['A header in lower case', '', () => checkRange('range', 'bytes=500-599', 500, 600)],
    ['A page in another encoding', '', checkEncoding],
    ['A module loads', '', checkModule],
    ['A service worker answers', '', checkServiceWorker],
    ['Data is kept', 'Close the app, and open it again.', checkKept],
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
    ['Save a file', 'device-check.txt is in Downloads then, with a text in it.', saveBlob, 'judged'],
    ['Save a data: URL', 'device-check.csv is in Downloads then.', () => follow(DATA), 'judged'],
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
    ['An empty window', 'This page stays as it is.', openEmptyWindow],
  ],
  Display: [
    ['Icon', 'It fills its shape on the home screen, and “Device Check” is below it.', undefined, 'judged phone'],
    ['Bars', 'Neither the system bars nor a camera cutout hides any part of this page.', undefined, 'judged phone'],
    ['Dark mode', 'Switch the phone to dark mode, or back. This page follows.', awaitDarkMode],
    ['Rotation', 'Turn the phone. This page stays, and fits.', awaitRotation],
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
