import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';

import {
  computeDigest,
  computeSourcesDigest,
  pluginSources,
  sha256,
  shellFolder,
  type Compiled,
} from '../../android/shellSource.ts';

describe('local service: the shell of Android packages', () => {
  it('is compiled from the Java source in this repository', async () => {
    const { dex, sources, plugins } = JSON.parse(
      await readFile(path.join(shellFolder, 'compiled.json'), 'utf8'),
    ) as Compiled;
    assert.equal(sha256(await readFile(path.join(shellFolder, 'classes.dex'))), dex);
    assert.equal(await computeSourcesDigest(), sources, 'compile the shell again, as README.md describes');
    const all = pluginSources();
    assert.deepEqual(Object.keys(plugins), [...all.keys()]);
    for (const [name, files] of all) {
      assert.equal(sha256(await readFile(path.join(shellFolder, 'plugins', `${name}.dex`))), plugins[name]?.dex);
      assert.equal(await computeDigest(files), plugins[name]?.sources, `compile ${name} again`);
    }
  });
});

describe('local service: cordova.js of Android packages', () => {
  it('fires deviceready when the document is ready, including for listeners added later', async () => {
    const page = await openPage('loading');
    const heard = page.listen('deviceready');
    await page.settle();
    assert.equal(heard.count, 0);
    page.document.readyState = 'interactive';
    page.document.dispatchEvent(new Event('DOMContentLoaded'));
    await page.settle();
    assert.equal(heard.count, 1);
    const called: string[] = [];
    page.document.addEventListener('deviceready', ({ type }) => called.push(type));
    page.document.addEventListener('deviceready', { handleEvent: ({ type }) => called.push(`object ${type}`) });
    assert.deepEqual(called, []);
    await page.settle();
    assert.deepEqual(called, ['deviceready', 'object deviceready']);
  });

  it('fires pause, resume, online, offline, and events from the shell or the app with their data', async () => {
    const page = await openPage();
    const heard = ['pause', 'resume', 'online', 'offline'].map((type) => page.listen(type));
    const removed = page.listen('menubutton');
    page.document.removeEventListener('menubutton', removed.listener);
    page.run('cordova.fireDocumentEvent("menubutton")');
    for (const hidden of [true, false]) {
      page.document.hidden = hidden;
      page.document.dispatchEvent(new Event('visibilitychange'));
    }
    page.window.dispatchEvent(new Event('online'));
    page.window.dispatchEvent(new Event('offline'));
    assert.deepEqual(
      [...heard, removed].map(({ count }) => count),
      [1, 1, 1, 1, 0],
    );
    const data: unknown[] = [];
    page.document.addEventListener('news', (event) => data.push((event as Event & { text?: string }).text, event.type));
    page.run('cordova.fireDocumentEvent("news", { text: "hello", type: "other" })');
    assert.deepEqual(data, ['hello', 'news']);
  });

  describe('with Android’s back button', () => {
    const press = (page: Page): unknown => page.run('cordova.fireBackButton()');

    it('leaves the button to Android while the page has no listener', async () => {
      const page = await openPage();
      page.document.removeEventListener('backbutton', () => undefined);
      assert.equal(press(page), false);
      const heard = page.listen('backbutton');
      // This listener is already registered, so the call has no effect.
      page.document.addEventListener('backbutton', heard.listener, { capture: false, once: true });
      assert.equal(press(page), true);
      assert.equal(heard.count, 1);
      page.document.addEventListener('backbutton', heard.listener, true);
      page.document.removeEventListener('backbutton', heard.listener);
      assert.equal(press(page), true);
      page.document.removeEventListener('backbutton', heard.listener, { capture: true });
      assert.equal(press(page), false);
    });

    it('leaves the button to Android after the last one-time listener has run', async () => {
      const page = await openPage();
      let heard = 0;
      const listener = (): void => {
        heard += 1;
        if (heard === 1) {
          page.document.addEventListener('backbutton', listener, { once: true });
        }
      };
      page.document.addEventListener('backbutton', listener, { once: true });
      page.document.addEventListener('backbutton', listener);
      assert.deepEqual([press(page), press(page), press(page), heard], [true, true, false, 2]);
    });

    it('handles the button while the app overrides it, even without a listener', async () => {
      const page = await openPage();
      page.run('navigator.app.overrideBackbutton(true)');
      assert.equal(press(page), true);
      page.run('navigator.app.overrideBackbutton(false)');
      assert.equal(press(page), false);
      page.listen('backbutton');
      page.run('navigator.app.overrideBackbutton(false)');
      assert.equal(press(page), true);
    });
  });

  it('reports a missing plugin to the call’s error callback, or on the console if the call has none', async () => {
    const page = await openPage();
    page.run('cordova.exec(null, null, "Device", "getInfo", [])');
    assert.deepEqual(page.warnings, ['This package doesn’t have the plugin Device.']);
    page.run('cordova.exec(null, function (message) { window.told = message; }, "Camera", "takePicture", [])');
    assert.equal(page.run('window.told'), undefined);
    await page.settle();
    assert.equal(page.run('window.told'), 'This package doesn’t have the plugin Camera.');
    assert.equal(page.warnings.length, 1);
  });

  it('provides the device API that apps call, with model and version from the user agent', async () => {
    const page = await openPage();
    page.run('navigator.app.clearCache(); navigator.app.clearHistory(); navigator.app.cancelLoadUrl();');
    page.run('navigator.splashscreen.hide(); navigator.app.overrideButton("volumeup", true);');
    page.run('navigator.app.loadUrl("other.html");');
    assert.equal(page.location.href, 'other.html');
    page.run('navigator.app.exitApp()');
    assert.equal(page.location.href, 'shell:exit');
    assert.equal(page.run('cordova === PhoneGap && cordova.platformId'), 'android');
    assert.equal(page.run('[device.platform, device.version, device.model].join()'), 'Android,13,Pixel 7');
  });

  it('shows the browser’s dialogs, and passes their results to the callbacks', async () => {
    const page = await openPage();
    page.run('window.told = []; function tell(result) { told.push(result); }');
    page.run('navigator.notification.alert("One", tell, "Title"); navigator.notification.confirm("Two", tell);');
    page.run(
      'navigator.notification.prompt("Three", tell, "Title", [], "text"); navigator.notification.alert("Four");',
    );
    assert.equal(page.run('told.length'), 0);
    await page.settle();
    assert.equal(page.run('JSON.stringify(told)'), '[null,2,{"buttonIndex":1,"input1":"text!"}]');
    page.run('cordova.InAppBrowser.open("https://example.com/", "_system").addEventListener("exit", null)');
    assert.deepEqual(page.shown, ['Title\n\nOne', 'Two', 'Title\n\nThree', 'Four', 'https://example.com/']);
  });

  it('does nothing if the page already has a cordova object', async () => {
    const page = await openPage('complete', { version: '12.0.0' });
    assert.equal(page.run('cordova.version'), '12.0.0');
    assert.equal(page.run('navigator.app'), undefined);
  });
});

describe('local service: shell.js of Android packages', () => {
  it('sends a blob in parts when the shell asks for it, with the file name from its download link', async () => {
    const page = await openShellPage();
    const content = Buffer.alloc(1_000_000, 'abc');
    const url = page.store(new Blob([content], { type: 'text/csv;charset=utf-8' }));
    const picture = page.store(new Blob([content]));
    // As in most pages, the link is in no document, and its URL is revoked immediately.
    page.link(url, 'report.csv').click();
    page.run('URL.revokeObjectURL', url);
    const port = page.save(url);
    assert.deepEqual(JSON.parse(await port.answer()), { name: 'report.csv', type: 'text/csv' });
    // When the page goes away, the incomplete transfer ends.
    const early = page.save(url);
    await early.answer();
    const parts = [await port.ask(), await port.ask(), await port.ask()];
    assert.ok(Buffer.concat(parts.map((part) => Buffer.from(part, 'base64'))).equals(content));
    assert.equal(await port.ask(), '');
    page.window.dispatchEvent(new Event('pagehide'));
    assert.equal(await early.answer(), '!');
    assert.equal(port.sent, 5);
    assert.ok(page.stored.has(url));
    // After a while, the content is gone.
    page.timers.forEach((timer) => timer());
    assert.ok(!page.stored.has(url));
    assert.equal(await page.save(url).answer(), '!');
    // A blob without a link, such as a camera picture, is gone immediately.
    page.run('URL.revokeObjectURL', picture);
    assert.ok(!page.stored.has(picture));
    assert.equal(await page.save(picture).answer(), '!');
  });

  it('doesn’t fetch a blob that it has recorded, because the page’s Content-Security-Policy may forbid it', async () => {
    const page = await openShellPage();
    const url = page.store(new Blob(['x']));
    assert.equal(await page.save(url).answer(), '{"name":"","type":""}');
    assert.deepEqual(page.fetched, []);
    page.stored.set('blob:older', new Blob(['']));
    const port = page.save('blob:older');
    assert.deepEqual([await port.answer(), await port.ask()], ['{"name":"","type":""}', '']);
    assert.deepEqual(page.fetched, ['blob:older']);
  });

  it('remembers the file names of the last ten clicked download links', async () => {
    const page = await openShellPage();
    const names = (): unknown[] =>
      ['data:,1', 'data:,2', 'data:,3', 'data:,4'].map((url) => page.run('appShell.nameOf', url));
    page.link('data:,1', 'one.txt').click();
    assert.deepEqual(names(), ['one.txt', '', '', '']);
    page.link('data:,2', 'two.txt').dispatchEvent(new Event('click'));
    page.click(page.link('data:,3', 'three.txt'));
    page.click(page.link('data:,4', 'four.txt'), 'old');
    assert.deepEqual(names(), ['one.txt', 'two.txt', 'three.txt', 'four.txt']);
    page.click(null);
    page.link('data:,5').click();
    page.link('https://localhost/a.pdf', 'five.pdf').click();
    assert.equal(page.run('appShell.nameOf', 'https://localhost/a.pdf'), '');
    for (let count = 0; count < 8; count += 1) {
      page.link('data:,1', `again ${count}.txt`).click();
    }
    assert.deepEqual(names(), ['again 7.txt', '', 'three.txt', 'four.txt']);
  });

  it('passes each link once to the page’s handleOpenURL, if the page defines it', async () => {
    const page = await openShellPage();
    const take = (number: number): unknown => page.run('appShell.takeLink', number, `app:${number}`);
    assert.equal(take(0), false);
    const heard: string[] = [];
    Object.assign(page.window, { handleOpenURL: (link: string) => heard.push(link) });
    // Each call comes before the shell gets the response, as when the address's fragment changes.
    assert.deepEqual([take(0), take(0), take(1), take(1)], [true, false, true, false]);
    assert.deepEqual(heard, []);
    page.timers.forEach((timer) => timer());
    assert.deepEqual(heard, ['app:0', 'app:1']);
  });

  it('responds only to the shell’s messages, hides them from the page, and has no effect when it’s loaded twice', async () => {
    const page = await openShellPage();
    await page.load();
    const url = page.store(new Blob(['x']));
    let heard = 0;
    page.window.addEventListener('message', () => (heard += 1));
    const asked = `appbuild:save ${url}`;
    const foreign = [
      page.send(asked, page.window),
      page.send('appbuild:save https://localhost/x'),
      page.send({ of: 'the page' }),
    ];
    page.window.dispatchEvent(Object.assign(new Event('message'), { data: asked, source: null, ports: [] }));
    assert.equal(heard, 4);
    const port = page.save(url);
    assert.equal(heard, 4);
    assert.deepEqual([await port.answer(), await port.ask(), await port.ask()], ['{"name":"","type":""}', 'eA==', '']);
    assert.deepEqual(
      [port, ...foreign].map(({ sent }) => sent),
      [3, 0, 0, 0],
    );
  });
});

/** The page's end of a channel to the shell. */
class Port {
  sent = 0;
  onmessage: () => void = () => undefined;
  #next = Promise.withResolvers<string>();

  postMessage(message: string): void {
    this.sent += 1;
    this.#next.resolve(message);
  }

  /** Returns the page's next message. */
  async answer(): Promise<string> {
    const message = await this.#next.promise;
    this.#next = Promise.withResolvers();
    return message;
  }

  async ask(): Promise<string> {
    this.onmessage();
    return this.answer();
  }
}

type Link = EventTarget & { click: () => void };

interface ShellPage {
  readonly window: EventTarget;
  /** Blobs by their `blob:` URL. */
  readonly stored: Map<string, Blob>;
  readonly fetched: readonly string[];
  readonly timers: readonly (() => void)[];
  readonly link: (href: string, download?: string) => Link;
  /** Clicks an element in a shadow root that is inside a link, or inside none. In an old browser, clicks in the document. */
  readonly click: (link: Link | null, browser?: 'old') => void;
  /** Sends a message with a port. The default source is the shell. */
  readonly send: (data: unknown, source?: unknown) => Port;
  readonly save: (url: string) => Port;
  /** Calls a function of the page. */
  readonly run: (name: string, ...args: readonly (string | number)[]) => unknown;
  /** Creates a `blob:` URL as the page does. */
  readonly store: (blob: Blob) => string;
  readonly load: () => Promise<void>;
}

/** Opens a page that has run shell.js, with the browser features that shell.js uses. */
async function openShellPage(): Promise<ShellPage> {
  const window = new EventTarget();
  const stored = new Map<string, Blob>();
  const fetched: string[] = [];
  const timers: (() => void)[] = [];
  class HTMLAnchorElement extends EventTarget {
    href = '';
    download: string | undefined;
    hasAttribute(name: string): boolean {
      return name === 'download' && this.download !== undefined;
    }
    click(): void {
      super.dispatchEvent(new Event('click'));
    }
  }
  class FileReader {
    result = '';
    onload: () => void = () => undefined;
    async readAsDataURL(blob: Blob): Promise<void> {
      this.result = `data:;base64,${Buffer.from(await blob.arrayBuffer()).toString('base64')}`;
      this.onload();
    }
  }
  const page = Object.assign(window, {
    ...{ window, HTMLAnchorElement, FileReader, Blob },
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    setTimeout: (timer: (value: string) => void, _: number, value: string) => timers.push(() => timer(value)),
    fetch: async (url: string) => {
      fetched.push(url);
      const blob = stored.get(url);
      return blob === undefined ? Promise.reject(new TypeError('Failed to fetch')) : { blob: () => blob };
    },
    URL: {
      createObjectURL: (blob: Blob) => {
        const url = `blob:${stored.size}`;
        stored.set(url, blob);
        return url;
      },
      revokeObjectURL: (url: string) => stored.delete(url),
    },
  });
  const context = createContext(page);
  const script = await readFile(path.join(shellFolder, 'shell.js'), 'utf8');
  const load = async (): Promise<void> => void (await runInContext(script, context));
  const send: ShellPage['send'] = (data, source = null) => {
    const port = new Port();
    window.dispatchEvent(Object.assign(new Event('message'), { data, source, ports: [port] }));
    return port;
  };
  await load();
  return {
    ...{ window, stored, fetched, timers, load, send },
    link: (href, download) => Object.assign(new HTMLAnchorElement(), { href, download }),
    click: (link, browser) => {
      const target = { closest: () => link };
      const old = { composedPath: undefined };
      Object.assign(window, { closest: browser === 'old' ? () => link : undefined });
      window.dispatchEvent(
        Object.assign(new Event('click'), browser === 'old' ? old : { composedPath: () => [target, window] }),
      );
    },
    save: (url) => send(`appbuild:save ${url}`),
    store: (blob) => page.URL.createObjectURL(blob),
    run: (name, ...args) => runInContext(`${name}(...${JSON.stringify(args)})`, context) as unknown,
  };
}

class Document extends EventTarget {
  readyState = 'complete';
  hidden = false;
}

const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 13; Pixel 7 Build/TQ1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/119.0 Mobile Safari/537.36';

interface Page {
  readonly window: EventTarget;
  readonly document: Document;
  readonly location: { href: string };
  readonly warnings: readonly string[];
  /** Dialog text, and opened addresses. */
  readonly shown: readonly string[];
  /** Counts events of the document. */
  readonly listen: (type: string) => { readonly count: number; readonly listener: () => void };
  readonly run: (script: string) => unknown;
  /** Resolves when the page's timers have run. */
  readonly settle: () => Promise<void>;
}

/** Opens a page that has loaded cordova.js, with the browser features that cordova.js uses. */
async function openPage(readyState = 'complete', cordova?: object): Promise<Page> {
  const document = new Document();
  document.readyState = readyState;
  const window = new EventTarget();
  const location = { href: 'https://localhost/' };
  const warnings: string[] = [];
  const shown: string[] = [];
  const show = (text: string): void => void shown.push(text);
  const context = createContext(
    Object.assign(window, {
      ...{ window, document, location, navigator: { userAgent: USER_AGENT }, history: {}, Event, setTimeout },
      ...{ alert: show, confirm: show, open: show },
      prompt: (text: string, given: string) => (show(text), `${given}!`),
      console: { warn: (text: string) => warnings.push(text) },
      ...(cordova === undefined ? {} : { cordova }),
    }),
  );
  runInContext(await readFile(path.join(shellFolder, 'cordova.js'), 'utf8'), context);
  if (cordova === undefined) {
    runInContext('cordova.start(false, false)', context);
  }
  return {
    ...{ window, document, location, warnings, shown },
    listen: (type) => {
      const heard = { count: 0, listener: () => void (heard.count += 1) };
      document.addEventListener(type, heard.listener);
      return heard;
    },
    run: (script) => runInContext(script, context) as unknown,
    settle: () => new Promise((resolve) => setTimeout(resolve, 0)),
  };
}
