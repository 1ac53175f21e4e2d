/*
 * Runs in every page of the app after the page has loaded. Sends the shell the content of `blob:` URLs that the user
 * saves. Must run on old phones, so use only ES5.
 */
(function () {
  'use strict';
  if (window.appShell) {
    return;
  }
  var PART_BYTES = 384 * 1024;
  var KEPT_MS = 60000;
  var KEPT_LINKS = 10;
  /**
   * The last links that were clicked, latest first. They're kept for their suggested file names, which WebView doesn't
   * report.
   */
  var links = [];
  /** Number of the last link to the app that this page has handled. */
  var taken = -1;

  function linkOf(url) {
    return links.filter(function (link) {
      return link.url === url;
    })[0];
  }

  function nameOf(url) {
    var link = linkOf(url);
    return link ? link.name : '';
  }

  Object.defineProperty(window, 'appShell', {
    value: {
      nameOf: nameOf,
      /**
       * Handles a link to the app, once per number.
       *
       * @returns whether the page handles the link
       */
      takeLink: function (number, link) {
        var isTaken = number !== taken && Boolean(window.handleOpenURL);
        if (isTaken) {
          taken = number;
          setTimeout(window.handleOpenURL, 0, link);
        }
        return isTaken;
      },
    },
  });

  function remember(link) {
    if (link.hasAttribute('download') && /^(blob|data):/.test(link.href)) {
      links = [{ url: link.href, name: link.download }].concat(links.slice(0, KEPT_LINKS - 1));
    }
  }

  addEventListener(
    'click',
    function (event) {
      /* For a click in a shadow root, the event's target is the root's host. */
      (event.composedPath ? event.composedPath() : [event.target]).some(function (target) {
        var link = target.closest && target.closest('a[download]');
        if (link) {
          remember(link);
        }
        return link;
      });
    },
    true
  );
  /* Most pages click a link that isn't in a document. */
  ['click', 'dispatchEvent'].forEach(function (name) {
    var original = HTMLAnchorElement.prototype[name];
    HTMLAnchorElement.prototype[name] = function () {
      remember(this);
      return original.apply(this, arguments);
    };
  });

  /** Blobs, keyed by URL. They're kept because a page's policy can forbid fetching them. */
  var blobs = {};
  var create = URL.createObjectURL;
  URL.createObjectURL = function (object) {
    var url = create.call(URL, object);
    if (object instanceof Blob) {
      blobs[url] = object;
    }
    return url;
  };
  var revoke = URL.revokeObjectURL;
  function forget(url) {
    delete blobs[url];
    revoke.call(URL, url);
  }
  URL.revokeObjectURL = function (url) {
    /* Many pages revoke a link's URL immediately, before the shell asks for its content. */
    if (linkOf(url)) {
      setTimeout(forget, KEPT_MS, url);
    } else {
      forget(url);
    }
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
    function fail() {
      port.postMessage('!');
    }
    /* The page is unloading, so the rest of the content is lost. */
    addEventListener('pagehide', fail);
    port.onmessage = function () {
      if (start >= blob.size) {
        removeEventListener('pagehide', fail);
        port.postMessage('');
        return;
      }
      var reader = new FileReader();
      reader.onload = function () {
        start += PART_BYTES;
        port.postMessage(reader.result.slice(reader.result.indexOf(',') + 1));
      };
      reader.onerror = fail;
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
          send(port, blob, nameOf(found[1]));
        })
        .catch(function () {
          port.postMessage('!');
        });
    },
    true
  );
})();
