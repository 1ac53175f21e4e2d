'use strict';

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

// Uses the network first, so that changes show immediately. When offline, uses the last stored response.
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
