/** A documented plugin call as pages write it. */
export interface PluginCall {
  /** Name of the plugin on npm. */
  readonly plugin: string;
  /** Calls `resolve` or `reject`. `cap` contains the exports of Capacitor's packages. */
  readonly script: string;
  /** The response in JSON, or `failure: …`. */
  readonly expected: RegExp;
}

const cordova = (
  plugin: string,
  ...calls: readonly (readonly [script: string, expected: RegExp])[]
): readonly PluginCall[] => calls.map(([script, expected]) => ({ plugin, script, expected }));

/** Creates a call of a Capacitor method. */
const capacitor = (
  plugin: string,
  ...calls: readonly (readonly [call: string, expected: RegExp])[]
): readonly PluginCall[] =>
  calls.map(([call, expected]) => ({ plugin, script: `cap.${call}.then(resolve, reject);`, expected }));

/** Wraps a script that uses the file created by the calls of cordova-plugin-file. */
const onFile = (script: string): string =>
  `resolveLocalFileSystemURL("cdvfile://localhost/persistent/%C3%BC%20b.txt", (entry) => { ${script} }, reject)`;

const readAs = (kind: string, rest = ''): string =>
  onFile(
    `entry.file((file) => { const reader = new FileReader(); reader.onerror = reject; ` +
      `reader.onload = () => resolve(reader.result${rest}); reader.readAs${kind}(file); }, reject)`,
  );

export const CALLS: readonly PluginCall[] = [
  ...cordova(
    'cordova-plugin-device',
    ['resolve([device.platform, device.available, device.cordova])', /^\["Android",true,"12\.0\.0"\]$/],
    ['device.getInfo(resolve, reject)', /"sdkVersion":"34"/],
  ),
  ...capacitor(
    '@capacitor/device',
    ['Device.getInfo()', /"platform":"android"/],
    ['Device.getId()', /^\{/],
    ['Device.getLanguageCode()', /"value":"en"/],
    ['Device.getLanguageTag()', /"value":"en-US"/],
    ['Device.getBatteryInfo()', /\{/],
  ),
  {
    plugin: '@capacitor/device',
    script:
      'cap.registerPlugin("WebOnly", { web: () => ({ hello: () => "by the web" }) }).hello().then(resolve, reject)',
    expected: /^"by the web"$/,
  },
  {
    plugin: '@capacitor/device',
    script: 'resolve([cap.Capacitor.getPlatform(), cap.Capacitor.isNativePlatform()])',
    expected: /^\["android",true\]$/,
  },
  ...cordova('cordova-plugin-battery-status', [
    'addEventListener("batterystatus", resolve); removeEventListener("batterystatus", resolve); ' +
      'cordova.exec(resolve, reject, "Battery", "stop", [])',
    /^undefined$/,
  ]),
  ...cordova(
    'cordova-plugin-network-information',
    ['resolve([navigator.connection.type, Connection.NONE, navigator.onLine])', /^\["none","none",false\]$/],
    ['navigator.connection.getInfo(resolve, reject)', /^"none"$/],
  ),
  ...capacitor(
    '@capacitor/network',
    ['Network.getStatus()', /^\{"connected":false,"connectionType":"none"\}$/],
    ['Network.addListener("networkStatusChange", () => undefined)', /^\{/],
    ['Network.removeAllListeners()', /^undefined$/],
  ),
  ...cordova(
    'cordova-plugin-app-version',
    ['cordova.getAppVersion(resolve, reject)', /^"1\.0\.0"$/],
    ['cordova.getAppVersion.getVersionNumber().then(resolve, reject)', /^"1\.0\.0"$/],
    ['cordova.getAppVersion.getAppName(resolve, reject)', /^"Plugins"$/],
    ['cordova.getAppVersion.getPackageName(resolve, reject)', /^"com\.example\.plugins"$/],
    ['cordova.getAppVersion.getVersionCode(resolve, reject)', /^\d+$/],
  ),
  ...cordova(
    'cordova-clipboard',
    ['cordova.plugins.clipboard.copy("ü", resolve, reject)', /^"ü"$/],
    ['cordova.plugins.clipboard.paste(resolve, reject)', /^"ü"$/],
    ['cordova.plugins.clipboard.clear(resolve, reject)', /^undefined$/],
  ),
  ...capacitor(
    '@capacitor/clipboard',
    ['Clipboard.read()', /^failure: There's no data on the clipboard\.$/],
    ['Clipboard.write({ string: "text" })', /^undefined$/],
    ['Clipboard.read()', /^\{"value":"text","type":"text\/plain"\}$/],
    ['Clipboard.write({ image: "data:image/png;base64,AAAA" })', /^undefined$/],
  ),
  ...cordova(
    'cordova-plugin-statusbar',
    [
      'StatusBar.styleDefault(); StatusBar.styleLightContent(); StatusBar.overlaysWebView(true); StatusBar.overlaysWebView(false); ' +
        'StatusBar.backgroundColorByHexString("#333"); StatusBar.backgroundColorByName("red"); StatusBar.hide(); ' +
        'cordova.exec(resolve, reject, "StatusBar", "_ready", [])',
      /^false$/,
    ],
    ['StatusBar.show(); cordova.exec(resolve, reject, "StatusBar", "_ready", [])', /^true$/],
  ),
  ...capacitor(
    '@capacitor/status-bar',
    ['StatusBar.getInfo()', /^\{"visible":true,"style":"DARK","color":"#FF0000","overlays":false,"height":\d+\}$/],
    ['StatusBar.setStyle({ style: "LIGHT" })', /^undefined$/],
    ['StatusBar.setBackgroundColor({ color: "#00ff00" })', /^undefined$/],
    ['StatusBar.setOverlaysWebView({ overlay: true })', /^undefined$/],
    ['StatusBar.hide()', /^undefined$/],
    ['StatusBar.getInfo()', /^\{"visible":false,"style":"LIGHT","color":"#00FF00","overlays":true,"height":0\}$/],
    ['StatusBar.setOverlaysWebView({ overlay: false })', /^undefined$/],
    ['StatusBar.show()', /^undefined$/],
  ),
  ...cordova(
    'cordova-plugin-fullscreen',
    ['AndroidFullScreen.isSupported(resolve, reject)', /^undefined$/],
    ['AndroidFullScreen.isImmersiveModeSupported(resolve, reject)', /^undefined$/],
    ['AndroidFullScreen.immersiveWidth(resolve, reject)', /^\d+$/],
    ['AndroidFullScreen.immersiveHeight(resolve, reject)', /^\d+$/],
    ...[
      'leanMode(',
      'showUnderStatusBar(',
      'showUnderSystemUI(',
      'immersiveMode(',
      'setSystemUiVisibility(AndroidFullScreen.SYSTEM_UI_FLAG_LOW_PROFILE, ',
      'showSystemUI(',
      'resetScreen(',
    ].map((call) => [`AndroidFullScreen.${call}resolve, reject)`, /^undefined$/] as const),
  ),
  ...cordova('cordova-plugin-splashscreen', [
    'navigator.splashscreen.show(); navigator.splashscreen.hide(); cordova.exec(resolve, reject, "SplashScreen", "hide", [])',
    /^undefined$/,
  ]),
  ...capacitor(
    '@capacitor/splash-screen',
    ['SplashScreen.show()', /^undefined$/],
    ['SplashScreen.hide()', /^undefined$/],
  ),
  ...cordova('cordova-plugin-ionic-keyboard', [
    'Keyboard.show(); Keyboard.hide(); Keyboard.disableScroll(true); resolve(Keyboard.isVisible)',
    /^false$/,
  ]),
  ...cordova('ionic-plugin-keyboard', [
    'var board = cordova.plugins.Keyboard; board.show(); board.close(); board.disableScroll(true); ' +
      'board.hideKeyboardAccessoryBar(true); resolve(board.isVisible)',
    /^false$/,
  ]),
  ...capacitor(
    '@capacitor/keyboard',
    ['Keyboard.show()', /^undefined$/],
    ['Keyboard.hide()', /^undefined$/],
    ['Keyboard.addListener("keyboardDidShow", () => undefined)', /^\{/],
    ['Keyboard.getResizeMode()', /^failure: .*not implemented on android/],
  ),
  ...cordova(
    'cordova-plugin-screen-orientation',
    ['screen.orientation.lock("landscape").then(resolve, reject)', /^"Orientation set"$/],
    ['screen.orientation.lock("up").then(resolve, reject)', /^failure/],
    ['screen.orientation.unlock(); resolve(screen.orientation.type)', /^"portrait-primary"$/],
  ),
  ...capacitor(
    '@capacitor/screen-orientation',
    ['ScreenOrientation.orientation()', /^\{"type":"portrait-primary"\}$/],
    ['ScreenOrientation.lock({ orientation: "portrait" })', /^undefined$/],
    ['ScreenOrientation.lock({ orientation: "up" })', /^failure: Screens don't have the orientation up\.$/],
    ['ScreenOrientation.unlock()', /^undefined$/],
  ),
  ...cordova(
    'cordova-plugin-dialogs',
    [
      'var dialogs = navigator.notification; dialogs.beep(1); dialogs.activityStart("Title", "Message"); dialogs.activityStop(); ' +
        'dialogs.progressStart("Title", "Message"); dialogs.progressValue(40); dialogs.progressStop(); ' +
        'cordova.exec(resolve, reject, "Notification", "progressStop", [])',
      /^undefined$/,
    ],
    // The dialogs stay open. If they failed, the error would arrive before the response to the last call.
    [
      'navigator.notification.alert("Message", reject, "Title"); ' +
        'cordova.exec(reject, reject, "Notification", "alert", ["Message", "Title", "OK"]); ' +
        'cordova.exec(resolve, reject, "Notification", "progressStop", [])',
      /^undefined$/,
    ],
  ),
  ...cordova(
    'cordova-plugin-insomnia',
    ['plugins.insomnia.keepAwake(resolve, reject)', /^undefined$/],
    ['plugins.insomnia.allowSleepAgain(resolve, reject)', /^undefined$/],
  ),
  ...capacitor(
    '@capacitor-community/keep-awake',
    ['KeepAwake.isSupported()', /^\{"isSupported":true\}$/],
    ['KeepAwake.keepAwake()', /^undefined$/],
    ['KeepAwake.isKeptAwake()', /^\{"isKeptAwake":true\}$/],
    ['KeepAwake.allowSleep()', /^undefined$/],
  ),
  ...cordova(
    'cordova-plugin-x-toast',
    ['plugins.toast.showShortBottom("Message", resolve, reject)', /^"OK"$/],
    ['plugins.toast.showWithOptions({ message: "Message", duration: 100 }, resolve, reject)', /^"OK"$/],
    ['plugins.toast.hide(resolve, reject)', /^undefined$/],
  ),
  ...capacitor('@capacitor/toast', ['Toast.show({ text: "Message" })', /^undefined$/]),
  ...capacitor(
    '@capacitor/haptics',
    ...[
      'impact({ style: "LIGHT" })',
      'notification({ type: "ERROR" })',
      'vibrate()',
      'selectionStart()',
      'selectionChanged()',
      'selectionEnd()',
    ].map((call) => [`Haptics.${call}`, /^undefined$/] as const),
  ),
  ...cordova('cordova-plugin-vibration', ['resolve(typeof navigator.vibrate)', /^"function"$/]),
  ...capacitor(
    '@capacitor/text-zoom',
    ['TextZoom.getPreferred()', /^\{"value":1\}$/],
    ['TextZoom.set({ value: 1.5 })', /^undefined$/],
    ['TextZoom.get()', /^\{"value":1\.5\}$/],
  ),
  ...cordova(
    'cordova-plugin-globalization',
    ...(
      [
        ['getPreferredLanguage(resolve, reject)', /^\{"value":"en-US"\}$/],
        ['getLocaleName(resolve, reject)', /^\{"value":"en-US"\}$/],
        ['dateToString(new Date(2012, 8, 25), resolve, reject, { selector: "date" })', /^\{"value":"9\/25\/12"\}$/],
        ['stringToDate("9/25/12", resolve, reject, { selector: "date" })', /"year":2012,"month":8,"day":25,/],
        ['stringToDate("never", resolve, reject)', /^failure: \{"code":2,/],
        ['getDatePattern(resolve, reject)', /"pattern":"M\/d\/yy h:mm/],
        ['getDateNames(resolve, reject, { type: "wide", item: "days" })', /^\{"value":\["Sunday",/],
        ['isDayLightSavingsTime(new Date(), resolve, reject)', /^\{"dst":(?:true|false)\}$/],
        ['getFirstDayOfWeek(resolve, reject)', /^\{"value":1\}$/],
        ['numberToString(3.1415926, resolve, reject)', /^\{"value":"3\.142"\}$/],
        ['stringToNumber("1,234.5", resolve, reject)', /^\{"value":1234\.5\}$/],
        ['getNumberPattern(resolve, reject)', /"pattern":"#,##0\.###"/],
        ['getCurrencyPattern("USD", resolve, reject)', /"pattern":"\$#,##0\.00/],
      ] as const
    ).map(([call, expected]) => [`navigator.globalization.${call}`, expected] as const),
  ),
  ...cordova(
    'cordova-sqlite-storage',
    ['sqlitePlugin.echoTest(resolve, reject)', /^undefined$/],
    ['sqlitePlugin.selfTest(resolve, reject)', /^undefined$/],
    [
      `const db = sqlitePlugin.openDatabase({ name: 'calls.db', location: 'default' });
      const found = [];
      db.transaction((tx) => {
        tx.executeSql('DROP TABLE IF EXISTS t');
        tx.executeSql('CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE)');
        tx.executeSql('INSERT INTO t(a) VALUES (?), (?)', [1.5, '日本'], (_, { insertId, rowsAffected }) => found.push(insertId, rowsAffected));
        tx.executeSql('INSERT INTO t(a) VALUES (1.5)', [], null, (_, { code }) => (found.push(code), false));
        tx.executeSql('SELECT typeof(a) AS a, a AS b FROM t', [], (_, { rows }) => found.push(rows.item(0), rows.item(1), rows.length));
      }, reject, () => resolve(found));`,
      /^\[2,2,6,\{"a":"real","b":1\.5\},\{"a":"text","b":"日本"\},2\]$/,
    ],
    [
      `const db = sqlitePlugin.openDatabase({ name: 'calls.db', location: 'default' });
      db.transaction((tx) => { tx.executeSql('DELETE FROM t'); tx.executeSql('SELEC'); }, ({ code }) =>
        db.executeSql('SELECT count(*) AS n FROM t', [], ({ rows }) => resolve([code, rows.item(0).n]), reject), reject);`,
      /^\[5,2\]$/,
    ],
    [
      `const db = sqlitePlugin.openDatabase({ name: 'calls.db', location: 'default' });
      db.sqlBatch(['DELETE FROM t', ['INSERT INTO t(a) VALUES (?)', [7]]], () => db.close(() =>
        sqlitePlugin.deleteDatabase({ name: 'calls.db', location: 'default' }, () => resolve('deleted'), reject), reject), reject);`,
      /^"deleted"$/,
    ],
    // WebSQL isn't a plugin, but uses the same service.
    [
      `const found = [];
      const db = openDatabase('notes/日本', '', 'Notes', 5e6, (made) => found.push(made.version));
      db.changeVersion('', '1', (tx) => {
        tx.executeSql('DROP TABLE IF EXISTS t');
        tx.executeSql('CREATE TABLE t(a)');
        tx.executeSql('INSERT INTO t VALUES (?)', [1.5], (inner, { insertId, rowsAffected }) => {
          found.push(insertId, rowsAffected);
          inner.executeSql('SELECT a FROM t', [], (_, { rows }) => found.push(rows.length, rows.item(0).a));
        });
      }, reject, () => resolve([...found, db.version]));`,
      /^\["",1,1,1,1\.5,"1"\]$/,
    ],
    [
      `const db = openDatabase('notes/日本', '1', 'Notes', 5e6);
      const found = [];
      try { openDatabase('notes/日本', '2', 'Notes', 5e6); } catch ({ name }) { found.push(name); }
      db.transaction((tx) => {
        tx.executeSql('DELETE FROM t');
        tx.executeSql('SELEC', [], null, (_, { code }) => (found.push(code), false));
        tx.executeSql('COMMIT', [], null, (_, { code }) => (found.push(code), false));
        tx.executeSql('SELECT * FROM absent');
      }, ({ code }) => {
        found.push(code);
        db.readTransaction((tx) => {
          tx.executeSql('SELECT count(*) AS n FROM t', [], (_, { rows }) => found.push(rows.item(0).n));
          tx.executeSql('DELETE FROM t');
        }, ({ code }) => db.changeVersion('7', '8', null, (error) => resolve([...found, code, error.code])), reject);
      }, reject);`,
      /^\["InvalidStateError",5,5,5,1,5,2\]$/,
    ],
  ),
  {
    plugin: '@capacitor-community/sqlite',
    script: `(async () => {
      const sqlite = new cap.SQLiteConnection(cap.CapacitorSQLite);
      const db = await sqlite.createConnection('calls', false, 'no-encryption', 1, false);
      await db.open();
      await db.execute('CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, a); DELETE FROM t;');
      const { changes } = await db.run('INSERT INTO t(a) VALUES (?)', [1.5]);
      const { values } = await db.query('SELECT * FROM t WHERE a = ?', [1.5]);
      const set = await db.executeSet([{ statement: 'INSERT INTO t(a) VALUES (?)', values: [['x'], ['y']] }]);
      const tables = await db.getTableList();
      const same = await sqlite.checkConnectionsConsistency();
      const failed = await db.run('INSERT INTO absent VALUES (1)').catch((error) => error.message.includes('no such table'));
      await db.delete();
      await sqlite.closeConnection('calls', false);
      resolve([changes.lastId, changes.changes, values, set.changes.changes, tables.values, same.result, failed]);
    })().catch(reject);`,
    expected: /^\[1,1,\[\{"id":1,"a":1\.5\}\],2,\["t"\],true,true\]$/,
  },
  ...cordova('cordova-plugin-inappbrowser', [
    `const types = [];
    const browser = cordova.InAppBrowser.open('https://example.com/', '_blank', 'location=yes,hidden=yes');
    browser.addEventListener('exit', ({ type }) => resolve(type));
    browser.show();
    browser.close();`,
    /^"exit"$/,
  ]),
  ...capacitor(
    '@capacitor/inappbrowser',
    [
      "InAppBrowser.openInWebView({ url: 'file:///a', options: cap.DefaultWebViewOptions })",
      /^failure: The URL provided/,
    ],
    ["InAppBrowser.openInWebView({ url: 'https://example.com/', options: cap.DefaultWebViewOptions })", /^undefined$/],
    ['InAppBrowser.close()', /^undefined$/],
    ['InAppBrowser.close()', /^failure: No browser view is open/],
  ),
  ...cordova(
    'cordova-plugin-local-notification',
    ['cordova.plugins.notification.local.hasPermission(resolve)', /^true$/],
    [
      `const { local } = cordova.plugins.notification;
       local.on('add', (notification, event) => resolve([notification.title, notification.data.a, event.event, event.queued]));
       local.schedule({ id: 1, title: 'Later', data: { a: 1 }, trigger: { in: 1, unit: 'hour' } });`,
      /^\["Later",1,"add",false\]$/,
    ],
    ['cordova.plugins.notification.local.getScheduledIds(resolve)', /^\[1\]$/],
    ['cordova.plugins.notification.local.isScheduled(1, resolve)', /^true$/],
    ['cordova.plugins.notification.local.isTriggered(1, resolve)', /^false$/],
    ['cordova.plugins.notification.local.update({ id: 1, title: "Never" }, resolve)', /^true$/],
    ['cordova.plugins.notification.local.get(1, resolve)', /"title":"Never"/],
    ['cordova.plugins.notification.local.get([1, 2], resolve)', /^\[\{.*"id":1/],
    ['cordova.plugins.notification.local.getAll(resolve)', /^\[\{.*"id":1/],
    ['cordova.plugins.notification.local.cancel(1, resolve)', /^undefined$/],
    ['cordova.plugins.notification.local.isPresent(1, resolve)', /^false$/],
    ['cordova.plugins.notification.local.addActions("G", [{ id: "a", title: "A" }], resolve)', /^undefined$/],
    ['cordova.plugins.notification.local.hasActions("G", resolve)', /^true$/],
    ['cordova.plugins.notification.local.createChannel({ androidChannelId: "c" }, resolve)', /^undefined$/],
    ['cordova.plugins.notification.local.canScheduleExactAlarms(resolve)', /^(true|false)$/],
    ['cordova.plugins.notification.local.getUnusedAppRestrictionsStatus(resolve)', /^[25]$/],
    [
      `const { local } = cordova.plugins.notification;
       local.on('cancelall', (event) => resolve(event.event)); local.cancelAll();`,
      /^"cancelall"$/,
    ],
  ),
  ...capacitor(
    '@capacitor/local-notifications',
    ['LocalNotifications.checkPermissions()', /"display":"granted"/],
    ['LocalNotifications.areEnabled()', /"value":true/],
    [
      'LocalNotifications.schedule({ notifications: [{ id: 2, title: "T", body: "B", schedule: { at: new Date(Date.now() + 3600000) } }] })',
      /"notifications":\[\{"id":2\}\]/,
    ],
    ['LocalNotifications.getPending()', /"title":"T"/],
    ['LocalNotifications.cancel({ notifications: [{ id: 2 }] })', /^undefined$/],
    ['LocalNotifications.schedule({})', /^failure: Must provide a notifications array/],
    [
      `LocalNotifications.addListener('localNotificationReceived', ({ body }) => resolve(body))
         .then(() => cap.LocalNotifications.schedule({ notifications: [{ id: 3, title: 'T', body: 'now' }] })).then(() => new Promise(() => {}))`,
      /^"now"$/,
    ],
    ['LocalNotifications.getDeliveredNotifications()', /"id":3/],
    ['LocalNotifications.removeAllDeliveredNotifications()', /^undefined$/],
    ['LocalNotifications.createChannel({ id: "d", name: "D" })', /^undefined$/],
    ['LocalNotifications.listChannels()', /"name":"D"/],
    ['LocalNotifications.checkExactNotificationSetting()', /"exact_alarm":/],
  ),
  ...cordova(
    'cordova-plugin-media',
    ['new Media("/etc/hosts", undefined, ({ code }) => resolve(code)).play()', /^1$/],
    ['new Media("text.txt").getCurrentPosition(resolve)', /^-1$/],
  ),
  ...cordova('cordova-plugin-device-motion', [
    'navigator.accelerometer.getCurrentAcceleration(resolve, reject)',
    /^failure: .*"code":3/,
  ]),
  ...cordova('cordova-plugin-device-orientation', [
    'navigator.compass.getCurrentHeading(resolve, reject)',
    /^failure: .*"code":20/,
  ]),
  ...capacitor('@capacitor/geolocation', ['Geolocation.checkPermissions()', /"coarseLocation":"granted"/]),
  ...cordova('cordova-plugin-contacts', ['navigator.contacts.find(["*"], resolve, reject)', /^\[\]$/]),
  ...cordova(
    'cordova-plugin-calendar',
    ['plugins.calendar.hasReadWritePermission(resolve, reject)', /^true$/],
    ['plugins.calendar.listCalendars(resolve, reject)', /^\[\]$/],
    ['plugins.calendar.findEvent("x", null, null, new Date(0), new Date(), resolve, reject)', /^\[\]$/],
  ),
  ...cordova(
    'cordova-plugin-nativestorage',
    ['NativeStorage.setItem("o", { a: "ü" }, resolve, reject)', /^\{"a":"ü"\}$/],
    ['NativeStorage.getItem("o", resolve, reject)', /^\{"a":"ü"\}$/],
    ['NativeStorage.getItem("none", resolve, ({ code }) => resolve(code))', /^2$/],
    ['NativeStorage.setSecretItem("s", "x", { mode: "password", value: "p" }, resolve, reject)', /^"x"$/],
    ['NativeStorage.getSecretItem("s", { mode: "password", value: "p" }, resolve, reject)', /^"x"$/],
    ['NativeStorage.set("b", true, resolve, reject)', /^true$/],
    ['NativeStorage.getBoolean("b", resolve, reject)', /^true$/],
    ['NativeStorage.set("i", 7, resolve, reject)', /^7$/],
    ['NativeStorage.getInt("i", resolve, reject)', /^7$/],
    ['NativeStorage.set("d", 1.5, resolve, reject)', /^1\.5$/],
    ['NativeStorage.getDouble("d", resolve, reject)', /^1\.5$/],
    ['NativeStorage.set("t", "text", resolve, reject)', /^"text"$/],
    ['NativeStorage.getString("t", resolve, reject)', /^"text"$/],
    ['NativeStorage.putObject("p", [1], resolve, reject)', /^\[1\]$/],
    ['NativeStorage.getObject("p", resolve, reject)', /^\[1\]$/],
    ['NativeStorage.remove("p", resolve, reject)', /^undefined$/],
    ['NativeStorage.keys((keys) => resolve(keys.sort()), reject)', /^\["b","d","i","o","s","t"\]$/],
    ['NativeStorage.clear(resolve, reject)', /^undefined$/],
  ),
  ...capacitor(
    '@capacitor/preferences',
    ['Preferences.set({ key: "a", value: "1" })', /^undefined$/],
    ['Preferences.get({ key: "a" })', /^\{"value":"1"\}$/],
    ['Preferences.get({ key: "none" })', /^\{"value":null\}$/],
    ['Preferences.keys()', /^\{"keys":\["a"\]\}$/],
    ['Preferences.migrate()', /^\{"migrated":\[\],"existing":\["a"\]\}$/],
    ['Preferences.removeOld()', /^undefined$/],
    ['Preferences.remove({ key: "a" })', /^undefined$/],
    ['Preferences.configure({ group: "other" })', /^undefined$/],
    ['Preferences.clear()', /^undefined$/],
    ['Preferences.configure({ group: "../other" })', /^failure: No group can have the name/],
  ),
  ...capacitor(
    '@capacitor/app',
    ['App.getInfo()', /^\{"name":"Plugins","id":"com\.example\.plugins","build":"\d+","version":"1\.0\.0"\}$/],
    ['App.getState()', /^\{"isActive":true\}$/],
    ['App.getLaunchUrl()', /^undefined$/],
    ['App.getAppLanguage()', /^\{"value":"en"\}$/],
    ['App.addListener("appUrlOpen", () => undefined)', /^\{/],
    ['App.toggleBackButtonHandler({ enabled: true })', /^undefined$/],
    ['App.minimizeApp()', /^undefined$/],
    ['App.removeAllListeners()', /^undefined$/],
  ),
  ...cordova('cordova-plugin-customurlscheme', [
    'plugins.launchmyapp.getLastIntent(resolve, reject)',
    /^failure: "No intent received so far\."$/,
  ]),
  ...cordova('ionic-plugin-deeplinks', ['IonicDeeplink.getHardwareInfo(resolve)', /"platform":"android"/]),
  ...cordova(
    'cordova-plugin-x-socialsharing',
    ['plugins.socialsharing.available(resolve)', /^true$/],
    ['plugins.socialsharing.canShareViaEmail(resolve, reject)', /^failure: "not available"$/],
    ['plugins.socialsharing.canShareVia("x", "Text", null, null, null, resolve, reject)', /^failure: \[\]$/],
    ['plugins.socialsharing.share("Text", null, "/etc/hosts", null, resolve, reject)', /^failure: "\/etc\/hosts"$/],
    [
      'plugins.socialsharing.saveToPhotoAlbum("www/text.txt", resolve, reject)',
      /^failure: "SocialSharing doesn't have/,
    ],
  ),
  ...capacitor(
    '@capacitor/share',
    ['Share.canShare()', /^\{"value":true\}$/],
    ['Share.share({ title: "Title" })', /^failure: Must provide a URL or Message or files$/],
    ['Share.share({ files: ["file:///etc/hosts"] })', /^failure: file:\/\/\/etc\/hosts$/],
  ),
  ...cordova(
    'cordova-plugin-email-composer',
    ['cordova.plugins.email.hasClient(resolve)', /^false$/],
    // Its script calls this only if the browser's name contains Android.
    ['cordova.exec(resolve, reject, "EmailComposer", "clients", [])', /^\[\]$/],
    ['cordova.plugins.email.hasAccount(resolve)', /^false$/],
  ),
  ...capacitor(
    '@capacitor/browser',
    ['Browser.open({ url: "https://example.com/", toolbarColor: "#123456" })', /^undefined$/],
    ['Browser.addListener("browserFinished", () => undefined)', /^\{/],
    ['Browser.close()', /^undefined$/],
    ['Browser.open({ url: "file:///etc/hosts" })', /^failure: The browser opens http and https URLs only/],
  ),
  ...capacitor(
    '@capacitor/app-launcher',
    ['AppLauncher.canOpenUrl({ url: "absent:" })', /^\{"value":false\}$/],
    ['AppLauncher.openUrl({ url: "mailto:shop@example.com" })', /^\{"completed":true\}$/],
    ['AppLauncher.openUrl({ url: "file:///etc/hosts" })', /^\{"completed":false\}$/],
  ),
  ...cordova(
    'cordova-plugin-file-opener2',
    [
      'cordova.plugins.fileOpener2.open("https://localhost/text.txt", "", { success: resolve, error: reject })',
      /^"OK"$/,
    ],
    [
      'cordova.plugins.fileOpener2.showOpenWithDialog("https://localhost/text.txt", "a/b", { success: resolve, error: reject })',
      /^"OK"$/,
    ],
    [
      'cordova.plugins.fileOpener2.open("/etc/hosts", "", { success: resolve, error: reject })',
      /^failure: \{"status":9,"message":"File not found"\}$/,
    ],
    [
      'cordova.plugins.fileOpener2.appIsInstalled("com.example.plugins", { success: resolve, error: reject })',
      /^\{"status":1,"message":"Installed"\}$/,
    ],
    [
      'cordova.plugins.fileOpener2.uninstall("com.other", { success: resolve, error: reject })',
      /^failure: \{"status":9,/,
    ],
  ),
  ...capacitor(
    '@capacitor/file-viewer',
    ['FileViewer.openDocumentFromResources({ path: "public/text.txt" })', /^undefined$/],
    ['FileViewer.openDocumentFromUrl({ url: "https://example.com/a.pdf" })', /^undefined$/],
    [
      'FileViewer.openDocumentFromLocalPath({ path: "/etc/hosts" })',
      /^failure: The file you are trying to open does not/,
    ],
  ),
  ...cordova('cordova-plugin-actionsheet', [
    'plugins.actionsheet.show({ buttonLabels: ["a", "b"] }, resolve, reject); plugins.actionsheet.hide()',
    /^3$/,
  ]),
  ...capacitor('@capacitor/action-sheet', ['ActionSheet.showActions({})', /^failure: Must supply options$/]),
  ...cordova(
    'cordova-plugin-android-permissions',
    [
      'var all = cordova.plugins.permissions; all.checkPermission(all.BODY_SENSORS, resolve, reject)',
      /^\{"hasPermission":false\}$/,
    ],
    [
      'cordova.plugins.permissions.requestPermissions([], resolve, reject)',
      /^failure: \{"error":"requestPermissions",/,
    ],
  ),
  // The camera's pictures have 400 × 200 pixels and need to be rotated.
  ...cordova(
    'cordova-plugin-camera',
    [
      `navigator.camera.getPicture((url) => {
        const image = new Image();
        image.onload = () => resolve([image.naturalWidth, image.naturalHeight]);
        image.onerror = () => reject(url);
        image.src = url;
      }, reject, { correctOrientation: true, targetWidth: 100, targetHeight: 100 });`,
      /^\[50,100\]$/,
    ],
    [
      `navigator.camera.getPicture((url) => resolveLocalFileSystemURL(url, (entry) => entry.file(async (file) => {
        const blob = await (await fetch(entry.toURL())).blob();
        resolve([blob.type, blob.size === file.size, entry.name]);
      }, reject), reject), reject, { sourceType: Camera.PictureSourceType.PHOTOLIBRARY });`,
      /^\["image\/jpeg",true,"my picture\.jpg"\]$/,
    ],
    [
      `navigator.camera.getPicture((url) => resolve(url.slice(0, 23)), reject, { destinationType: Camera.DestinationType.DATA_URL });`,
      /^"data:image\/jpeg;base64,"$/,
    ],
    ['navigator.camera.cleanup(resolve, reject)', /^undefined$/],
  ),
  ...cordova(
    'cordova-plugin-media-capture',
    [
      `navigator.device.capture.captureImage(([file]) => {
        const reader = new FileReader();
        reader.onload = () => file.getFormatData(({ width, height }) => resolve([width, height, reader.result.slice(0, 23)]), reject);
        reader.onerror = reject;
        reader.readAsDataURL(file);
      }, reject);`,
      /^\[400,200,"data:image\/jpeg;base64,"\]$/,
    ],
    ['navigator.device.capture.captureVideo(resolve, reject, { limit: 0 })', /^failure: \{"code":2,/],
  ),
  ...cordova('cordova-plugin-chooser', [
    `chooser.getFile('image/jpeg').then(async ({ name, data, uri }) => {
      const bytes = new Uint8Array(await (await fetch(uri)).arrayBuffer());
      resolve([name, data.length > 100, bytes.every((byte, index) => byte === data[index])]);
    }, reject);`,
    /^\["my picture\.jpg",true,true\]$/,
  ]),
  ...capacitor(
    '@capacitor/camera',
    ['Camera.checkPermissions()', /"camera":"granted"/],
    [
      `Camera.getPhoto({ source: 'CAMERA', resultType: 'uri', width: 100 }).then(async ({ path, webPath, format }) => {
        const [{ data }, answer] = await Promise.all([cap.Filesystem.readFile({ path }), fetch(webPath)]);
        const bitmap = await createImageBitmap(await answer.blob());
        return [format, data.length > 100, bitmap.width, bitmap.height];
      })`,
      /^\["jpeg",true,100,200\]$/,
    ],
    [
      `Camera.chooseFromGallery({ includeMetadata: true }).then(({ results: [{ type, metadata, thumbnail }] }) =>
        [type, metadata.resolution, thumbnail.length > 100])`,
      /^\[0,"200x400",true\]$/,
    ],
    ['Camera.editPhoto({ inputImage: "" })', /^failure: editPhoto is not implemented on Web\./],
  ),
  ...cordova(
    'cordova-plugin-file',
    [
      'requestFileSystem(LocalFileSystem.PERSISTENT, 0, (fs) => resolve([fs.name, fs.root.toURL()]), reject)',
      /^\["persistent","https:\/\/localhost\/__cdvfile_persistent__\/"\]$/,
    ],
    [
      'requestFileSystem(1, 0, (fs) => fs.root.getFile("ü b.txt", { create: true }, (entry) => entry.createWriter((writer) => { ' +
        'writer.onwriteend = () => resolve(writer.length); writer.onerror = reject; writer.write("text"); }, reject), reject), reject)',
      /^4$/,
    ],
    [
      onFile(
        'entry.createWriter((writer) => { writer.onwriteend = () => resolve(writer.length); writer.seek(4); writer.write(new Blob(["!?"])); })',
      ),
      /^6$/,
    ],
    [
      onFile(
        'entry.createWriter((writer) => { writer.onwriteend = () => resolve(writer.length); writer.truncate(5); })',
      ),
      /^5$/,
    ],
    [readAs('Text'), /^"text!"$/],
    [readAs('DataURL'), /^"data:text\/plain;base64,dGV4dCE="$/],
    [readAs('BinaryString'), /^"text!"$/],
    [readAs('ArrayBuffer', '.byteLength'), /^5$/],
    [onFile('fetch(entry.toURL()).then((answer) => answer.text()).then(resolve, reject)'), /^"text!"$/],
    [onFile('entry.getMetadata((metadata) => resolve(metadata.size), reject)'), /^5$/],
    [onFile('entry.getParent((parent) => resolve(parent.fullPath), reject)'), /^"\/"$/],
    [
      onFile(
        'entry.getParent((parent) => entry.copyTo(parent, "copy.txt", (copy) => resolve([copy.name, copy.isFile]), reject))',
      ),
      /^\["copy\.txt",true\]$/,
    ],
    [
      'resolveLocalFileSystemURL(cordova.file.dataDirectory, (folder) => folder.getDirectory("d", { create: true }, (made) => ' +
        'folder.getFile("files/copy.txt", {}, (entry) => entry.moveTo(made, null, (moved) => resolve(moved.fullPath), reject), reject)))',
      /^"\/d\/copy\.txt"$/,
    ],
    [
      'resolveLocalFileSystemURL(cordova.file.dataDirectory + "d", (folder) => folder.removeRecursively(() => resolve(1), reject))',
      /^1$/,
    ],
    [
      'resolveLocalFileSystemURL(cordova.file.applicationDirectory + "www", (folder) => folder.createReader().readEntries(' +
        '(entries) => resolve(entries.map((entry) => entry.name)), reject), reject)',
      /"text\.txt"/,
    ],
    [
      'resolveLocalFileSystemURL(cordova.file.applicationDirectory + "www/text.txt", (entry) => fetch(entry.toURL())' +
        '.then((answer) => answer.text()).then(resolve, reject), reject)',
      /^"text of the package"$/,
    ],
    ['resolveLocalFileSystemURL("file:///etc/hosts", resolve, reject)', /^failure: \{"code":2\}$/],
    [onFile('entry.remove(() => resolve(1), reject)'), /^1$/],
    [onFile('resolve()'), /^failure: \{"code":1\}$/],
  ),
  ...cordova(
    'cordova-plugin-file-transfer',
    [
      'new FileTransfer().download("https://localhost/text.txt", cordova.file.cacheDirectory + "t.txt", ' +
        '(entry) => resolve([entry.name, entry.filesystem.name]), reject)',
      /^\["t\.txt","temporary"\]$/,
    ],
    [
      'new FileTransfer().download("http://127.0.0.1:1/", cordova.file.cacheDirectory + "t.txt", resolve, reject)',
      /^failure: \{"code":3,"source":"http:\/\/127\.0\.0\.1:1\/"/,
    ],
    [
      'new FileTransfer().upload(cordova.file.cacheDirectory + "t.txt", "http://127.0.0.1:1/", resolve, reject, new FileUploadOptions())',
      /^failure: \{"code":3,/,
    ],
    [
      'new FileTransfer().upload(cordova.file.cacheDirectory + "absent", "http://127.0.0.1:1/", resolve, reject)',
      /^failure: \{"code":1,/,
    ],
  ),
  ...cordova(
    'cordova-plugin-advanced-http',
    ['cordova.plugin.http.get("http://127.0.0.1:1/", { a: "b" }, {}, resolve, reject)', /^failure: \{"status":-1,/],
    ['cordova.plugin.http.post("ftp://127.0.0.1/", { a: "b" }, {}, resolve, reject)', /^failure: \{"status":-5,/],
    [
      'cordova.plugin.http.downloadFile("http://127.0.0.1:1/", {}, {}, "file:///etc/hosts", resolve, reject)',
      /^failure: \{"status":-1,"error":"Not in the app's own folders/,
    ],
    ['cordova.plugin.http.setServerTrustMode("nocheck", resolve, reject)', /^failure: "The app's shell doesn't trust/],
    ['cordova.plugin.http.setServerTrustMode("default", resolve, reject)', /^undefined|null$/],
    ['cordova.plugin.http.abort(1, resolve, reject)', /^\{"aborted":false\}$/],
  ),
  ...capacitor(
    '@capacitor/filesystem',
    ['Filesystem.checkPermissions()', /^\{"publicStorage":"granted"\}$/],
    [
      'Filesystem.writeFile({ path: "c/ü.txt", data: "ü", directory: "DATA", encoding: "utf8", recursive: true })',
      /^\{"uri":"file:\/\/\/.*\/c\/%C3%BC\.txt"\}$/,
    ],
    ['Filesystem.appendFile({ path: "c/ü.txt", data: "w7w=", directory: "DATA" })', /^(undefined|\{"uri":.*)$/],
    ['Filesystem.readFile({ path: "c/ü.txt", directory: "DATA" })', /^\{"data":"w7zDvA=="\}$/],
    ['Filesystem.readFile({ path: "c/ü.txt", directory: "DATA", encoding: "utf8" })', /^\{"data":"üü"\}$/],
    ['Filesystem.stat({ path: "c/ü.txt", directory: "DATA" })', /"type":"file","size":4,/],
    ['Filesystem.readdir({ path: "c", directory: "DATA" })', /^\{"files":\[\{"name":"ü\.txt"/],
    [
      'Filesystem.getUri({ path: "c/ü.txt", directory: "DATA" })' +
        '.then(({ uri }) => fetch(cap.Capacitor.convertFileSrc(uri))).then((answer) => answer.text())',
      /^"üü"$/,
    ],
    ['Filesystem.copy({ from: "c/ü.txt", to: "d.txt", directory: "DATA", toDirectory: "CACHE" })', /^\{"uri":/],
    ['Filesystem.rename({ from: "d.txt", to: "e.txt", directory: "CACHE" })', /^(undefined|\{"uri":.*)$/],
    ['Filesystem.mkdir({ path: "c", directory: "DATA" })', /^failure: It exists already/],
    ['Filesystem.rmdir({ path: "c", directory: "DATA" })', /^failure: The folder isn't empty/],
    ['Filesystem.deleteFile({ path: "e.txt", directory: "CACHE" })', /^undefined$/],
    ['Filesystem.readFile({ path: "e.txt", directory: "CACHE" })', /^failure: It doesn't exist/],
    ['Filesystem.downloadFile({ url: "http://127.0.0.1:1/", path: "d.txt" })', /^failure: /],
  ),
  {
    plugin: '@capacitor/filesystem',
    script:
      'let text = ""; cap.Filesystem.readFileInChunks({ path: "c/ü.txt", directory: "DATA", encoding: "utf8", chunkSize: 1 }, ' +
      '(chunk, error) => error ? reject(error) : chunk.data === "" ? resolve(text) : (text += chunk.data));',
    expected: /^"üü"$/,
  },
  {
    plugin: 'cordova-plugin-zip',
    script:
      'cap.Filesystem.writeFile({ path: "z.zip", directory: "CACHE", data: "UEsDBBQAAAAAAAAAIQD5775xAQAAAAEAAAAHAAAAYS9iLnR4dGJQSwECFAMUAAAAAAAAACEA+e++cQEAAAABAAAABwAAAAAAAAAAAAAAgAEAAAAAYS9iLnR4dFBLBQYAAAAAAQABADUAAAAmAAAAAAA=" })' +
      '.then(({ uri }) => zip.unzip(uri, cordova.file.cacheDirectory + "z", resolve), reject);',
    expected: /^0$/,
  },
  ...capacitor(
    '@capacitor/filesystem',
    ['Filesystem.readFile({ path: "z/a/b.txt", directory: "CACHE", encoding: "utf8" })', /^\{"data":"b"\}$/],
    ['Filesystem.rmdir({ path: "z", directory: "CACHE", recursive: true })', /^undefined$/],
  ),
  ...cordova('cordova-plugin-zip', ['zip.unzip("file:///absent.zip", cordova.file.cacheDirectory, resolve)', /^-1$/]),
  ...capacitor(
    '@capacitor/file-transfer',
    ['FileTransfer.downloadFile({ url: "http://127.0.0.1:1/", path: "/x" })', /^failure: Not in the app's own folders/],
    [
      'Filesystem.getUri({ path: "c/ü.txt", directory: "DATA" })' +
        '.then(({ uri }) => cap.FileTransfer.uploadFile({ url: "http://127.0.0.1:1/", path: uri })).catch(({ code }) => code)',
      /^"OS-PLUG-FLTR-0008"$/,
    ],
  ),
  ...capacitor('@capacitor/core', [
    'CapacitorHttp.get({ url: "http://127.0.0.1:1/" }).catch(({ code }) => code)',
    /^"ConnectException"$/,
  ]),
];
