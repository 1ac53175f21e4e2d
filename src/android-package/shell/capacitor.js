/*
 * Implements Capacitor's native interface. Capacitor's own script (@capacitor/core), which is part of the pages, finds
 * these members of window.Capacitor, uses the platform `android`, and calls the members for plugins that have a header.
 * The builder appends the call that lists the plugins.
 */
window.appBuildCapacitor = function (methods) {
  'use strict';
  var capacitor = (window.Capacitor = window.Capacitor || {});
  var common = ['checkPermissions', 'requestPermissions', 'removeListener', 'removeAllListeners'];
  /** Listeners for the `backButton` event of the App plugin. The shell asks the page before going back. */
  var backListeners = {};
  /** Set by `App.toggleBackButtonHandler`. If false, the back button closes the app. */
  var isBackEnabled = true;

  function header(name) {
    return {
      name: name,
      methods: methods[name]
        .concat(common)
        .map(function (method) {
          return { name: method, rtype: /^(watch|addWatcher|readFileInChunks)/.test(method) ? 'callback' : 'promise' };
        })
        .concat({ name: 'addListener', rtype: 'callback' }),
    };
  }

  function toError(reason) {
    var error = new Error(typeof reason === 'string' ? reason : (reason && reason.message) || '');
    if (reason && typeof reason === 'object') {
      error.code = reason.code;
      error.data = reason.data;
    }
    return error;
  }

  capacitor.PluginHeaders = Object.keys(methods).map(header);
  capacitor.nativePromise = function (plugin, method, options) {
    return new Promise(function (resolve, reject) {
      if (method === 'removeListener') {
        delete backListeners[options.callbackId];
      } else if (plugin === 'App' && method === 'removeAllListeners') {
        backListeners = {};
      } else if (plugin === 'App' && method === 'toggleBackButtonHandler') {
        isBackEnabled = options.enabled !== false;
      }
      cordova.exec(
        resolve,
        function (reason) {
          reject(toError(reason));
        },
        'Capacitor.' + plugin,
        method,
        [options || {}]
      );
    });
  };
  capacitor.nativeCallback = function (plugin, method, options, callback) {
    var listener = typeof options === 'function' ? options : callback || function () {};
    var id = 'Capacitor.' + plugin + cordova.callbackId;
    cordova.exec(
      function (data) {
        listener(data);
      },
      function (reason) {
        listener(null, toError(reason));
      },
      'Capacitor.' + plugin,
      method,
      [typeof options === 'function' ? {} : options || {}]
    );
    if (plugin === 'App' && method === 'addListener' && options.eventName === 'backButton') {
      backListeners[id] = listener;
    }
    return id;
  };
  /* Pages without a bundler call plugins through this object. Capacitor's script replaces it. */
  capacitor.Plugins = capacitor.Plugins || {};
  capacitor.PluginHeaders.forEach(function (each) {
    var plugin = (capacitor.Plugins[each.name] = {});
    each.methods.forEach(function (method) {
      plugin[method.name] = capacitor[method.rtype === 'callback' ? 'nativeCallback' : 'nativePromise'].bind(
        capacitor,
        each.name,
        method.name
      );
    });
    plugin.addListener = function (eventName, listener) {
      var options = { eventName: eventName };
      var id = capacitor.nativeCallback(each.name, 'addListener', options, listener);
      return {
        remove: function () {
          return capacitor.nativePromise(each.name, 'removeListener', { eventName: eventName, callbackId: id });
        },
      };
    };
  });
  capacitor.getPlatform = function () {
    return 'android';
  };
  /* Versions 1 and 2 of Capacitor's script reuse this object. */
  capacitor.platform = 'android';
  capacitor.isNative = true;
  capacitor.isNativePlatform = function () {
    return true;
  };
  capacitor.isPluginAvailable = function (name) {
    return Object.prototype.hasOwnProperty.call(capacitor.Plugins, name);
  };
  capacitor.convertFileSrc = function (path) {
    return Ionic.WebView.convertFileSrc(typeof path === 'string' ? path.replace(/^\//, 'file:///') : path);
  };
  /*
   * Capacitor's script uses these to detect the platform. The second one makes it use web code for plugins without a
   * header.
   */
  window.androidBridge = window.androidBridge || { postMessage: function () {} };
  window.CapacitorCustomPlatform = window.CapacitorCustomPlatform || { name: 'android', plugins: {} };

  var askCordova = cordova.fireBackButton;
  cordova.fireBackButton = function (canGoBack) {
    if (!isBackEnabled) {
      capacitor.nativePromise('App', 'minimizeApp');
      return true;
    }
    var ids = Object.keys(backListeners);
    ids.forEach(function (id) {
      backListeners[id]({ canGoBack: Boolean(canGoBack) });
    });
    return askCordova() || ids.length > 0;
  };
};
