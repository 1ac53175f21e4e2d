import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NetworkSite } from './networkListener.ts';
import { answerPage, type PhoneDocument } from './phoneDocument.ts';
import { serveFolder, type ServedFolder } from './servedFolder.ts';
import type { WebFiles } from './webFiles.ts';

/** Below the random path: leads to the page that the app begins with. */
export const START_PATH = 'start';
/** Below the random path: says which build is shown, and when there is another. */
export const EVENTS_PATH = 'events';

/** How long a browser waits before it asks again, when the connection of its events has ended. */
const RETRY_MS = 5_000;
/** Finds phones that have gone without a word. */
const KEEP_ALIVE_MS = 30_000;
const RANDOM_BYTES = 18;

/** What Cordova's own script needs of a phone; this one says that the device is ready, and that there are no plugins. */
const CORDOVA_STAND_IN = `(function () {
  if (window.cordova) return;
  var isReady = false;
  var add = document.addEventListener;
  document.addEventListener = function (type, listener, options) {
    if (type === 'deviceready' && isReady && typeof listener === 'function') setTimeout(listener, 0, new Event(type));
    else add.call(document, type, listener, options);
  };
  window.cordova = window.PhoneGap = {
    version: '0.0.0', platformId: 'browser', plugins: {},
    exec: function (success, failure, service) {
      if (typeof failure === 'function') setTimeout(failure, 0, 'There is no plugin ' + service + ' in this preview.');
    },
    fireDocumentEvent: function (type) { document.dispatchEvent(new Event(type)); }
  };
  function start() { setTimeout(function () { isReady = true; document.dispatchEvent(new Event('deviceready')); }, 0); }
  if (document.readyState === 'loading') add.call(document, 'DOMContentLoaded', start); else start();
})();
`;
const CORDOVA_SCRIPTS: ReadonlySet<string> = new Set(['/cordova.js', '/phonegap.js']);

interface ShownBuild {
  readonly number: number;
  readonly files: WebFiles;
  readonly serve: ServedFolder;
}

/**
 * An app as it was built, in a frame that shows each build. The app has the whole origin, as in the shell: many begin at `/`, and
 * name their files from there. A cookie, which comes with the frame, shows who knows the link.
 */
export class PreviewSite implements NetworkSite {
  readonly #frame: PhoneDocument;
  /** Ports do not keep cookies apart: each preview has one of its own. */
  readonly #cookie = {
    name: `preview-${randomBytes(8).toString('hex')}`,
    value: randomBytes(RANDOM_BYTES).toString('base64url'),
  };
  readonly #listeners = new Set<ServerResponse>();
  #shown: ShownBuild;
  #hasEnded = false;

  /** @param frame the page around the app. */
  constructor(frame: PhoneDocument, files: WebFiles) {
    this.#frame = frame;
    this.#shown = shownBuild(1, files);
  }

  /** Shows another build in place of the one before, whose files are deleted; after the end, its own are. */
  async show(files: WebFiles): Promise<void> {
    if (this.#hasEnded) {
      await files.dispose();
      return;
    }
    const before = this.#shown;
    this.#shown = shownBuild(before.number + 1, files);
    for (const listener of this.#listeners) {
      listener.write(eventOf('build', this.#shown.number));
    }
    await before.files.dispose();
  }

  answer(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    switch (path) {
      case '':
        response.setHeader(
          'set-cookie',
          `${this.#cookie.name}=${this.#cookie.value}; Path=/; HttpOnly; SameSite=Strict`,
        );
        answerPage(response, 200, this.#frame);
        return true;
      case START_PATH:
        response.writeHead(302, { location: this.#shown.files.start, 'content-length': 0 }).end();
        return true;
      case EVENTS_PATH:
        this.#listen(request, response);
        return true;
      default:
        return false;
    }
  }

  answerOutside(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    const { name, value } = this.#cookie;
    const cookies = request.headers.cookie?.split(/; */) ?? [];
    if (!cookies.includes(`${name}=${value}`)) {
      return false;
    }
    const { files, serve } = this.#shown;
    // The address of the preview is nobody's business but the app's own.
    response.setHeader('referrer-policy', 'same-origin');
    if (!files.hasStandIn && CORDOVA_SCRIPTS.has(path)) {
      response.writeHead(200, {
        'content-type': 'text/javascript; charset=utf-8',
        'content-length': Buffer.byteLength(CORDOVA_STAND_IN),
      });
      response.end(CORDOVA_STAND_IN);
      return true;
    }
    const isNavigation = request.headers.accept?.startsWith('text/html') === true;
    return (
      serve(request, response, path) ||
      (isNavigation && files.fallback !== undefined && serve(request, response, files.fallback))
    );
  }

  end(): void {
    this.#hasEnded = true;
    for (const listener of this.#listeners) {
      listener.end(eventOf('end', this.#shown.number));
    }
  }

  /** Deletes the files. */
  dispose(): Promise<void> {
    return this.#shown.files.dispose();
  }

  /** Server-sent events (HTML Standard, §9.2). */
  #listen(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    request.socket.setTimeout(0);
    request.socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
    response.write(`retry: ${RETRY_MS}\n${eventOf('build', this.#shown.number)}`);
  }
}

function shownBuild(number: number, files: WebFiles): ShownBuild {
  return { number, files, serve: serveFolder(files.folder, () => undefined) };
}

function eventOf(type: 'build' | 'end', build: number): string {
  return `event: ${type}\ndata: ${build}\n\n`;
}
