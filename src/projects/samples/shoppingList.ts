import { escapeUTF8 } from 'entities/escape';

import { letterIcon } from '../letterIcon.ts';
import type { Sample, SampleTexts } from './sample.ts';

const COLOUR = '#0f766e';
const BACKGROUND = '#f3f7f6';

/** A shopping list: pages with a web app manifest, which browsers install, too. */
export function shoppingList(texts: SampleTexts): Sample {
  const title = texts.shoppingList;
  const manifest = {
    name: title,
    short_name: texts.shopping,
    description: texts.shoppingListDescription,
    lang: texts.language,
    start_url: './',
    display: 'standalone',
    theme_color: COLOUR,
    background_color: BACKGROUND,
    icons: [{ src: 'icon.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' }],
  };
  return {
    folder: 'list-app',
    page: 'index.html',
    files: {
      'index.html': page(texts),
      'style.css': STYLE,
      'app.js': SCRIPT,
      'manifest.webmanifest': `${JSON.stringify(manifest, null, 2)}\n`,
      'service-worker.js': SERVICE_WORKER,
      'icon.png': letterIcon(title, COLOUR),
    },
  };
}

function page({ language, shoppingList: title, whatToBuy, add, remove, nothingToBuy }: SampleTexts): string {
  return `<!DOCTYPE html>
<html lang="${escapeUTF8(language)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="theme-color" content="${COLOUR}" />
    <title>${escapeUTF8(title)}</title>
    <link rel="manifest" href="manifest.webmanifest" />
    <link rel="icon" href="icon.png" />
    <link rel="apple-touch-icon" href="icon.png" />
    <link rel="stylesheet" href="style.css" />
    <script src="app.js" defer></script>
  </head>
  <body>
    <header>
      <h1>${escapeUTF8(title)}</h1>
    </header>
    <main>
      <form id="form">
        <input
          id="text"
          aria-label="${escapeUTF8(whatToBuy)}"
          placeholder="${escapeUTF8(whatToBuy)}"
          maxlength="100"
          autocomplete="off"
          enterkeyhint="done"
        />
        <button>${escapeUTF8(add)}</button>
      </form>
      <ul id="list"></ul>
      <p id="empty" hidden>${escapeUTF8(nothingToBuy)}</p>
    </main>
    <template id="item">
      <li>
        <label><input type="checkbox" /><span></span></label>
        <button type="button" aria-label="${escapeUTF8(remove)}">×</button>
      </li>
    </template>
  </body>
</html>
`;
}

const STYLE = `:root {
  color-scheme: light dark;
  --accent: ${COLOUR};
  --page: ${BACKGROUND};
  --card: #fff;
  --text: #12312d;
  --quiet: #56706c;
}

@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1716;
    --card: #1a2725;
    --text: #e3f2ef;
    --quiet: #93aeaa;
  }
}

* {
  box-sizing: border-box;
}

body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1.0625rem/1.4 system-ui, sans-serif;
}

header {
  position: sticky;
  z-index: 1;
  top: 0;
  padding: 1rem 1.25rem;
  /* Phones have a camera or a clock there. */
  padding-top: calc(1rem + env(safe-area-inset-top, 0px));
  background: var(--accent);
  color: #fff;
}

h1 {
  margin: 0;
  font-size: 1.25rem;
}

main {
  max-width: 40rem;
  margin: 0 auto;
  padding: 1rem 1rem calc(1rem + env(safe-area-inset-bottom, 0px));
}

form {
  display: flex;
}

#text {
  flex: 1;
  min-width: 0;
  padding: 0.75rem 1rem;
  border: 1px solid var(--quiet);
  border-radius: 0.75rem;
  background: var(--card);
  color: inherit;
  font: inherit;
}

#text::placeholder {
  color: var(--quiet);
}

button {
  border: 0;
  border-radius: 0.75rem;
  font: inherit;
  cursor: pointer;
  touch-action: manipulation;
}

form button {
  margin-left: 0.5rem;
  padding: 0 1.25rem;
  background: var(--accent);
  color: #fff;
  font-weight: 600;
}

input:focus-visible,
button:focus-visible {
  outline: 0.15rem solid var(--text);
  outline-offset: 0.1rem;
}

ul {
  margin: 1rem 0 0;
  padding: 0;
  list-style: none;
}

li {
  display: flex;
  align-items: center;
  margin-bottom: 0.5rem;
  border-radius: 0.75rem;
  background: var(--card);
  box-shadow: 0 1px 2px rgba(0, 0, 0, 0.12);
}

label {
  display: flex;
  flex: 1;
  align-items: center;
  min-width: 0;
  padding: 0.8rem 0 0.8rem 1rem;
}

label span {
  min-width: 0;
  overflow-wrap: anywhere;
}

label input {
  flex: none;
  width: 1.35rem;
  height: 1.35rem;
  margin: 0 0.9rem 0 0;
  accent-color: var(--accent);
}

label input:checked + span {
  color: var(--quiet);
  text-decoration: line-through;
}

li button {
  width: 3rem;
  height: 3rem;
  background: none;
  color: var(--quiet);
  font-size: 1.5rem;
  line-height: 1;
}

#empty {
  margin: 5rem 1rem;
  color: var(--quiet);
  text-align: center;
}
`;

const SCRIPT = `'use strict';

// The browser keeps the list under this name, also when the app is closed.
const KEY = 'shopping-list';

const form = document.getElementById('form');
const text = document.getElementById('text');
const list = document.getElementById('list');
let items = JSON.parse(localStorage.getItem(KEY) || '[]');

function save() {
  localStorage.setItem(KEY, JSON.stringify(items));
}

function show() {
  list.textContent = '';
  for (const item of items) {
    list.appendChild(rowOf(item));
  }
  document.getElementById('empty').hidden = items.length > 0;
}

function rowOf(item) {
  const row = document.importNode(document.getElementById('item').content, true);
  const checkbox = row.querySelector('input');
  checkbox.checked = item.isBought;
  checkbox.addEventListener('change', () => {
    item.isBought = checkbox.checked;
    save();
  });
  row.querySelector('span').textContent = item.name;
  row.querySelector('button').addEventListener('click', () => {
    items = items.filter((each) => each !== item);
    save();
    show();
  });
  return row;
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const name = text.value.trim();
  if (name !== '') {
    items.push({ name, isBought: false });
    text.value = '';
    save();
    show();
  }
});
show();

// An app on a phone has its files with it. On the web, the service worker keeps them for the time without a network.
if ('serviceWorker' in navigator && location.origin !== 'https://localhost') {
  navigator.serviceWorker.register('service-worker.js').catch((error) => console.warn(error));
}
`;

const SERVICE_WORKER = `'use strict';

const CACHE = 'shopping-list';
const FILES = ['./', 'index.html', 'style.css', 'app.js', 'manifest.webmanifest', 'icon.png'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

self.addEventListener('fetch', (event) => {
  const isOwn = new URL(event.request.url).origin === location.origin;
  if (event.request.method === 'GET' && isOwn) {
    event.respondWith(answerTo(event.request));
  }
});

// From the network, so that changes show at once; without one, what was kept of the last time.
async function answerTo(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await cache.put(request, response.clone());
    }
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept === undefined) {
      throw error;
    }
    return kept;
  }
}
`;
