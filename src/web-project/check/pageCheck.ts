import jsTokens from 'js-tokens';
import { sentence } from '../../errors/index.ts';
import { findBuildStep, newerSource } from '../buildStep.ts';
import type { ProjectLayout } from '../projectLayout.ts';
import type { ProjectFolder } from '../projectFolder.ts';
import type { PackagePlan } from '../packing/packageContents.ts';
import { isBelow, join, addressInPage, toPagePath } from '../paths.ts';
import { type HtmlPage, readPage, type SourceMark } from '../htmlPage.ts';
import { reasonAgainst } from './configFile.ts';
import { fails, findWords, fine, mayFail, type ProjectFinding } from './projectFinding.ts';
import { pageFindings } from './pageFindings.ts';
import { DEFAULT_START_PAGE, isWebAddress } from '../../config-xml/index.ts';

/**
 * Checks the app's start page for problems that would leave it blank in a package.
 *
 * @param named the start page in config.xml, relative to the pages folder
 * @throws CancelledError
 */
export async function checkStartPage(
  folder: ProjectFolder,
  plan: Pick<PackagePlan, 'files' | 'layout' | 'leftOut' | 'config'>,
  named: string | undefined,
): Promise<readonly ProjectFinding[]> {
  if (named !== undefined && isWebAddress(named)) {
    return [];
  }
  const { files, layout } = plan;
  const sent = new Set(files.map(({ path }) => path));
  const path = startPageAmong(named, layout.pages, sent);
  if (path === undefined) {
    return [];
  }
  const html = await folder.readText(path);
  if (html === undefined) {
    return [];
  }
  const pagePath = isBelow(path, layout.pages) && layout.pages !== '' ? path.slice(layout.pages.length + 1) : path;
  const page = readPage(html);
  const found = pageFindings({
    page,
    html,
    path,
    source: await bareImportMark(folder, page, html, (src) => {
      const file = toPagePath(addressInPage(src, page.base?.href, pagePath));
      return file === undefined ? undefined : join(layout.pages, file);
    }),
    has: (below) => sent.has(join(layout.pages, below)),
    reasonAgainst: (below) => reasonAgainst(join(layout.pages, below), plan),
    pagePath,
  });
  return [...found, ...(await hostFindings(folder, plan, { page, html, path }))];
}

/** Matches a comparison with the host of a development server, which is also the default host of an app. */
const HOST_COMPARISON = /\blocation\.host(?:name)?\s{0,9}[!=]==?\s{0,9}(["'`])localhost\1/;

/**
 * Returns a finding if a Blazor page loads other files on a development server, as in Microsoft's example for compressed
 * files, and the app has that server's host. Such a condition is common in other pages, where it seldom matters.
 *
 * @throws CancelledError
 */
async function hostFindings(
  folder: ProjectFolder,
  { layout, config }: Pick<PackagePlan, 'layout' | 'config'>,
  { page, html, path }: { readonly page: HtmlPage; readonly html: string; readonly path: string },
): Promise<readonly ProjectFinding[]> {
  const isBlazor = page.scripts.some(({ src }) => src?.includes('_framework/blazor.') === true);
  const [compared] = (isBlazor ? HOST_COMPARISON.exec(html) : null) ?? [];
  const text = config?.text ?? (layout.config === undefined ? undefined : await folder.readText(layout.config));
  if (compared === undefined || /\bname\s{0,9}=\s{0,9}["']hostname["']/i.test(text ?? '')) {
    return [];
  }
  const written = '<preference name="Hostname" value="app.localhost" />';
  return [
    mayFail(
      'hostname',
      sentence('{0} checks for {1}, which is also the host of the app’s pages on a phone.', path, 'localhost'),
      {
        next:
          layout.config === undefined
            ? sentence('Choose Save as config.xml, and add {0} to that file.', written)
            : sentence('Add {0} to config.xml.', written),
        location: findWords(path, html, compared),
      },
    ),
  ];
}

/**
 * Returns a finding if the pages are older than their sources.
 *
 * @throws CancelledError
 */
export async function ageFindings(
  folder: ProjectFolder,
  { layout }: Pick<PackagePlan, 'layout'>,
): Promise<readonly ProjectFinding[]> {
  const step = await findBuildStep(folder, layout.kind);
  const newer = step === undefined ? undefined : await newerSource(folder, layout);
  if (step === undefined || newer === undefined) {
    return [];
  }
  const message = sentence('The pages in {0} are older than {1}.', layout.pages, newer);
  return [
    mayFail('pagesOlder', message, { next: sentence('Run “{0}” first.', step.command), location: { path: newer } }),
  ];
}

/**
 * Returns the finding about the app's start page. Chooses the page just as services do.
 *
 * @param named the start page in config.xml
 * @param sent the paths of the files to be sent
 */
export function pageFinding(
  named: { readonly config: string; readonly path: string } | undefined,
  { pages }: Pick<ProjectLayout, 'pages'>,
  sent: ReadonlySet<string>,
): ProjectFinding {
  if (named !== undefined && isWebAddress(named.path)) {
    return websiteFinding(named.path, named.config);
  }
  const page = startPageAmong(named?.path, pages, sent);
  const index = join(pages, DEFAULT_START_PAGE);
  if (page === undefined) {
    return fails('startPage', sentence('The app has no index.html.'), {
      next: sentence('Add one to the pages folder, often www or dist.'),
      location: named && { path: named.config },
    });
  }
  const location = { path: page };
  return page === index || sent.has(index)
    ? fine('startPage', sentence('The app starts with {0}.', page), { location, short: sentence('start page') })
    : mayFail('startPage', sentence('The app starts with {0}. Some services look for index.html.', page), {
        next: sentence('Rename the page to index.html.'),
        location,
      });
}

/**
 * Returns the finding for an app that shows a website instead of its pages.
 *
 * @param file the file that contains the address
 */
function websiteFinding(address: string, file: string): ProjectFinding {
  const location = { path: file };
  return isPrivate(new URL(address))
    ? mayFail(
        'startPage',
        sentence(
          'The app loads {0}, the address of a development server. A phone that can’t reach it shows no page.',
          address,
        ),
        {
          about: address,
          short: sentence('development server'),
          next: sentence('Remove the address from {0} so that the app begins with its own pages.', file),
          location,
        },
      )
    : fine(
        'startPage',
        sentence(
          'The app shows the website {0}, which {1} names. The pages in the package aren’t shown.',
          address,
          file,
        ),
        { about: address, short: sentence('start page'), location },
      );
}

/** Reports whether an address is on this computer or in a private network (RFC 1918, RFC 6762). */
function isPrivate(address: URL): boolean {
  return (
    isLoopback(address) ||
    /\.local$|^(?:(?:0|10)\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2}$/.test(address.hostname)
  );
}

/**
 * Returns the path of the app's start page: the specified page, or index.html if that page isn't sent. Returns
 * undefined if neither is sent.
 */
function startPageAmong(named: string | undefined, pages: string, sent: ReadonlySet<string>): string | undefined {
  return [named ?? DEFAULT_START_PAGE, DEFAULT_START_PAGE]
    .map((name) => join(pages, name))
    .find((path) => sent.has(path));
}

/** Matches modules that may import a package by name. Only these modules are tokenized. */
const MAY_IMPORT = /\b(?:import|from)\s{0,100}["'](?![./])/;

/**
 * Finds the first module of a page that imports a package by name, such as `import 'lit'`. Browsers can't resolve such
 * names without an import map.
 *
 * @param html the source of the page
 * @param toPath returns the path of a script relative to the project
 * @throws CancelledError
 */
async function bareImportMark(
  folder: ProjectFolder,
  { scripts, hasImportMap }: HtmlPage,
  html: string,
  toPath: (src: string) => string | undefined,
): Promise<SourceMark | undefined> {
  const modules = hasImportMap ? [] : scripts.filter(({ isModule }) => isModule);
  for (const { src, span } of modules) {
    const path = src === undefined ? undefined : toPath(src);
    const [inline = ''] = src === undefined ? html.slice(span.end).split(/<\/script/i, 1) : [];
    const what = bareImportIn(path === undefined ? inline : ((await folder.readText(path)) ?? ''));
    if (what !== undefined) {
      return { kind: 'import', what, span };
    }
  }
  return undefined;
}

/**
 * Returns the package name in the first `import 'lit'`, `import … from 'lit'`, or `export … from 'lit'` of a module.
 */
function bareImportIn(text: string): string | undefined {
  let before = '';
  for (const { type, value } of MAY_IMPORT.test(text) ? jsTokens(text) : []) {
    if (type === 'StringLiteral' && (before === 'import' || before === 'from')) {
      const name = value.slice(1, -1);
      if (!/^\.{0,2}\//.test(name) && !URL.canParse(name)) {
        return name;
      }
    }
    before = /^(?:WhiteSpace|LineTerminatorSequence|SingleLineComment|MultiLineComment)$/.test(type) ? before : value;
  }
  return undefined;
}

/** Reports whether an address refers to the device itself (RFC 6761 §6.3). */
function isLoopback({ hostname }: URL): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname);
}
