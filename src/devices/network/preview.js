/* Shows each build after its event. A worker or a cache of the build before would answer in its place. Old phones read this: ES5. */
(function () {
  var shown;
  var events = new EventSource('events');
  function forget() {
    var workers =
      'serviceWorker' in navigator
        ? navigator.serviceWorker.getRegistrations().then(function (all) {
            return Promise.all(
              all.map(function (each) {
                return each.unregister();
              })
            );
          })
        : Promise.resolve();
    return workers.then(function () {
      return 'caches' in window
        ? caches.keys().then(function (names) {
            return Promise.all(
              names.map(function (name) {
                return caches.delete(name);
              })
            );
          })
        : undefined;
    });
  }
  function reload() {
    // Another element: the same address with a fragment would not be loaded again.
    var frame = document.querySelector('iframe');
    frame.replaceWith(frame.cloneNode());
  }
  events.addEventListener('build', function (event) {
    var isFirst = shown === undefined;
    if (shown !== event.data) {
      shown = event.data;
      if (!isFirst) forget().then(reload, reload);
    }
  });
  events.addEventListener('end', function () {
    events.close();
    document.querySelector('p').hidden = false;
  });
})();
