import { escapeUTF8 } from 'entities/escape';

import type { Sample, SampleTexts } from './sample.ts';

const COLOUR = '#4f46e5';

/** A counter: plain pages, from which all is made that an app needs beside them. */
export function tally({ language, tally: title, oneMore, oneLess, startAgain }: SampleTexts): Sample {
  return {
    folder: 'tally-app',
    page: 'index.html',
    files: {
      'index.html': `<!DOCTYPE html>
<html lang="${escapeUTF8(language)}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="theme-color" content="${COLOUR}" />
    <title>${escapeUTF8(title)}</title>
    <link rel="stylesheet" href="style.css" />
    <script src="app.js" defer></script>
  </head>
  <body>
    <header>
      <h1>${escapeUTF8(title)}</h1>
      <button id="reset" type="button">${escapeUTF8(startAgain)}</button>
    </header>
    <main>
      <output id="count">0</output>
      <div id="marks" aria-hidden="true"></div>
    </main>
    <footer>
      <button id="less" type="button" aria-label="${escapeUTF8(oneLess)}">−</button>
      <button id="more" type="button" aria-label="${escapeUTF8(oneMore)}">+</button>
    </footer>
  </body>
</html>
`,
      'style.css': STYLE,
      'app.js': SCRIPT,
    },
  };
}

const STYLE = `:root {
  color-scheme: light dark;
  --accent: ${COLOUR};
  --page: #f6f6fc;
  --text: #1e1b4b;
  --button: #e3e2f7;
}

@media (prefers-color-scheme: dark) {
  :root {
    --page: #13121d;
    --text: #eceafe;
    --button: #2a2842;
  }
}

html {
  height: 100%;
}

body {
  display: grid;
  grid-template-rows: auto 1fr auto;
  min-height: 100%;
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.4 system-ui, sans-serif;
}

header {
  display: flex;
  align-items: center;
  justify-content: space-between;
  padding: 0.75rem 1.25rem;
  /* Phones have a camera or a clock there. */
  padding-top: calc(0.75rem + env(safe-area-inset-top, 0px));
  background: var(--accent);
  color: #fff;
}

h1 {
  margin: 0;
  font-size: 1.25rem;
}

main {
  display: grid;
  align-content: center;
  justify-items: center;
  padding: 1rem 1.25rem;
}

#count {
  font-size: 6.5rem;
  font-weight: 700;
  font-variant-numeric: tabular-nums;
  line-height: 1.1;
}

#marks {
  display: flex;
  flex-wrap: wrap;
  max-width: 16.25rem;
  min-height: 3.5rem;
}

/* Five marks: four strokes, and one across them. */
.five {
  position: relative;
  display: flex;
  width: 2.25rem;
  height: 2rem;
  margin: 0.5rem;
}

.five i {
  width: 0.1875rem;
  margin-right: 0.375rem;
  border-radius: 0.1rem;
  background: var(--accent);
}

.five i:nth-child(5) {
  position: absolute;
  top: -0.2rem;
  left: 0.85rem;
  height: 2.4rem;
  transform: rotate(-58deg);
}

@media (prefers-color-scheme: dark) {
  .five i {
    background: #a5a0ff;
  }
}

footer {
  display: flex;
  align-items: center;
  justify-content: center;
  padding: 1rem 1.25rem calc(2rem + env(safe-area-inset-bottom, 0px));
}

button {
  border: 0;
  background: var(--button);
  color: inherit;
  font: inherit;
  cursor: pointer;
  touch-action: manipulation;
  -webkit-tap-highlight-color: transparent;
}

button:active {
  transform: scale(0.94);
}

button:focus-visible {
  outline: 0.2rem solid currentColor;
  outline-offset: 0.15rem;
}

#reset {
  min-height: 2.5rem;
  padding: 0 1rem;
  border-radius: 1.25rem;
  background: rgba(255, 255, 255, 0.18);
}

#less,
#more {
  border-radius: 50%;
  line-height: 1;
}

#less {
  width: 4rem;
  height: 4rem;
  margin-right: 1.5rem;
  font-size: 2rem;
}

#more {
  width: 7rem;
  height: 7rem;
  /* Keeps it in the middle. */
  margin-right: 5.5rem;
  background: var(--accent);
  color: #fff;
  font-size: 3.5rem;
}

#more:focus-visible {
  outline-color: var(--text);
}
`;

const SCRIPT = `'use strict';

// The browser keeps the number under this name, also when the app is closed.
const KEY = 'tally';
// Marks of more than the last hundred have no room.
const MAX_MARKS = 100;

let count = Number(localStorage.getItem(KEY)) || 0;

function change(to) {
  count = Math.max(0, to);
  localStorage.setItem(KEY, String(count));
  show();
}

function show() {
  document.getElementById('count').textContent = String(count);
  const marks = document.getElementById('marks');
  marks.textContent = '';
  const shown = count === 0 ? 0 : ((count - 1) % MAX_MARKS) + 1;
  for (let mark = 0; mark < shown; mark += 1) {
    if (mark % 5 === 0) {
      const five = document.createElement('span');
      five.className = 'five';
      marks.appendChild(five);
    }
    marks.lastChild.appendChild(document.createElement('i'));
  }
}

document.getElementById('more').addEventListener('click', () => change(count + 1));
document.getElementById('less').addEventListener('click', () => change(count - 1));
document.getElementById('reset').addEventListener('click', () => change(0));
show();
`;
