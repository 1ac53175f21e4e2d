import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';

import { shellFolder } from '../../../android/shellSource.ts';

const PLUGIN_LIST = `cordova.define('cordova/plugin_list', function (require, exports, module) { module.exports = [
  { id: 'a.words', file: 'plugins/a/words.js', pluginId: 'a', defaults: ['words'] },
  { id: 'a.tool', file: 'plugins/a/tool.js', pluginId: 'a', clobbers: ['plugins.tool', 'open'] },
  { id: 'a.more', file: 'plugins/a/more.js', pluginId: 'a', merges: ['navigator'] },
  { id: 'a.starts', file: 'plugins/a/starts.js', pluginId: 'a', runs: true },
  { id: 'a.gone', file: 'plugins/a/gone.js', pluginId: 'a', runs: true },
  { id: 'a.broken', file: 'plugins/a/broken.js', pluginId: 'a', runs: true },
]; });`;

const module = (id: string, body: string): string =>
  `cordova.define('${id}', function (require, exports, module) { ${body} });`;

/** Scripts that the page can load, by address. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'https://localhost/cordova_plugins.js': PLUGIN_LIST,
  'https://localhost/plugins/a/words.js': module('a.words', 'module.exports = "words";'),
  'https://localhost/plugins/a/tool.js': module(
    'a.tool',
    'module.exports = { sibling: require("./words"), before: require("cordova/modulemapper").getOriginalSymbol(window, "open") };',
  ),
  'https://localhost/plugins/a/more.js': module('a.more', 'exports.more = 1; exports.app = { added: true };'),
  'https://localhost/plugins/a/starts.js': module(
    'a.starts',
    'require("cordova/channel").waitForInitialization("onStarted"); window.initialize = function () { require("cordova/channel").initializationComplete("onStarted"); };',
  ),
  'https://localhost/plugins/a/broken.js': module('a.broken', 'throw new Error("no");'),
};

describe('local service: cordova.js with native plugins', () => {
  it('contains only ASCII, like all scripts of the shell, because pages determine the encoding', async () => {
    const scripts = globSync('*.js', { cwd: shellFolder });
    assert.ok(scripts.length > 2);
    for (const name of scripts) {
      const bytes = await readFile(path.join(shellFolder, name));
      assert.ok(
        bytes.every((byte) => byte < 0x80),
        name,
      );
    }
  });

  it('defines the plugins’ modules, and fires deviceready when all are initialized', async () => {
    const page = await openPage({ isNative: true, hasModules: true });
    const heard = page.listen('deviceready');
    page.connect();
    await page.settle();
    assert.equal(
      page.run('JSON.stringify([words, plugins.tool.sibling, open === plugins.tool])'),
      '["words","words",true]',
    );
    assert.equal(page.run('plugins.tool.before()'), 'opened');
    assert.equal(
      page.run('[navigator.more, navigator.app.added, typeof navigator.app.exitApp].join()'),
      '1,true,function',
    );
    assert.deepEqual(page.errors, ['Not loaded: plugins/a/gone.js', 'a.broken: no']);
    assert.equal(heard(), 0);
    page.run('initialize()');
    await page.settle();
    assert.equal(heard(), 1);
    page.runTimers();
    assert.deepEqual(page.warnings, []);
  });

  it('reports after five seconds which part of the startup is missing', async () => {
    const page = await openPage({ isNative: true, hasModules: true });
    await page.settle();
    page.runTimers();
    assert.deepEqual(
      page.warnings.map((text) => text.split(': ')[1]),
      ['onCordovaReady', 'onStarted', 'onNativeReady'],
    );
  });

  it('queues calls until the shell sends a port, and passes each response to the call’s callbacks', async () => {
    const page = await openPage({ isNative: true });
    page.run(`window.told = [];
      cordova.exec(function (value) { told.push(value); }, null, 'Echo', 'once', ['a', undefined, new Uint8Array([1, 2, 255]).buffer]);
      cordova.exec(function (value) { told.push(value); }, null, 'Echo', 'often');
      cordova.exec(null, function (reason) { told.push('no ' + reason.code); }, 'Echo', 'fails', []);`);
    assert.deepEqual(page.sent, []);
    page.connect();
    const calls = page.sent.map((text) => JSON.parse(text) as [string, string, string, unknown[]]);
    assert.deepEqual(
      calls.map(([, ...rest]) => rest),
      [
        ['Echo', 'once', ['a', null, 'AQL/']],
        ['Echo', 'often', []],
        ['Echo', 'fails', []],
      ],
    );
    const [once = '', often = '', fails = ''] = calls.map(([id]) => id);
    page.answer([often, 2, 'first'], [often, 2, 'second'], [once, 0, { $bytes: 'AQL/' }], [once, 0, 'again']);
    page.answer([fails, 1, { code: 7 }], [often, 0, null], [often, 2, 'late'], ['unknown', 0, 1]);
    assert.equal(
      page.run(
        'JSON.stringify(told.map(function (each) { return each instanceof ArrayBuffer ? Array.from(new Uint8Array(each)) : each; }))',
      ),
      '["first","second",[1,2,255],"no 7",null]',
    );
  });

  it('passes a plugin’s event to the first listed function that exists in the page', async () => {
    const page = await openPage({ isNative: true });
    page.run(
      "window.told = []; window.plugin = { name: 'new', fire: function (event) { told.push(this.name + ' ' + event); } };",
    );
    page.connect();
    const event = ['call', 2, { path: 'plugin.core.fire plugin.fire', args: ['click'] }];
    page.answer(event);
    page.run("plugin.core = { name: 'old', fire: plugin.fire };");
    page.answer(event);
    assert.equal(page.run('told.join()'), 'new click,old click');
  });

  it('accepts only the shell’s port', async () => {
    const page = await openPage({ isNative: true });
    page.run("cordova.exec(null, null, 'Echo', 'once', [])");
    for (const [data, source, count, origin] of [
      ['appbuild:connect', {}, 1, 'https://localhost'],
      // The message comes from a frame that removed itself.
      ['appbuild:connect', null, 1, 'https://foreign.example'],
      ['appbuild:connect', null, 1, 'null'],
      ['appbuild:connect', null, 0, ''],
      ['other', null, 1, ''],
    ] as const) {
      page.connect(data, source, count, origin);
    }
    assert.deepEqual([page.sent.length, page.prompts], [0, ['appbuild:connect']]);
    page.connect();
    assert.equal(page.sent.length, 1);
  });

  it('doesn’t request the shell’s port in a frame, and rejects calls there', async () => {
    const page = await openPage({ isNative: true, isFrame: true });
    const heard = page.listen('deviceready');
    page.run('cordova.exec(null, function (reason) { window.told = reason; }, "Echo", "once", [])');
    await page.settle();
    assert.deepEqual([page.prompts, heard()], [[], 1]);
    assert.equal(page.run('told'), 'This package doesn’t have the plugin Echo.');
  });

  it('passes each resume listener a camera result that arrived after Android ended the app', async () => {
    const page = await openPage({ isNative: true });
    page.run(`window.told = [];
      function listener(name) { return function (event) { told.push(name, event.pendingResult.result); }; }
      document.addEventListener('resume', listener('early'));
      document.addEventListener('deviceReady', function () { document.addEventListener('Resume', listener('late')); });`);
    page.connect();
    page.answer(['restored', 2, { service: 'Camera', action: 'takePicture', isFailure: false, value: 'a.jpg' }]);
    await page.settle();
    assert.equal(page.run('told.join()'), 'early,a.jpg,late,a.jpg');
  });

  it('ignores the case of its event names', async () => {
    const page = await openPage({ isNative: true });
    const [ready, back, own] = ['deviceReady', 'BackButton', 'myEvent'].map((type) => page.listen(type));
    page.connect();
    await page.settle();
    page.run("cordova.fireDocumentEvent('myEvent')");
    assert.equal(page.run('cordova.fireBackButton()'), true);
    assert.deepEqual([ready?.(), back?.(), own?.()], [1, 1, 1]);
    page.run('function listener() {} document.addEventListener("backButton", listener)');
    page.run('document.removeEventListener("BACKBUTTON", listener)');
    assert.equal(back?.(), 1);
  });

  it('notifies a plugin when its channel gets or loses a subscriber, and repeats a sticky event for later listeners', async () => {
    const page = await openPage({});
    page.run(`window.told = [];
      var channel = cordova.addWindowEventHandler('battery');
      channel.onHasSubscribersChange = function () { told.push(channel.numHandlers); };
      function listener(event) { told.push(event.level); }
      addEventListener('battery', listener); addEventListener('battery', listener);
      cordova.fireWindowEvent('battery', { level: 5 });
      removeEventListener('battery', listener);
      cordova.fireWindowEvent('battery', { level: 6 });
      var sticky = cordova.addStickyDocumentEventHandler('info');
      cordova.fireDocumentEvent('info', { level: 7 });
      document.addEventListener('info', listener);`);
    assert.equal(page.run('told.join()'), '1,5,0,7');
  });

  it('checks arguments and provides helpers, as Cordova’s argscheck and utils modules do', async () => {
    const page = await openPage({});
    const check = (letters: string, args: string): unknown =>
      page.run(
        `try { cordova.require('cordova/argscheck').checkArgs('${letters}', 'tool.do', ${args}); 'fine'; } catch (error) { error.message; }`,
      );
    assert.equal(check('sNfAdO', '["", 1, function () {}, [], new Date(), {}]'), 'fine');
    assert.equal(check('S*', '[null]'), 'fine');
    assert.equal(check('s', '[]'), 'Wrong type for parameter 1 of tool.do: expected String, but got undefined.');
    assert.equal(check('nF', '[1, {}]'), 'Wrong type for parameter 2 of tool.do: expected Function, but got Object.');
    assert.equal(
      page.run(`var utils = cordova.require('cordova/utils'); function Parent() {} function Child() {} utils.extend(Child, Parent);
        var list = [1, 2]; var copy = utils.clone({ list: list, day: new Date(5) });
        JSON.stringify([new Child() instanceof Parent, utils.typeName([]), copy, copy.list !== list, utils.createUUID().length,
          utils.close({ a: 3 }, function (b) { return this.a + b; }, [4])()])`),
      '[true,"Array",{"list":[1,2],"day":"1970-01-01T00:00:00.005Z"},true,36,7]',
    );
    assert.throws(() => page.run("cordova.require('nothing')"), /module nothing not found/);
    page.run(
      `cordova.define('one', function (require) { require('two'); }); cordova.define('two', function (require) { require('one'); });`,
    );
    assert.throws(() => page.run("cordova.require('one')"), /Cycle in require graph: one->two->one/);
    assert.throws(() => page.run("cordova.define('one', function () {})"), /module one already defined/);
  });
});

describe('local service: the script of Capacitor apps', () => {
  it('lists the plugins with native code in Capacitor.PluginHeaders, and passes calls to them', async () => {
    const page = await openPage({ isNative: true, methods: { Camera: ['getPhoto'], Geo: ['watchPosition'] } });
    page.connect();
    assert.equal(
      page.run(`JSON.stringify(Capacitor.PluginHeaders.map(function (header) {
        return [header.name].concat(header.methods.map(function (method) { return method.name + ' ' + method.rtype; })); }))`),
      JSON.stringify(
        [
          ['Camera', 'getPhoto promise'],
          ['Geo', 'watchPosition callback'],
        ].map((names) => [
          ...names,
          ...['checkPermissions', 'requestPermissions', 'removeListener', 'removeAllListeners'].map(
            (name) => `${name} promise`,
          ),
          'addListener callback',
        ]),
      ),
    );
    const photo = page.run("Capacitor.nativePromise('Camera', 'getPhoto', { quality: 9 })") as Promise<unknown>;
    const refused = page.run("Capacitor.nativePromise('Camera', 'getPhoto')") as Promise<unknown>;
    page.run(
      "window.told = []; window.watch = Capacitor.nativeCallback('Geo', 'watchPosition', {}, function (data, error) { told.push(data || error.message); })",
    );
    const calls: readonly unknown[][] = page.sent.map((text) => JSON.parse(text) as unknown[]);
    assert.deepEqual(calls[0]?.slice(1), ['Capacitor.Camera', 'getPhoto', [{ quality: 9 }]]);
    const [first, second, watch] = calls.map(([id]) => id);
    assert.equal(watch, page.run('watch'));
    page.answer([first, 0, { path: 'a' }], [second, 1, { message: 'No', code: 'DENIED' }]);
    page.answer([watch, 2, 1], [watch, 1, 'Lost']);
    assert.deepEqual({ ...((await photo) as object) }, { path: 'a' });
    await assert.rejects(refused, { message: 'No', code: 'DENIED' });
    assert.equal(page.run('told.join()'), '1,Lost');
  });

  it('provides the plugins by name to pages without Capacitor’s script', async () => {
    const page = await openPage({ isNative: true, methods: { Camera: ['getPhoto'], Geo: ['watchPosition'] } });
    page.connect();
    assert.equal(
      page.run(`JSON.stringify([Object.keys(Capacitor.Plugins), Capacitor.getPlatform(), Capacitor.isNativePlatform(),
        Capacitor.isPluginAvailable('Geo'), Capacitor.isPluginAvailable('toString'), Capacitor.platform, Capacitor.isNative])`),
      '[["Camera","Geo"],"android",true,true,false,"android",true]',
    );
    const photo = page.run('Capacitor.Plugins.Camera.getPhoto({ quality: 9 })') as Promise<unknown>;
    page.run(`window.told = []; function tell(data) { told.push(data); }
      Capacitor.Plugins.Geo.watchPosition({}, tell); window.handle = Capacitor.Plugins.Geo.addListener('moved', tell);`);
    const sent = (): readonly unknown[][] => page.sent.map((text) => JSON.parse(text) as unknown[]);
    const [[first] = [], [watch] = [], [listener, ...added] = []] = sent();
    assert.deepEqual(added, ['Capacitor.Geo', 'addListener', [{ eventName: 'moved' }]]);
    page.answer([first, 0, 'a'], [watch, 2, 1], [listener, 2, 2]);
    page.run('Capacitor.Plugins.Geo.watchPosition({})');
    page.answer([sent().at(-1)?.[0], 2, 3]);
    assert.equal(await photo, 'a');
    assert.equal(page.run('told.join()'), '1,2');
    void page.run('handle.remove()');
    const removed = [{ eventName: 'moved', callbackId: listener }];
    assert.deepEqual(sent().at(-1)?.slice(1), ['Capacitor.Geo', 'removeListener', removed]);
  });

  it('calls the back button’s listeners before Android goes back', async () => {
    const page = await openPage({ isNative: true, methods: { App: [] } });
    page.connect();
    assert.equal(page.run('cordova.fireBackButton()'), false);
    page.run(
      "window.told = []; window.id = Capacitor.nativeCallback('App', 'addListener', { eventName: 'backButton' }, function (data) { told.push(data.canGoBack); })",
    );
    assert.equal(page.run('cordova.fireBackButton(true)'), true);
    // The history contains later pages.
    assert.equal(page.run('cordova.fireBackButton(false)'), true);
    page.run("Capacitor.nativePromise('App', 'removeListener', { eventName: 'backButton', callbackId: id })");
    assert.equal(page.run('cordova.fireBackButton()'), false);
    assert.equal(page.run('told.join()'), 'true,false');
    page.run("Capacitor.nativeCallback('App', 'addListener', { eventName: 'backButton' }, function () {})");
    // The document's listeners receive the event as well. For example, Ionic's listener closes a dialog.
    page.run('function close() { told.push("closed"); } document.addEventListener("backbutton", close)');
    assert.equal(page.run('cordova.fireBackButton()'), true);
    assert.equal(page.run('told.join()'), 'true,false,closed');
    page.run('document.removeEventListener("backbutton", close)');
    page.run("Capacitor.nativePromise('App', 'removeAllListeners')");
    assert.equal(page.run('cordova.fireBackButton()'), false);
  });

  it('minimizes the app on the back button if the page disabled Capacitor’s handler', async () => {
    const page = await openPage({ isNative: true, methods: { App: [] } });
    page.connect();
    const toggle = (isEnabled: boolean) =>
      page.run(`Capacitor.nativePromise('App', 'toggleBackButtonHandler', { enabled: ${isEnabled} })`);
    toggle(false);
    assert.equal(page.run('cordova.fireBackButton()'), true);
    const [, minimize = ''] = page.sent;
    assert.deepEqual((JSON.parse(minimize) as unknown[]).slice(1, 3), ['Capacitor.App', 'minimizeApp']);
    toggle(true);
    assert.equal(page.run('cordova.fireBackButton()'), false);
  });
});

interface Start {
  readonly isNative?: boolean;
  readonly hasModules?: boolean;
  readonly isFrame?: boolean;
  readonly methods?: Readonly<Record<string, readonly string[]>>;
}

interface Page {
  readonly sent: readonly string[];
  readonly prompts: readonly string[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  readonly run: (script: string) => unknown;
  /** Sends the message with the port. */
  readonly connect: (data?: string, source?: object | null, ports?: number, origin?: string) => void;
  readonly answer: (...answers: readonly unknown[][]) => void;
  /** Counts events of the document. */
  readonly listen: (type: string) => () => number;
  readonly settle: () => Promise<void>;
  /** Runs the timers with a nonzero delay. */
  readonly runTimers: () => void;
}

/** Opens a page that has loaded the script as the builder writes it. */
async function openPage({ isNative = false, hasModules = false, isFrame = false, methods }: Start): Promise<Page> {
  const window = new EventTarget();
  const [sent, prompts, warnings, errors]: string[][] = [[], [], [], []];
  const timers: (() => void)[] = [];
  const port = {
    onmessage: (event: { readonly data: string }): void => void event,
    postMessage: (text: string) => sent?.push(text),
  };
  const document = Object.assign(new EventTarget(), {
    readyState: 'complete',
    currentScript: { src: 'https://localhost/cordova.js' },
    createElement: () => ({}),
    head: {
      appendChild: (script: { readonly src: string; readonly onload: () => void; readonly onerror: () => void }) => {
        const text = SCRIPTS[script.src];
        setTimeout(() => {
          if (text === undefined) {
            script.onerror();
          } else {
            runInContext(text, context);
            script.onload();
          }
        }, 0);
      },
    },
  });
  const context = createContext(
    Object.assign(window, {
      ...{
        window,
        top: isFrame ? {} : window,
        document,
        navigator: { userAgent: '' },
        location: {},
        Event,
        btoa,
        atob,
        crypto,
        Promise,
      },
      open: () => 'opened',
      setTimeout: (run: (...args: unknown[]) => void, delayMs: number, ...args: unknown[]) =>
        delayMs > 0 ? timers.push(run) : setTimeout(run, 0, ...args),
      prompt: (text: string) => prompts?.push(text),
      console: { warn: (text: string) => warnings?.push(text), error: (text: string) => errors?.push(text) },
      addEventListener: window.addEventListener.bind(window),
      removeEventListener: window.removeEventListener.bind(window),
    }),
  );
  const scripts = ['cordova.js', ...(methods === undefined ? [] : ['capacitor.js'])];
  for (const script of scripts) {
    runInContext(await readFile(path.join(shellFolder, script), 'utf8'), context);
  }
  runInContext(`cordova.start(${isNative}, ${hasModules}); cordova.start(${isNative}, ${hasModules});`, context);
  if (methods !== undefined) {
    runInContext(`appBuildCapacitor(${JSON.stringify(methods)})`, context);
  }
  return {
    ...{ sent: sent ?? [], prompts: prompts ?? [], warnings: warnings ?? [], errors: errors ?? [] },
    run: (script) => runInContext(script, context) as unknown,
    connect: (data = 'appbuild:connect', source = null, ports = 1, origin = '') => {
      const event = { data, origin, source, ports: ports === 0 ? [] : [port] };
      window.dispatchEvent(Object.assign(new Event('message'), event));
    },
    answer: (...answers) => answers.forEach((each) => port.onmessage({ data: JSON.stringify(each) })),
    listen: (type) => {
      let count = 0;
      document.addEventListener(type, () => (count += 1));
      return () => count;
    },
    settle: async () => {
      for (let round = 0; round < 20; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    },
    runTimers: () => timers.forEach((timer) => timer()),
  };
}
