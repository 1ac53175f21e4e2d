// Answers one address that no file has, so that the page can tell whether it's in use.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname === '/from-the-service-worker') {
    event.respondWith(new Response('yes'));
  }
});
