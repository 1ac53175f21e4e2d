import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';

import { digestOfSources, sha256, shellFolder, type Compiled } from '../../../android/shellSource.ts';

describe('local service: the shell of Android packages', () => {
  it('is compiled from the Java source that is here', async () => {
    const { dex, sources } = JSON.parse(await readFile(path.join(shellFolder, 'compiled.json'), 'utf8')) as Compiled;
    assert.equal(sha256(await readFile(path.join(shellFolder, 'classes.dex'))), dex);
    assert.equal(await digestOfSources(), sources, 'compile it again: README.md says how');
  });
});

describe('local service: cordova.js of Android packages', () => {
  it('fires deviceready once the document is there, also for listeners that come late', async () => {
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

  it('fires pause, resume, online, offline, and what the shell or the app sends with its data', async () => {
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

  describe('leaves the back button to Android', () => {
    const press = (page: Page): unknown => page.run('cordova.fireBackButton()');

    it('while nobody listens', async () => {
      const page = await openPage();
      page.document.removeEventListener('backbutton', () => undefined);
      assert.equal(press(page), false);
      const heard = page.listen('backbutton');
      // Known already: this changes nothing.
      page.document.addEventListener('backbutton', heard.listener, { capture: false, once: true });
      assert.equal(press(page), true);
      assert.equal(heard.count, 1);
      page.document.addEventListener('backbutton', heard.listener, true);
      page.document.removeEventListener('backbutton', heard.listener);
      assert.equal(press(page), true);
      page.document.removeEventListener('backbutton', heard.listener, { capture: true });
      assert.equal(press(page), false);
    });

    it('after the last of the listeners that wanted to hear once', async () => {
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

    it('unless the app overrides it', async () => {
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

  it('says that there are no plugins', async () => {
    const page = await openPage();
    page.run('cordova.exec(null, null, "Device", "getInfo", [])');
    assert.deepEqual(page.warnings, ['There is no plugin Device in this package.']);
    page.run('cordova.exec(null, function (message) { window.told = message; }, "Camera", "takePicture", [])');
    assert.equal(page.run('window.told'), undefined);
    await page.settle();
    assert.equal(page.run('window.told'), 'There is no plugin Camera in this package.');
    assert.equal(page.warnings.length, 1);
  });

  it('has what apps call of the device, whose model and version it reads from the user agent', async () => {
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

  it('shows the dialogs of the web, and tells their ends afterwards', async () => {
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

  it('leaves another Cordova as it is', async () => {
    const page = await openPage('complete', { version: '12.0.0' });
    assert.equal(page.run('cordova.version'), '12.0.0');
    assert.equal(page.run('navigator.app'), undefined);
  });
});

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
  /** The texts of dialogs, and addresses that were opened. */
  readonly shown: readonly string[];
  /** Counts events of the document. */
  readonly listen: (type: string) => { readonly count: number; readonly listener: () => void };
  readonly run: (script: string) => unknown;
  /** Resolves when the timers of the page have run. */
  readonly settle: () => Promise<void>;
}

/** A page that has read cordova.js, with what cordova.js uses of a browser. */
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
