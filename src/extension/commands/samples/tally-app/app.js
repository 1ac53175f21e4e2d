'use strict';

// Key of the number in the browser's storage, which persists when the app closes.
const KEY = 'tally';
// Only the marks of the last hundred fit on the screen.
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
