/* What an app can do on this phone. A check gives a text that describes what it found, or throws one that describes what's wrong. */
'use strict';

/** By title: `good` or `bad`, and what was found. Kept, so that a report is complete after the app was closed. */
const results = JSON.parse(localStorage.getItem('results') ?? '{}');

function assert(isGood, text) {
  if (!isGood) {
    throw new Error(text);
  }
  return text;
}

async function range(name, value, from, to) {
  const response = await fetch('data/digits.txt', { headers: { [name]: value } });
  const text = await response.text();
  const expected = '0123456789'.repeat(100).slice(from, to);
  return assert(response.status === 206 && text === expected, `status ${response.status}, ${text.length} characters`);
}

/** Resolves with the file that the user chooses. */
function chosen(attributes) {
  const input = Object.assign(document.createElement('input'), { type: 'file', ...attributes });
  if (attributes.capture !== undefined) {
    input.setAttribute('capture', attributes.capture);
  }
  return new Promise((resolve, reject) => {
    input.addEventListener('change', () => resolve(describe([...input.files])));
    input.addEventListener('cancel', () => reject(new Error('cancelled')));
    input.click();
  });
}

function describe(files) {
  const sizes = files.map(({ name, size, type }) => `${name}, ${size} bytes, ${type}`);
  return assert(files.length > 0 && files.every(({ size }) => size > 0), sizes.join('; ') || 'no file');
}

async function media(constraints) {
  const stream = await navigator.mediaDevices.getUserMedia(constraints);
  const tracks = stream.getTracks().map((track) => {
    track.stop();
    return track.label || track.kind;
  });
  return tracks.join(', ');
}

function save(url, name) {
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
}

function open(url) {
  const link = Object.assign(document.createElement('a'), { href: url, target: '_blank' });
  document.body.append(link);
  link.click();
  link.remove();
}

/** [title, check]: these run when the page starts. */
const AUTOMATIC = {
  Requests: {
    'Files are found': async () =>
      assert((await (await fetch('data/name.json')).json()).name === 'Device Check', 'JSON'),
    'A file that is absent is 404': async () => {
      const { status } = await fetch('data/absent.json');
      return assert(status === 404, `status ${status}`);
    },
    'Two slashes count as one': async () => {
      const { status } = await fetch(`${location.origin}//data//name.json`);
      return assert(status === 200, `status ${status}`);
    },
    'A range with an end': () => range('Range', 'bytes=100-199', 100, 200),
    'A range without an end': () => range('Range', 'bytes=900-', 900, 1000),
    'The last bytes': () => range('Range', 'bytes=-100', 900, 1000),
    'A range in lower case': () => range('range', 'bytes=500-599', 500, 600),
    'A page in another encoding': async () => {
      const frame = Object.assign(document.createElement('iframe'), { src: 'data/windows-1252.html', hidden: true });
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      const { characterSet } = frame.contentDocument;
      frame.remove();
      return assert(characterSet === 'windows-1252', characterSet);
    },
    'Modules load': async () => assert((await import('./data/module.mjs')).answer === 42, 'imported'),
  },
  Platform: {
    'The context is secure': () => assert(isSecureContext, location.origin),
    'The app knows whether it is online': () =>
      assert(typeof navigator.onLine === 'boolean', `onLine: ${navigator.onLine}`),
    'A service worker answers': async () => {
      await navigator.serviceWorker.register('service-worker.js');
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller === null) {
        await new Promise((resolve) =>
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
        );
      }
      const response = await fetch('/from-the-service-worker');
      return assert((await response.text()) === 'yes', `status ${response.status}`);
    },
    'IndexedDB opens': () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('check');
        request.addEventListener('success', () => resolve('opened'));
        request.addEventListener('error', () => reject(new Error(String(request.error))));
      }),
    'Data are kept after a restart': () => {
      const starts = Number(localStorage.getItem('starts') ?? 0) + 1;
      localStorage.setItem('starts', String(starts));
      return assert(starts > 1, `start ${starts}${starts > 1 ? '' : ': close the app, and open it again'}`);
    },
  },
};

/** [title, what the button does]: the result is known when it ends. */
const BUTTONS = {
  Permissions: {
    Camera: () => media({ video: true }),
    Microphone: () => media({ audio: true }),
    Location: () =>
      new Promise((resolve, reject) => {
        navigator.geolocation.getCurrentPosition(
          ({ coords }) => resolve(`to ${Math.round(coords.accuracy)} m`),
          ({ message }) => reject(new Error(message)),
        );
      }),
  },
  Files: {
    'Choose a file': () => chosen({}),
    'Choose several pictures': () => chosen({ multiple: true, accept: 'image/*' }),
    'Take a picture': () => chosen({ accept: 'image/*', capture: 'environment' }),
    'Record a film': () => chosen({ accept: 'video/*', capture: 'environment' }),
  },
};

/** [title, what the button does, what the user has to see]: the user gives the result. */
const ASKED = {
  Downloads: {
    'Save a blob': [
      () => {
        const url = URL.createObjectURL(new Blob(['Saved by Device Check'], { type: 'text/plain' }));
        save(url, 'device-check.txt');
        URL.revokeObjectURL(url);
      },
      'device-check.txt is in Downloads, with its text',
    ],
    'Save a data address': [
      () => save('data:text/csv,a%2Cb%0A1%2C2', 'device-check.csv'),
      'device-check.csv is in Downloads',
    ],
    'Open a PDF of the app': [() => save('data/note.pdf', ''), 'another app shows the PDF'],
  },
  Links: {
    'Another site': [() => open('https://example.com/'), 'the browser opens; back leads here'],
    'Telephone number': [() => open('tel:123'), 'the phone app opens'],
    'An empty window, closed again': [
      () => {
        const opened = window.open('');
        setTimeout(() => opened?.close(), 500);
      },
      'this page is still here',
    ],
  },
  Display: {
    'Bars of the system': [undefined, 'nothing is hidden below the status bar, the navigation bar or a camera hole'],
    'Dark mode': [undefined, 'switch the phone to dark mode: this page turns dark'],
    Keyboard: [() => document.getElementById('bottom').focus(), 'the field at the bottom stays in view'],
    Rotation: [undefined, 'turn the phone: the page stays as it is, and fits'],
    'Full screen': [
      () => document.getElementById('checks').requestFullscreen(),
      'the bars go; back brings them back, and this page stays',
    ],
    Vibration: [() => navigator.vibrate(300), 'the phone vibrates'],
  },
  'Back and return': {
    'Back in the history': [() => history.pushState({}, '', '#second'), 'back removes #second, and the app stays'],
    'Back out of the app': [undefined, 'back leads to the home screen; the app opens again where it was'],
    'Return after the process has ended': [
      undefined,
      'turn on “Don’t keep activities” in the developer options, leave the app, and come back: this page is where it was',
    ],
  },
};

function show(title, result, text) {
  results[title] = { result, text };
  localStorage.setItem('results', JSON.stringify(results));
  const item = rows.get(title);
  item.dataset.result = result;
  item.querySelector('small').textContent = text;
  report();
}

async function run(title, check) {
  try {
    show(title, 'good', String(await check()));
  } catch (error) {
    show(title, 'bad', error instanceof Error ? error.message : String(error));
  }
}

const rows = new Map();

function addRow(list, title, hint, ...buttons) {
  const item = document.createElement('li');
  const label = Object.assign(document.createElement('span'), { textContent: title });
  item.append(label, ...buttons, Object.assign(document.createElement('small'), { textContent: hint }));
  rows.set(title, item);
  list.append(item);
}

function button(label, title, onClick) {
  const element = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
  element.setAttribute('aria-label', `${label}: ${title}`);
  element.addEventListener('click', onClick);
  return element;
}

function addGroups(groups, toRow) {
  for (const [group, checks] of Object.entries(groups)) {
    const list = document.createElement('ul');
    document.getElementById('checks').append(Object.assign(document.createElement('h2'), { textContent: group }), list);
    Object.entries(checks).forEach(([title, check]) => toRow(list, title, check));
  }
}

function report() {
  const titles = [...rows.keys()];
  const count = (result) => titles.filter((title) => results[title]?.result === result).length;
  const open = titles.length - count('good') - count('bad');
  const summary = `${count('good')} good, ${count('bad')} bad, ${open} open`;
  document.getElementById('summary').textContent = summary;
  document.getElementById('report').value = [
    `Device Check 1.0.0: ${summary}`,
    navigator.userAgent,
    `${innerWidth} × ${innerHeight}, density ${devicePixelRatio}`,
    ...titles.map((title) => {
      const { result = 'open', text = '' } = results[title] ?? {};
      return `${result.padEnd(4)} ${title}${text === '' ? '' : `: ${text}`}`;
    }),
  ].join('\n');
}

addGroups(AUTOMATIC, (list, title) => addRow(list, title, '…'));
addGroups(BUTTONS, (list, title, check) =>
  addRow(
    list,
    title,
    '',
    button('Try', title, () => run(title, check)),
  ),
);
addGroups(ASKED, (list, title, [action, expected]) => {
  const buttons = [
    button('Yes', title, () => show(title, 'good', expected)),
    button('No', title, () => show(title, 'bad', `not: ${expected}`)),
  ];
  addRow(list, title, `Expected: ${expected}`, ...(action ? [button('Try', title, action)] : []), ...buttons);
});
for (const [title, { result, text }] of Object.entries(results)) {
  if (rows.has(title)) {
    show(title, result, text);
  }
}
document
  .getElementById('copy')
  .addEventListener('click', () => navigator.clipboard.writeText(document.getElementById('report').value));
report();
for (const checks of Object.values(AUTOMATIC)) {
  Object.entries(checks).forEach(([title, check]) => run(title, check));
}
