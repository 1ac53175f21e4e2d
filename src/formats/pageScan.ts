/** What an app's pages do that its package has to allow, or doesn't have. */
import { MAX_CONTEXT } from './limits.ts';
import { type PagePermission, permissionsIn } from './pagePermissions.ts';
import { isLibrary, scriptsIn } from './pageScripts.ts';
import { type DeclaredPlugin, PluginSearch, type PluginUse } from './pluginSearch.ts';
import { TextLines, type TextPosition } from './textLines.ts';

/** Where an app loads something that isn't encrypted. */
export interface HttpUse extends TextPosition {
  readonly path: string;
}

/** Reads the scripts and pages of an app one after the other, and notes the first place of everything. */
export class PageScan {
  /** The path of the first file that asks for each, whether it's the app's own or a library. */
  readonly permissions = new Map<PagePermission, string>();
  /** What the app's own files load, by origin. */
  readonly http = new Map<string, HttpUse>();
  readonly #plugins: PluginSearch;

  /** @param plugins that the app names */
  constructor(plugins: readonly DeclaredPlugin[]) {
    this.#plugins = new PluginSearch(plugins);
  }

  /** Where the app's own scripts call plugins, by today's names of the plugins. */
  get pluginUses(): ReadonlyMap<string, PluginUse> {
    return this.#plugins.uses;
  }

  /**
   * @param path as the results have it
   * @param pathInPages decides whether it's a library
   */
  read(path: string, text: string, pathInPages = path): void {
    const isOwn = !isLibrary(pathInPages);
    // Taking out the comments takes longest, and few libraries ask for anything.
    if (!isOwn && permissionsIn(text).size === 0) {
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
  /** Without path and query, in which there may be secrets. */
  readonly origin: string;
  /** Where it is in the text. */
  readonly index: number;
}

/**
 * The `http:` addresses that a page or script loads from, which an app can't unless its package allows what isn't encrypted: the first
 * place of each origin. Links are none of them.
 *
 * @param script the scripts of the text, without comments and where they are in it
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
    if (LOADER.test(before) || OPTION.test(before) || given.has(name) || isNameOfServer(name)) {
      found.push({ origin: originOf(address), index: index + 1 });
    }
  }
  return found;
}

/** What the elements of a page load. */
function inPage(html: string): readonly HttpAddress[] {
  const found: HttpAddress[] = [];
  let offset = 0;
  for (const part of html.split('<!--')) {
    const comment = offset === 0 ? 0 : part.indexOf('-->');
    const shown = comment < 0 ? '' : part.slice(comment);
    for (const { index, 0: match, 1: address = '' } of shown.matchAll(SOURCE)) {
      found.push({ origin: originOf(address), index: offset + comment + index + match.length - address.length });
    }
    offset += part.length + '<!--'.length;
  }
  return found;
}

const ADDRESS = /["'`]((?:http|ws):\/\/[^\s"'`<>\\]{1,300})/g;
/** The `src` of any element, or the `href` of a style sheet. */
const SOURCE =
  /(?:\ssrc|<link\b(?=[^<>]{0,300}\srel\s{0,9}=\s{0,9}["']?stylesheet)[^<>]{0,300}\shref)\s{0,9}=\s{0,9}["']?(http:\/\/[^\s"'<>]{1,300})/gi;

/** What stands before an address, or a name, that is loaded. */
const LOADER =
  /(?:\b(?:fetch|ajax|axios|getJSON|EventSource|WebSocket)|\.(?:get|post|put|patch|delete|request|load))\s{0,9}\(\s{0,9}$|\bopen\s{0,9}\(\s{0,9}["'`]\w{3,7}["'`]\s{0,9},\s{0,9}$/;
const OPTION = /\b(?:ajax|axios|request|http)\s{0,9}\(\s{0,9}\{[^{}]{0,150}\burl\s{0,9}:\s{0,9}$/i;
const GIVEN_NAME =
  /(?:\b(?:fetch|ajax|axios|getJSON|EventSource|WebSocket)|(?:\$|jQuery|https?|axios)\.(?:get|post|put|patch|delete|request|getJSON))\s{0,9}\(\s{0,9}(?:`\$\{\s{0,9})?(?:this\.)?([\w$]{1,60})|\bopen\s{0,9}\(\s{0,9}["'`]\w{3,7}["'`]\s{0,9},\s{0,9}(?:`\$\{\s{0,9})?(?:this\.)?([\w$]{1,60})/g;

/** A name that is given the address. */
const NAME = /([\w$]{1,60})["']?\s{0,9}[:=]\s{0,9}$/;
const SERVER_WORD = /^src$|api|base|server|endpoint|backend|host|service|socket|remote|domain/i;
const LINK_WORD = /href|link|site|docs?$|home|icon|xmlns|namespace|licen[sc]e/i;

function isNameOfServer(name: string): boolean {
  return SERVER_WORD.test(name) && !LINK_WORD.test(name);
}

function namesGivenToLoaders(script: string): ReadonlySet<string> {
  return new Set(Array.from(script.matchAll(GIVEN_NAME), ([, first, second]) => first ?? second ?? ''));
}

/** This machine, hosts that formats are named by, and those of examples. */
const UNLOADED =
  /^(?:localhost|127\.[\d.]{1,20}|0\.0\.0\.0|\[::1\]|(?:[\w-]{1,60}\.){0,4}(?:(?:w3|schema|xmlsoap|openxmlformats|purl|mozilla|apache|creativecommons)\.org|ogp\.me|adobe\.com|example\.(?:com|org|net)))$/;

/** Empty for an address that isn't one, or isn't loaded. */
function originOf(address: string): string {
  if (!URL.canParse(address)) {
    return '';
  }
  const { hostname, origin } = new URL(address);
  return UNLOADED.test(hostname) ? '' : origin;
}
