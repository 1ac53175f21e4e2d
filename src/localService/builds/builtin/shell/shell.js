/* Runs in each page of the app once it has loaded: gives the shell the content of `blob:` URLs that the user saves. ES5. */
(function () {
  'use strict';
  if (window.appShell) {
    return;
  }
  var PART_BYTES = 384 * 1024;
  var KEPT_MS = 60000;
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
  ['click', 'dispatchEvent'].forEach(function (name) {
    var original = HTMLAnchorElement.prototype[name];
    HTMLAnchorElement.prototype[name] = function () {
      remember(this);
      return original.apply(this, arguments);
    };
  });

  /** By their URLs: the policy of a page may forbid to fetch them. */
  var blobs = {};
  var create = URL.createObjectURL;
  URL.createObjectURL = function (object) {
    var url = create.call(URL, object);
    if (object instanceof Blob) {
      blobs[url] = object;
    }
    return url;
  };
  /* Many pages revoke a URL at once, before the shell has asked for it. */
  var revoke = URL.revokeObjectURL;
  URL.revokeObjectURL = function (url) {
    setTimeout(function () {
      delete blobs[url];
      revoke.call(URL, url);
    }, KEPT_MS);
  };

  function read(url) {
    return blobs[url]
      ? Promise.resolve(blobs[url])
      : fetch(url).then(function (response) {
          return response.blob();
        });
  }

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
    port.postMessage(JSON.stringify({ name: name, type: blob.type.split(';')[0] }));
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
      read(found[1])
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
