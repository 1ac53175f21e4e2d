'use strict';

// Key of the list in the browser's storage, which persists when the app closes.
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

// An app on a phone includes its files. On the web, the service worker stores them for offline use.
if ('serviceWorker' in navigator && location.origin !== 'https://localhost') {
  navigator.serviceWorker.register('service-worker.js').catch((error) => console.warn(error));
}
