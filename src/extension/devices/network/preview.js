/*
 * Reloads the frame when a new build is announced. Removes service workers and caches first, because they would answer with the previous
 * build. Old phones run this script, so it's ES5.
 */
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
    // Replaces the element, because setting the same address with a fragment wouldn't reload the frame.
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
