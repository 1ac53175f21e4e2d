/** Finds features in an app's pages that the package must permit or doesn't support. */
import { MAX_CONTEXT } from '../limits.ts';
import { type PagePermission, permissionsIn } from './pagePermissions.ts';
import { isLibrary, scriptsIn } from './pageScripts.ts';
import { type DeclaredPlugin, PluginSearch, type PluginUse } from '../plugins/pluginSearch.ts';
import { TextLines, type TextPosition } from './textLines.ts';

/** A location where an app loads something over an unencrypted connection. */
export interface HttpUse extends TextPosition {
  readonly path: string;
}

/** Reads an app's scripts and pages one by one, and records the first occurrence of each result. */
export class PageScan {
  /** Path of the first file that asks for each permission. The file may be a library. */
  readonly permissions = new Map<PagePermission, string>();
  /** Unencrypted origins that the app's own files load from, with the first use of each. */
  readonly http = new Map<string, HttpUse>();
  readonly #plugins: PluginSearch;
  /** Matches every file with a result, and few other files. */
  readonly #hint: RegExp;

  /** @param plugins the plugins that the app declares */
  constructor(plugins: readonly DeclaredPlugin[]) {
    this.#plugins = new PluginSearch(plugins);
    this.#hint = new RegExp(`geolocation|etUserMedia|(?:http|ws)://|${this.#plugins.names}`);
  }

  /** The first call of each plugin in the app's own scripts, keyed by the plugin's current name. */
  get pluginUses(): ReadonlyMap<string, PluginUse> {
    return this.#plugins.uses;
  }

  /**
   * Reads one file.
   *
   * @param path the path that the results use
   * @param pathInPages the path that determines whether the file is a library
   */
  read(path: string, text: string, pathInPages = path): void {
    const isOwn = !isLibrary(pathInPages);
    // Removing comments takes most of the time, and few files contain a name to look for.
    if (isOwn ? !this.#hint.test(text) : permissionsIn(text).size === 0) {
      return;
    }
    const script = scriptsIn(path, text);
    for (const permission of permissionsIn(script)) {
      this.permissions.set(permission, this.permissions.get(permission) ?? path);
    }
    if (isOwn) {
      const lines = new TextLines(text);
      for (const { origin, index } of httpAddressesIn(path, text, script)) {
        this.http.set(origin, this.http.get(origin) ?? { path, ...lines.positionAt(index) });
      }
      this.#plugins.read(path, script);
    }
  }
}

interface HttpAddress {
  /** Origin without path and query, which may contain secrets. */
  readonly origin: string;
  /** Offset in the text. */
  readonly index: number;
}

/**
 * Returns the first use of each origin that a page or script loads from over `http:`, which requires a package that
 * allows unencrypted connections. Excludes links.
 *
 * @param script the scripts of the text, without comments and at the same offsets
 */
export function httpAddressesIn(path: string, text: string, script: string): readonly HttpAddress[] {
  const found = [...inScript(script), ...(/\.html?$/i.test(path) ? inPage(text) : [])];
  const first = new Map<string, HttpAddress>();
  for (const address of found.filter(({ origin }) => origin !== '').toSorted((a, b) => a.index - b.index)) {
    if (!first.has(address.origin)) {
      first.set(address.origin, address);
    }
  }
  return [...first.values()];
}

function inScript(script: string): readonly HttpAddress[] {
  const found: HttpAddress[] = [];
  let given: ReadonlySet<string> | undefined;
  for (const { index, 1: address = '' } of script.matchAll(ADDRESS)) {
    const before = script.slice(Math.max(0, index - MAX_CONTEXT), index);
    const name = NAME.exec(before)?.[1] ?? '';
    given ??= namesGivenToLoaders(script);
    if (LOADER.test(before) || OPTION.test(before) || given.has(name) || isServerName(name)) {
      found.push({ origin: getOrigin(address), index: index + 1 });
    }
  }
  return found;
}

/** Returns the addresses that the elements of a page load. */
function inPage(html: string): readonly HttpAddress[] {
  const found: HttpAddress[] = [];
  let offset = 0;
  for (const part of html.split('<!--')) {
    const comment = offset === 0 ? 0 : part.indexOf('-->');
    const shown = comment < 0 ? '' : part.slice(comment);
    for (const { index, 0: match, 1: address = '' } of shown.matchAll(SOURCE)) {
      found.push({ origin: getOrigin(address), index: offset + comment + index + match.length - address.length });
    }
    offset += part.length + '<!--'.length;
  }
  return found;
}

const ADDRESS = /["'`]((?:http|ws):\/\/[^\s"'`<>\\]{1,300})/g;
/** Matches the `src` of any element and the `href` of a style sheet. */
const SOURCE =
  /(?:\ssrc|<link\b(?=[^<>]{0,300}\srel\s{0,9}=\s{0,9}["']?stylesheet)[^<>]{0,300}\shref)\s{0,9}=\s{0,9}["']?(http:\/\/[^\s"'<>]{1,300})/gi;

/** Matches code that loads the address or the variable after it. */
const LOADER =
  /(?:\b(?:fetch|ajax|axios|getJSON|EventSource|WebSocket)|\.(?:get|post|put|patch|delete|request|load))\s{0,9}\(\s{0,9}$|\bopen\s{0,9}\(\s{0,9}["'`]\w{3,7}["'`]\s{0,9},\s{0,9}$/;
const OPTION = /\b(?:ajax|axios|request|http)\s{0,9}\(\s{0,9}\{[^{}]{0,150}\burl\s{0,9}:\s{0,9}$/i;
const GIVEN_NAME =
  /(?:\b(?:fetch|ajax|axios|getJSON|EventSource|WebSocket)|(?:\$|jQuery|https?|axios)\.(?:get|post|put|patch|delete|request|getJSON))\s{0,9}\(\s{0,9}(?:`\$\{\s{0,9})?(?:this\.)?([\w$]{1,60})|\bopen\s{0,9}\(\s{0,9}["'`]\w{3,7}["'`]\s{0,9},\s{0,9}(?:`\$\{\s{0,9})?(?:this\.)?([\w$]{1,60})/g;

/** Matches the assignment of the address to a name. */
const NAME = /([\w$]{1,60})["']?\s{0,9}[:=]\s{0,9}$/;
const SERVER_WORD = /^src$|api|base|server|endpoint|backend|host|service|socket|remote|domain/i;
const LINK_WORD = /href|link|site|docs?$|home|icon|xmlns|namespace|licen[sc]e/i;

function isServerName(name: string): boolean {
  return SERVER_WORD.test(name) && !LINK_WORD.test(name);
}

function namesGivenToLoaders(script: string): ReadonlySet<string> {
  return new Set(Array.from(script.matchAll(GIVEN_NAME), ([, first, second]) => first ?? second ?? ''));
}

/** Matches addresses that pages don't load: this computer, XML namespaces and other identifiers, and example hosts. */
const UNLOADED =
  /^(?:localhost|127\.[\d.]{1,20}|0\.0\.0\.0|\[::1\]|(?:[\w-]{1,60}\.){0,4}(?:(?:w3|schema|xmlsoap|openxmlformats|purl|mozilla|apache|creativecommons)\.org|ogp\.me|adobe\.com|example\.(?:com|org|net)))$/;

/** Returns the origin of an address, or an empty string if the address is invalid or one that pages don't load. */
function getOrigin(address: string): string {
  if (!URL.canParse(address)) {
    return '';
  }
  const { hostname, origin } = new URL(address);
  return UNLOADED.test(hostname) ? '' : origin;
}
