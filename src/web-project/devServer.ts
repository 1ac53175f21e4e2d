import { get, type IncomingMessage } from 'node:http';
import { DEV_SERVER_TIMEOUT_MS } from './limits.ts';
import type { ProjectFolder } from './projectFolder.ts';
import type { ProjectKind } from './projectLayout.ts';
import { readPackageJson } from './projectJson.ts';
import { readPage } from './htmlPage.ts';

/** Default ports of development servers. */
const PORTS: Readonly<Partial<Record<ProjectKind, number>>> = {
  angular: 4200,
  astro: 4321,
  docusaurus: 3000,
  eleventy: 8080,
  ember: 4200,
  gatsby: 8000,
  next: 3000,
  nuxt: 3000,
  parcel: 1234,
  quasar: 9000,
  'react-router': 5173,
  'react-scripts': 3000,
  rsbuild: 3000,
  stencil: 3333,
  svelte: 5173,
  vite: 5173,
  'vue-cli': 8080,
  webpack: 8080,
};
/** Build tools that can create the pages of a Capacitor or Cordova project, by npm package. */
const WEB_TOOLS: readonly (readonly [name: string, kind: ProjectKind])[] = [
  ['@angular/cli', 'angular'],
  ['react-scripts', 'react-scripts'],
  ['@vue/cli-service', 'vue-cli'],
  ['vite', 'vite'],
];
/** Possible paths of a development server's first page in the project. */
const SOURCE_PAGES = ['index.html', 'src/index.html', 'public/index.html'] as const;
/** Maximum number of redirects to a server's first page, such as to a base path or a language. */
const MAX_REDIRECTS = 2;
/** Number of characters of a page that are searched for its title. */
const MAX_PAGE_LENGTH = 64 * 1024;

/**
 * Returns the address of a development server on this computer from text that a terminal printed.
 *
 * @returns undefined for any other address
 */
export function devServerAddress(text: string): string | undefined {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  const isHere = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname);
  return isHere ? url.origin + url.pathname : undefined;
}

/**
 * Finds the development server of a project: at the address that the user entered, or at the default port of its tool.
 * Skips a server whose page has the title of another project.
 *
 * @param named an address from {@link devServerAddress}
 * @returns the server's address, or undefined if no server responds
 */
export async function findDevServer(
  folder: ProjectFolder,
  kind: ProjectKind,
  named: string | undefined,
  ports = PORTS,
): Promise<string | undefined> {
  if (named !== undefined) {
    return (await fetchPageStart(named)) === undefined ? undefined : named;
  }
  const port = ports[kind === 'capacitor' || kind === 'cordova' ? await detectProjectKind(folder) : kind];
  const address = `http://localhost:${port}/`;
  const answer = port === undefined ? undefined : await fetchPageStart(address);
  if (answer === undefined) {
    return undefined;
  }
  const { title } = readPage(answer);
  const own = await readSourceTitle(folder);
  return title === undefined || own === undefined || title === own ? address : undefined;
}

const SERVER_SCRIPTS = ['dev', 'start', 'serve'] as const;

/** Reports whether a project has a script that starts a development server. */
export async function hasDevServer(folder: ProjectFolder): Promise<boolean> {
  const json = await readPackageJson(folder);
  return SERVER_SCRIPTS.some((name) => json?.scripts.has(name));
}

async function detectProjectKind(folder: ProjectFolder): Promise<ProjectKind> {
  const { dependencies = [] } = (await readPackageJson(folder)) ?? {};
  return WEB_TOOLS.find(([name]) => dependencies.includes(name))?.[1] ?? 'capacitor';
}

/** Returns the title in the source of the first page. Returns undefined if a tool fills in the title. */
async function readSourceTitle(folder: ProjectFolder): Promise<string | undefined> {
  for (const path of SOURCE_PAGES) {
    const text = await folder.readText(path);
    if (text !== undefined) {
      const { title } = readPage(text);
      return title?.includes('%') === true ? undefined : title;
    }
  }
  return undefined;
}

/**
 * Returns the beginning of the page at an address, after redirects within the same server. Returns undefined if the
 * server doesn't respond with a page.
 */
function fetchPageStart(address: string, redirects = MAX_REDIRECTS): Promise<string | undefined> {
  const signal = AbortSignal.timeout(DEV_SERVER_TIMEOUT_MS);
  return new Promise((resolve) => {
    const request = get(address, { headers: { accept: 'text/html' }, agent: false, signal }, (response) => {
      const { statusCode = 500, headers } = response;
      const isPage = statusCode < 300 && headers['content-type']?.startsWith('text/html') === true;
      const target = statusCode < 400 ? URL.parse(headers.location ?? '', address) : null;
      const follows = statusCode >= 300 && redirects > 0 && target?.origin === new URL(address).origin;
      const answer = follows ? fetchPageStart(target.href, redirects - 1) : Promise.resolve(undefined);
      void (isPage ? readBeginning(response) : answer)
        .catch(() => undefined)
        .then((text) => {
          request.destroy();
          resolve(text);
        });
    });
    request.once('error', () => resolve(undefined));
  });
}

async function readBeginning(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) {
    text += piece;
    if (text.length >= MAX_PAGE_LENGTH) {
      break;
    }
  }
  return text;
}
