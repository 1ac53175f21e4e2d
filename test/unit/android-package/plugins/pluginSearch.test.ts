import assert from 'node:assert/strict';

import { currentName, harmlessPlugin, getPluginNames } from '../../../../src/android-package/plugins/cordovaPlugins.ts';
import { getNativePlugin } from '../../../../src/android-package/plugins/nativePlugins.ts';
import { PluginSearch } from '../../../../src/android-package/plugins/pluginSearch.ts';
import { scriptsIn } from '../../../../src/android-package/pages/pageScripts.ts';

/** Returns the plugin calls in a script: name, call, line, and whether the script checks for the plugin first. */
function uses(script: string, declared: readonly string[] = [], path = 'app.js'): readonly string[] {
  const search = new PluginSearch(declared.map((name) => ({ name })));
  search.read(path, scriptsIn(path, script));
  return [...search.uses].map(
    ([plugin, { call, line, isTested }]) => `${plugin} ${call}:${line}${isTested ? ' tested' : ''}`,
  );
}

describe('the table of Cordova plugin names', () => {
  it('maps pre-2015 plugin names to current names', () => {
    const names: Readonly<Record<string, string>> = {
      'org.apache.cordova.device': 'cordova-plugin-device',
      'org.apache.cordova.core.camera': 'cordova-plugin-camera',
      'com.phonegap.plugin.file-transfer': 'cordova-plugin-file-transfer',
      'com.phonegap.plugins.barcodescanner': 'phonegap-plugin-barcodescanner',
      'com.phonegap.plugins.PushPlugin': 'phonegap-plugin-push',
      'nl.x-services.plugins.socialsharing': 'cordova-plugin-x-socialsharing',
      'cordova-plugin-local-notifications': 'cordova-plugin-local-notification',
      'de.appplant.cordova.plugin.local-notification': 'cordova-plugin-local-notification',
      'com.ionic.keyboard': 'ionic-plugin-keyboard',
      'cordova-plugin-call-number': 'call-number',
      'com.mesmotronic.plugins.fullscreen': 'cordova-plugin-fullscreen',
      'com.phonegap.plugin.mobile-accessibility': 'phonegap-plugin-mobile-accessibility',
      'com.rareloop.cordova.appversion': 'cordova-plugin-appversion',
      'cordova-plugin-device': 'cordova-plugin-device',
      'com.example.own': 'com.example.own',
    };
    for (const [old, name] of Object.entries(names)) {
      assert.equal(currentName(old), name);
    }
    assert.deepEqual(getPluginNames('com.verso.cordova.clipboard'), [
      'cordova-clipboard',
      'com.verso.cordova.clipboard',
    ]);
    assert.ok(getPluginNames('cordova-plugin-device').includes('org.apache.cordova.device'));
  });

  it('identifies plugins that the app doesn’t need, such as plugins only for iOS or for the build', () => {
    const why: Readonly<Record<string, string | undefined>> = {
      'cordova-plugin-whitelist': 'builtIn',
      'cordova-plugin-androidx-adapter': 'builtIn',
      'cordova-plugin-compat': 'buildOnly',
      'es6-promise-plugin': 'buildOnly',
      'cordova-plugin-cleartext': 'buildOnly',
      'cordova-custom-config': 'buildOnly',
      'cordova-android-other-gradle-release': 'buildOnly',
      'cordova-plugin-wkwebview-file-xhr': 'iosOnly',
      'cordova-plugin-ios-camera-permissions': 'iosOnly',
      'ionic-plugin-keyboard': 'keyboard',
      'cordova-plugin-contacts': undefined,
      'cordova-plugin-camera': undefined,
    };
    assert.deepEqual(Object.fromEntries(Object.keys(why).map((name) => [name, harmlessPlugin(name)])), why);
  });
});

describe('the search for calls to Cordova plugins', () => {
  it('finds calls to known plugins that aren’t declared', () => {
    const calls: Readonly<Record<string, string>> = {
      'navigator.camera.getPicture(ok, no)': 'cordova-plugin-camera navigator.camera',
      'MobileAccessibility.isScreenReaderRunning(show)': 'phonegap-plugin-mobile-accessibility MobileAccessibility',
      'window.plugins.CallNumber.callNumber(ok, no, number, true)': 'call-number plugins.CallNumber',
      'cordova.plugins.headerColor.tint("#fff")': 'cordova-plugin-headercolor plugins.headerColor',
      'chooser.getFile("*/*")': 'cordova-plugin-chooser chooser.getFile',
      'appAvailability.check("com.example", ok, no)': 'cordova-plugin-appavailability appAvailability.check',
      'show(AppVersion.version)': 'cordova-plugin-appversion AppVersion.version',
      'var camera = window.navigator.camera;': 'cordova-plugin-camera navigator.camera',
      'this.$cordovaCamera.getPicture()': 'cordova-plugin-camera $cordovaCamera',
      'window.resolveLocalFileSystemURL(a, b)': 'cordova-plugin-file resolveLocalFileSystemURL',
      'open(cordova.file.dataDirectory)': 'cordova-plugin-file cordova.file',
      'var transfer = new FileTransfer();': 'cordova-plugin-file-transfer new FileTransfer',
      'cordova.plugins.barcodeScanner.scan(a)': 'phonegap-plugin-barcodescanner plugins.barcodeScanner',
      "window['plugins']['socialsharing'].share(1)": 'cordova-plugin-x-socialsharing plugins.socialsharing',
      'db = window.sqlitePlugin.openDatabase({})': 'cordova-sqlite-storage sqlitePlugin',
      'db = openDatabase("a", "1", "b", 5)': 'WebSQL openDatabase',
      'var db = window.openDatabase("a", "1", "b", 5)': 'WebSQL openDatabase',
      'var push = PushNotification.init({})': 'phonegap-plugin-push PushNotification.init',
      'show(device.uuid)': 'cordova-plugin-device device.uuid',
      'if (type === Connection.NONE) { a() }': 'cordova-plugin-network-information Connection.NONE',
      'StatusBar.styleDefault()': 'cordova-plugin-statusbar StatusBar.styleDefault',
      'window.screen.orientation.lock("portrait")': 'cordova-plugin-screen-orientation screen.orientation.lock',
      'function handleOpenURL(url) {}': 'cordova-plugin-customurlscheme handleOpenURL',
      'window.handleOpenURL = function (url) {};': 'cordova-plugin-customurlscheme handleOpenURL',
      'new Media("a.mp3").play()': 'cordova-plugin-media new Media',
    };
    for (const [script, found] of Object.entries(calls)) {
      assert.deepEqual(uses(`\n${script}`), [`${found}:2`], script);
    }
  });

  it('ignores code that only resembles a plugin call', () => {
    const scripts = [
      '// navigator.camera.getPicture()',
      '/* window.sqlitePlugin */',
      'navigator.cameras.list()',
      'this.openDatabase()',
      'function openDatabase() {} openDatabase()',
      'class Store { openDatabase(name) { } }',
      'const api = { sqlitePlugin: 1 }',
      'const Media = require("media"); new Media()',
      'new MediaStream()',
      'api.media.new()',
      'data.notification.badge = 1',
      'say("plugins.socialsharing")',
      'list.executeScript()',
      'navigator.notification.alert("a"); navigator.vibrate(1); device.model',
    ];
    for (const script of scripts) {
      assert.deepEqual(uses(script), [], script);
    }
  });

  it('counts handleOpenURL only if no declared plugin handles links', () => {
    const script = 'window.handleOpenURL = open;';
    assert.deepEqual(uses(script, ['cordova-plugin-customurlscheme']), []);
  });

  it('marks a call after a check for the plugin, but prefers a call without a check', () => {
    const tested = [
      'if (window.StatusBar) {\n StatusBar.styleDefault(); }',
      'window.cordova && window.cordova.plugins.barcodeScanner && \n cordova.plugins.barcodeScanner.scan()',
      'if (typeof sqlitePlugin !== "undefined")\n sqlitePlugin.openDatabase()',
      'if (!navigator.camera) { return; }\n navigator.camera.getPicture()',
      '\nnavigator.camera?.getPicture()',
      'if (window.plugins)\n window.plugins.socialsharing.share()',
    ];
    // Pages check for `StatusBar` itself, but call its functions.
    for (const script of tested) {
      assert.match(uses(script).join(), /^\S+ \S+:2 tested$/, script);
    }
    assert.deepEqual(
      uses('if (navigator.camera) navigator.camera.getPicture();'.padEnd(500) + '\nnavigator.camera.a()'),
      ['cordova-plugin-camera navigator.camera:2'],
    );
    const far = `;${' '.repeat(1000)}\n`;
    assert.deepEqual(uses(`has = typeof openDatabase === "function"${far}openDatabase("a", "1", "b", 1)`), [
      'WebSQL openDatabase:2 tested',
    ]);
    assert.deepEqual(
      uses(
        'window.requestFileSystem = window.requestFileSystem || window.webkitRequestFileSystem;\nrequestFileSystem(1)',
      ),
      ['cordova-plugin-file requestFileSystem:2'],
    );
  });

  it('counts Ionic’s wrappers and calls to unknown plugins only if the plugin is declared', () => {
    const wrapper = '(t.plugin="cordova-plugin-camera",t.pluginRef="navigator.camera")';
    assert.deepEqual(uses(wrapper), []);
    assert.match(uses(wrapper, ['org.apache.cordova.camera']).join(), /^cordova-plugin-camera /);
    const device = '{pluginName:"Device",plugin:"cordova-plugin-device",pluginRef:"device"}';
    assert.deepEqual(uses(device, ['cordova-plugin-device']), []);
    for (const script of [
      'fooBar.go()',
      'window.plugins.fooBar.go()',
      'window.plugins.foobar.go()',
      'window.plugins.Bars; cordova.plugins.foobar.go()',
      'cordova.exec(a, b, "FooBar", "go", [])',
      'plugin: "cordova-plugin-foo-bar"',
    ]) {
      assert.equal(uses(script, ['cordova-plugin-foo-bar']).length, 1, script);
      assert.deepEqual(uses(script), [], script);
    }
    assert.deepEqual(uses('foo.go()', ['cordova-plugin-foo']), []);
    assert.equal(uses('cordova.plugins.foo.go()', ['com.example.cordova.plugin.foo']).length, 1);
    assert.equal(uses('ref.addEventListener("loadstop", go)', ['cordova-plugin-inappbrowser']).length, 1);
    assert.equal(uses('ref.executeScript({})', ['cordova-plugin-inappbrowser']).length, 1);
  });

  it('counts calls in a library that wraps many plugins only for declared plugins, and ignores wrappers of harmless plugins', () => {
    const library = [
      ...['navigator.contacts.a()', 'cordova.getAppVersion()', 'plugins.toast.a()', 'plugins.calendar.a()'],
      ...['plugins.insomnia.a()', 'sqlitePlugin.a()', 'new FileTransfer()', 'cordova.file.a', 'navigator.camera.a()'],
      'plugins.socialsharing.share()',
    ].join(';');
    assert.deepEqual(uses(library), []);
    assert.deepEqual(uses(library, ['cordova-plugin-camera']), ['cordova-plugin-camera navigator.camera:1']);
    assert.equal(uses(library.split(';').slice(2).join(';')).length, 8);
    const template = ['ionic-plugin-keyboard', 'cordova-plugin-splashscreen', 'cordova-plugin-statusbar'];
    assert.deepEqual(uses(template.map((name) => `plugin:"${name}"`).join(), template), []);
  });

  it('searches for the names in the plugin’s plugin.xml instead of guessed names', () => {
    const search = new PluginSearch([{ name: 'cordova-plugin-foo-bar', clobbers: ['window.Chirp', 'window'] }]);
    search.read('a.js', 'fooBar.go();\nChirp.go();');
    assert.equal(search.uses.get('cordova-plugin-foo-bar')?.line, 2);
  });

  it('distinguishes calls to Capacitor’s plugins from web APIs of the same names', () => {
    assert.deepEqual(uses('navigator.geolocation.getCurrentPosition(show);', ['@capacitor/geolocation']), []);
  });

  it('doesn’t treat other SQLite plugins, such as encrypted ones, as cordova-sqlite-storage', () => {
    for (const name of [
      'cordova-sqlcipher-adapter',
      'cordova-plugin-sqlite-2',
      'cordova-sqlite-evcore-extbuild-free',
    ]) {
      assert.deepEqual(uses('sqlitePlugin.openDatabase({ key });', [name]), [`${name} sqlitePlugin:1`]);
      assert.equal(getNativePlugin(name), undefined);
    }
  });

  it('counts calls to cordova-plugin-browsertab only if it’s declared, because every Firebase app with a sign-in contains them', () => {
    const script = 'cordova.plugins.browsertab.openUrl(url);';
    assert.deepEqual(uses(script), []);
    assert.deepEqual(uses(script, ['cordova-plugin-browsertab']), ['cordova-plugin-browsertab plugins.browsertab:1']);
  });

  it('finds calls in the event handlers of an HTML page', () => {
    const page = '<p>\n<button onclick="navigator.camera.getPicture()">sqlitePlugin</button>';
    assert.deepEqual(uses(page, [], 'index.html'), ['cordova-plugin-camera navigator.camera:2']);
  });
});
