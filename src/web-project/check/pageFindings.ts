import { posix } from 'node:path';
import { sentence, type Sentence } from '../../errors/index.ts';
import { type Span, toDisplayText } from '../../config-xml/index.ts';
import { MAX_LISTED, MAX_PATH_BYTES } from '../limits.ts';
import { addressInPage, isServiceScript, toPagePath } from '../paths.ts';
import { loadsSources, type HtmlPage, type PageScript, type SourceMark, sourceMessage } from '../htmlPage.ts';
import { findScriptTool } from '../tools/toolNames.ts';
import type { LeftOutReason } from '../packing/packageContents.ts';
import {
  fails,
  limitFindings,
  mayFail,
  createLocator,
  type ProjectFinding,
  type ProjectLocation,
} from './projectFinding.ts';

interface CheckedPage {
  readonly page: HtmlPage;
  /** HTML of {@link page}. */
  readonly html: string;
  /** Path of the page, relative to the project. */
  readonly path: string;
  /**
   * Reports whether a file is in the package.
   *
   * @param path the path relative to the pages folder
   */
  readonly has: (path: string) => boolean;
  /**
   * Returns the reason why a file is left out, or undefined if nothing excludes it.
   *
   * @param path the path relative to the pages folder
   */
  readonly reasonAgainst: (path: string) => LeftOutReason | undefined;
  /** A sign, found outside the page's tags, that the page is the source of a build. */
  readonly source?: SourceMark | undefined;
  /** Path of the page relative to the pages folder. It determines the page's address. */
  readonly pagePath?: string;
}

/** A built page, to check for problems other than a missing build. */
interface BuiltPage extends CheckedPage {
  readonly getLocation: (span: Span) => ProjectLocation;
  /** Resolves an address in a tag. */
  readonly resolve: (address: string) => URL | undefined;
}

/** Returns the problems that keep a page from working in an app, where it has the package's files but no server. */
export function pageFindings(checked: CheckedPage): readonly ProjectFinding[] {
  const { page, html, path, has, pagePath } = checked;
  const getLocation = createLocator(path, html);
  const source = loadsSources(page, has, pagePath) ?? checked.source;
  if (source !== undefined) {
    // If the page is a source, building it may solve its other problems.
    const next = sentence(
      'Build the project first, for example with {0}, and use the folder that it writes, often {1}.',
      'npm run build',
      'dist',
    );
    return [fails('sourcePage', sourceMessage(path, source), { next, location: getLocation(source.span) })];
  }
  const base = baseFinding(checked, getLocation);
  // A wrong base is reported once, not for every file that it affects.
  const href = base === undefined ? page.base?.href : undefined;
  const built = { ...checked, getLocation, resolve: (address: string) => addressInPage(address, href, pagePath) };
  return [
    ...(base === undefined ? [] : [base]),
    ...limitFindings(missingScripts(built), (count) =>
      sentence('More scripts that {0} loads aren’t in the app: {1}', path, count),
    ),
    ...limitFindings(remoteCode(built), (count) =>
      sentence('More files that {0} loads come from other servers: {1}', path, count),
    ),
    ...policyFindings(built),
  ];
}

function baseFinding(
  { page, path, has, pagePath = 'index.html' }: CheckedPage,
  getLocation: BuiltPage['getLocation'],
): ProjectFinding | undefined {
  const { base, scripts } = page;
  if (base === undefined) {
    return undefined;
  }
  const pathFromBase = (href: string): string | undefined => toPagePath(addressInPage(href, base.href, pagePath));
  const ownFolder = pagePath.slice(0, pagePath.lastIndexOf('/') + 1);
  const isPagesFolder = ['', ownFolder].includes(pathFromBase('.') ?? '?');
  const hasFilesThere = scripts.some(({ src }) => src?.startsWith('/') === false && has(pathFromBase(src) ?? ''));
  const message = sentence('The base URL {0} in {1} points outside the app’s files.', toDisplayText(base.href), path);
  return isPagesFolder || hasFilesThere
    ? undefined
    : fails('baseHref', message, { next: rebuild(), location: getLocation(base.span) });
}

/** Returns the advice for a page that was built for a folder of a web server. */
function rebuild(): Sentence {
  return sentence(
    'Build the app with the base {0}: {1} in Angular, {2} in Vite’s configuration.',
    '/',
    '--base-href /',
    "base: '/'",
  );
}

function missingScripts({
  page,
  path,
  has,
  reasonAgainst,
  getLocation,
  resolve,
}: BuiltPage): readonly ProjectFinding[] {
  const files = page.scripts.flatMap((script) => {
    const file = script.src === undefined ? undefined : toPagePath(resolve(script.src));
    return file === undefined || isServiceScript(file) ? [] : [{ ...script, src: script.src ?? '', file }];
  });
  // Ignore inline scripts and scripts of other servers, because the app's code is in the page's own files.
  const hasOthers = files.some(({ file }) => has(file));
  return files
    .filter(({ file }) => !has(file))
    .map(({ src, isModule, span, file }) => {
      const there = withoutPrefix(file, has);
      const elsewhere = sentence(
        '{0} loads {1}, but the app has this file as {2}. The page was built for another address.',
        path,
        toDisplayText(src),
        toDisplayText(there ?? ''),
      );
      return {
        code: 'missingScript',
        verdict: isModule || !hasOthers ? 'fails' : 'mayFail',
        ...(there === undefined
          ? absence(path, src, file, reasonAgainst(file))
          : { message: elsewhere, next: rebuild() }),
        about: posix.basename(file),
        location: getLocation(span),
      };
    });
}

/**
 * Returns the message about a script that isn't in the app.
 *
 * @param file the path of the script, relative to the pages
 */
function absence(
  path: string,
  src: string,
  file: string,
  reason: LeftOutReason | undefined,
): Pick<ProjectFinding, 'message' | 'next'> {
  const message = sentence('{0} loads {1}, which isn’t in the app.', path, toDisplayText(src));
  if (reason === undefined || reason.kind === 'outside') {
    const tool = findScriptTool(file);
    const next =
      tool === undefined
        ? sentence('Add the file, or remove the script from the page.')
        : sentence('Build the {0} app first: “{1}”.', tool.name, tool.command);
    return { message, next };
  }
  if (reason.kind === 'ignored') {
    const { file: ignoreFile, rule } = reason;
    return {
      message: sentence('{0} loads {1}, which {2} leaves out with “{3}”.', path, toDisplayText(src), ignoreFile, rule),
      next: sentence('Remove that line, or remove the script from the page.'),
    };
  }
  return reason.kind === 'notPartOfApp'
    ? {
        message: sentence('{0} loads {1} from a folder that’s never packed.', path, toDisplayText(src)),
        next: sentence('Copy {0} next to the page, and load the copy.', posix.basename(file)),
      }
    : { message, next: sentence('Choose “Show Package Contents” to see why it’s left out.') };
}

/**
 * Returns the path of a file without the prefix of the web server's folder, if the page was built for one and the file
 * exists.
 */
function withoutPrefix(file: string, has: (path: string) => boolean): string | undefined {
  // Packages can't contain longer paths.
  const folders = file.length > MAX_PATH_BYTES ? [] : file.split('/');
  return folders.map((_name, index) => folders.slice(index + 1).join('/')).find((rest) => rest !== '' && has(rest));
}

function remoteCode({ page, path, getLocation, resolve }: BuiltPage): readonly ProjectFinding[] {
  const scripts = page.scripts.map(({ src, span }) => ({ href: src, span }));
  const next = sentence('Add the file to the project, and load it from there.');
  return [...scripts, ...page.stylesheets]
    .sort((one, other) => one.span.start - other.span.start)
    .flatMap(({ href, span }) => {
      const address = href === undefined ? undefined : resolve(href);
      if (address === undefined || !/^https?:$/.test(address.protocol) || toPagePath(address) !== undefined) {
        return [];
      }
      const message = sentence(
        '{0} loads {1} from another server, so it isn’t available offline.',
        path,
        toDisplayText(address.href),
      );
      return mayFail('remoteCode', message, { next, about: address.host, location: getLocation(span) });
    });
}

/**
 * Returns a finding about the first of the page's own scripts that a policy forbids. Checks only the first {@link
 * MAX_LISTED} scripts.
 */
function policyFindings({ page, path, getLocation, resolve }: BuiltPage): readonly ProjectFinding[] {
  const own = page.scripts.flatMap((script) => {
    const address = script.src === undefined ? undefined : resolve(script.src);
    return address === undefined || toPagePath(address) === undefined ? [] : [{ script, address }];
  });
  for (const { content, span } of page.policies) {
    const rule = scriptRule(content);
    const forbidden =
      rule && own.slice(0, MAX_LISTED).find(({ script, address }) => !allows(rule.sources, script, address));
    if (rule !== undefined && forbidden !== undefined) {
      const src = toDisplayText(forbidden.script.src ?? '');
      const message = sentence('The Content-Security-Policy of {0} forbids its own script {1}.', path, src);
      const next = sentence('Add {0} to its {1}.', "'self'", rule.name);
      return [fails('contentPolicy', message, { next, location: getLocation(span) })];
    }
  }
  return [];
}

/** Returns the directive of a policy that applies to scripts (Content Security Policy Level 3, §6.8.3). */
function scriptRule(policy: string): { readonly name: string; readonly sources: readonly string[] } | undefined {
  const directives = new Map<string, readonly string[]>();
  for (const directive of policy.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/);
    // If a directive is repeated, only the first one applies.
    if (!directives.has(name.toLowerCase())) {
      directives.set(name.toLowerCase(), sources);
    }
  }
  const name = ['script-src-elem', 'script-src', 'default-src'].find((each) => directives.has(each));
  return name === undefined ? undefined : { name, sources: directives.get(name) ?? [] };
}

function allows(sources: readonly string[], { nonce, integrity = '' }: PageScript, address: URL): boolean {
  const hashes = new Set(integrity.split(/\s+/).map((hash) => `'${hash}'`));
  const isStrict = sources.some((source) => /^'strict-dynamic'$/i.test(source));
  return sources.some(
    (source) => source === `'nonce-${nonce ?? ''}'` || hashes.has(source) || (!isStrict && matches(source, address)),
  );
}

/** Reports whether a source in a policy matches the app's address. */
function matches(source: string, { pathname }: URL): boolean {
  if (/^(?:'self'|\*|https?:)$/i.test(source)) {
    return true;
  }
  const found = /^(?:https?:\/\/)?(?:localhost|\*)(?::(?:443|\*))?(\/.*)?$/i.exec(source);
  const path = found?.[1] ?? '/';
  return found !== null && (path.endsWith('/') ? pathname.startsWith(path) : pathname === path);
}
