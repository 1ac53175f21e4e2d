import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path, { join } from 'node:path';
import { create as contentDisposition } from 'content-disposition';
import sirv, { type Options as SirvOptions } from 'sirv';
import type { FetchedPackage } from '../fetchPackage.ts';
import { IDLE_TIMEOUT_MS } from '../limits.ts';
import { answerPage, type BrowserPage } from '../../workbench/browserPage.ts';
import type { NetworkSite } from './networkListener.ts';
import { EVENTS_PATH, PACKAGE_PATH, START_PATH } from './phonePages.ts';
import type { WebFiles } from './webFiles.ts';

/** Creates a site with an install page and an Android package. @param file served while it exists */
export function createInstallSite(page: BrowserPage, file: Pick<FetchedPackage, 'path' | 'name'>): NetworkSite {
  const serve = serveFolder(path.dirname(file.path), {
    setHeaders: (response) => {
      // With another media type, browsers change the file's extension.
      response.setHeader('content-type', 'application/vnd.android.package-archive');
      response.setHeader('content-disposition', contentDisposition(file.name));
      response.setHeader('accept-ranges', 'bytes');
    },
  });
  return {
    answer: (request, response, below) => {
      if (below === '') {
        answerPage(response, 200, page);
        return true;
      }
      return below === PACKAGE_PATH && serve(request, response, `/${path.basename(file.path)}`);
    },
  };
}

const RANDOM_BYTES = 18;

/**
 * A webview counts as another site. With these attributes, the browser sends the cookie only in this webview. No other page can use it to
 * show the app.
 */
const EMBEDDED_COOKIE = 'SameSite=None; Secure; Partitioned';

const CORDOVA_SCRIPTS: ReadonlySet<string> = new Set(['/cordova.js', '/phonegap.js']);
/** The file that lists the JavaScript of plugins in Cordova's packages. */
const CORDOVA_PLUGINS = 'cordova_plugins.js';

interface PreviewedBuild {
  readonly number: number;
  readonly files: WebFiles;
  readonly serve: ServedFolder;
}

/** Learns how the app in the frame loads. */
export interface LoadFollower {
  /** Called when the frame loads the app's first page. @param start see {@link WebFiles.start} */
  started(start: string): void;
  /** Called when the app has requested a file that it doesn't have. @param page path of the page or style sheet that loads it */
  missed(path: string, page: string | undefined): void;
}

interface PreviewOptions {
  /** Path of the built-in builder's cordova.js. Without native code, it reports each plugin as missing from the package. */
  readonly cordovaScript: string;
  /** True if a webview, which has another origin, shows the page. */
  readonly isEmbedded?: boolean;
  readonly follower?: LoadFollower;
}

/**
 * A built app in a frame that reloads for each new build. The app owns the whole origin, as in the shell, because many apps load their
 * files from `/`. A cookie that is set with the frame proves that the browser has the link.
 */
export class PreviewSite implements NetworkSite {
  readonly #frame: BrowserPage;
  /** Cookies ignore ports, so each preview has a cookie with a unique name. */
  readonly #cookie = {
    name: `preview-${randomBytes(8).toString('hex')}`,
    value: randomBytes(RANDOM_BYTES).toString('base64url'),
  };
  readonly #listeners = new Set<ServerResponse>();
  readonly #cordova: string;
  readonly #isEmbedded: boolean;
  readonly #follower: LoadFollower | undefined;
  #shown: PreviewedBuild;
  #hasEnded = false;

  constructor(frame: BrowserPage, files: WebFiles, { cordovaScript, isEmbedded = false, follower }: PreviewOptions) {
    this.#frame = frame;
    this.#cordova = readFileSync(cordovaScript, 'utf8');
    this.#isEmbedded = isEmbedded;
    this.#follower = follower;
    this.#shown = shownBuild(1, files);
  }

  /** Shows another build and deletes the files of the previous one. If the preview has ended, deletes the new files instead. */
  async show(files: WebFiles): Promise<void> {
    if (this.#hasEnded) {
      await files.dispose();
      return;
    }
    const before = this.#shown;
    this.#shown = shownBuild(before.number + 1, files);
    for (const listener of this.#listeners) {
      listener.write(formatEvent('build', this.#shown.number));
    }
    await before.files.dispose();
  }

  answer(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    switch (path) {
      case '':
        response.setHeader(
          'set-cookie',
          `${this.#cookie.name}=${this.#cookie.value}; Path=/; HttpOnly; ${this.#isEmbedded ? EMBEDDED_COOKIE : 'SameSite=Strict'}`,
        );
        answerPage(response, 200, this.#frame);
        return true;
      case START_PATH:
        this.#follower?.started(this.#shown.files.start);
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
    // Only the app itself may learn the preview's address.
    response.setHeader('referrer-policy', 'same-origin');
    // Cookies ignore ports, so the browser also sends this one for a page on another port of this address.
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    if (!this.#isEmbedded) {
      response.setHeader('content-security-policy', "frame-ancestors 'self'");
    }
    if (!files.hasStandIn && CORDOVA_SCRIPTS.has(path)) {
      const hasModules = existsSync(join(files.folder, CORDOVA_PLUGINS));
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
      response.end(`${this.#cordova}cordova.start(false, ${hasModules});\n`);
      return true;
    }
    const isNavigation = request.headers.accept?.startsWith('text/html') === true;
    const isServed =
      serve(request, response, path) ||
      (isNavigation && files.fallback !== undefined && serve(request, response, files.fallback));
    if (!isServed && request.method === 'GET') {
      this.#follower?.missed(path, URL.parse(request.headers.referer ?? '')?.pathname);
    }
    return isServed;
  }

  end(): void {
    this.#hasEnded = true;
    for (const listener of this.#listeners) {
      listener.end(formatEvent('end', this.#shown.number));
    }
  }

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
    // Detects phones that have left without closing the connection.
    request.socket.setKeepAlive(true, IDLE_TIMEOUT_MS);
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
    response.write(formatEvent('build', this.#shown.number));
  }
}

function shownBuild(number: number, files: WebFiles): PreviewedBuild {
  return { number, files, serve: serveFolder(files.folder) };
}

function formatEvent(type: 'build' | 'end', build: number): string {
  return `event: ${type}\ndata: ${build}\n\n`;
}

/** Responds with a file in a folder, including type, length, and ETag, or with one range of it. @returns false if the file doesn't exist */
type ServedFolder = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/** A range with a first byte (RFC 9110 §14.1.2). A server may ignore other ranges (§14.2), and sirv misreads them. */
const RANGE = /^bytes=(\d{1,15})-([1-9]\d{0,14})?$/;

/**
 * Serves the current files in a folder by their paths, and `index.html` for a folder. Paths are looked up in a list and never on disk, so
 * files that are added later aren't served.
 */
function serveFolder(folder: string, options: Pick<SirvOptions, 'setHeaders'> = {}): ServedFolder {
  const serve = sirv(folder, { etag: true, dotfiles: true, ...options });
  return (request, response, path) => {
    if (request.method === 'HEAD' || !isReadableRange(request.headers.range)) {
      delete request.headers.range;
    }
    // sirv doesn't close the file if a phone disconnects, so it's closed here.
    response.once('pipe', (file) => {
      file.once('error', () => response.destroy());
      response.once('close', () => file.destroy());
    });
    request.url = path;
    let isFound = true;
    serve(request, response, () => {
      isFound = false;
    });
    return isFound;
  };
}

function isReadableRange(range: string | undefined): boolean {
  const [, first, last] = RANGE.exec(range ?? '') ?? [];
  return first !== undefined && (last === undefined || Number(first) <= Number(last));
}
