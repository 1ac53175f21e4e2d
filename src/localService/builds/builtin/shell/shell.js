/* Runs in each page of the app once it has loaded: gives the shell the content of `blob:` URLs that are downloaded. ES5. */
(function () {
  'use strict';
  if (window.appShell) {
    return;
  }
  var PART_BYTES = 384 * 1024;
  /** The names that links suggest, by their URLs: WebView doesn't tell them. */
  var names = {};
  Object.defineProperty(window, 'appShell', {
    value: function (url) {
      return names[url] || '';
    },
  });

  function remember(link) {
    if (link.hasAttribute('download') && /^(blob|data):/.test(link.href)) {
      names = {};
      names[link.href] = link.download;
    }
  }

  addEventListener(
    'click',
    function (event) {
      var link = event.target.closest && event.target.closest('a[download]');
      if (link) {
        remember(link);
      }
    },
    true
  );
  /* Most pages click a link that is in no document. */
  var click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    remember(this);
    return click.call(this);
  };
  /* And they revoke its URL at once, before the shell has asked for it. */
  var revoke = URL.revokeObjectURL;
  URL.revokeObjectURL = function (url) {
    setTimeout(function () {
      revoke.call(URL, url);
    }, 60000);
  };

  function send(port, blob, name) {
    var start = 0;
    port.onmessage = function () {
      if (start >= blob.size) {
        port.postMessage('');
        return;
      }
      var reader = new FileReader();
      reader.onload = function () {
        start += PART_BYTES;
        port.postMessage(reader.result.slice(reader.result.indexOf(',') + 1));
      };
      reader.onerror = function () {
        port.postMessage('!');
      };
      reader.readAsDataURL(blob.slice(start, start + PART_BYTES));
    };
    port.postMessage(JSON.stringify({ name: name, type: blob.type || 'application/octet-stream' }));
  }

  addEventListener(
    'message',
    function (event) {
      var found = /^appbuild:save (blob:.*)$/.exec(event.data);
      if (!found || event.source !== null || !event.ports[0]) {
        return;
      }
      event.stopImmediatePropagation();
      var port = event.ports[0];
      fetch(found[1])
        .then(function (response) {
          return response.blob();
        })
        .then(function (blob) {
          send(port, blob, names[found[1]] || '');
        })
        .catch(function () {
          port.postMessage('!');
        });
    },
    true
  );
})();
