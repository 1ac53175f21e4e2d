/* Answers one URL that no file has, so that the page can tell whether it's in use. */
'use strict';

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (/\/from-the-service-worker$/.test(event.request.url)) {
    event.respondWith(new Response('yes'));
  }
});
