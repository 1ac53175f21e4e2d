/* Responds to one URL that doesn't exist as a file, so that the page can detect the service worker. */
'use strict';

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (/\/from-the-service-worker$/.test(event.request.url)) {
    event.respondWith(new Response('yes'));
  }
});
