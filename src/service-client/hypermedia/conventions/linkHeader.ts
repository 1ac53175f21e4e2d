import { sentence } from '../../../errors/index.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';

/** One value of a `Link` header. */
interface HeaderLink {
  readonly href: string;
  readonly rels: readonly string[];
  /** Parameters, keyed by lowercase name. If a name is repeated, the first one wins (RFC 8288 §3.3, §3.4.1). */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Matches `name`, `name=words up to the next part` (RFC 8288 appendix B.3), or `name="quoted, with \" escapes"` (RFC
 * 9110 §5.6.4). An unclosed quote extends to the end of the header.
 */
const PARAMETER =
  /[\t ]*;[\t ]*(?:([^\s=;,"<>]+)[\t ]*(?:=[\t ]*(?:"((?:[^"\\]|\\.)*)(?:"|\\?$)|([^\t ;,"][^;,]*))?)?)?/sy;

/** Matches everything up to the next value, including text that is neither a value nor a parameter. */
const REST = /(?:[^,<"]|"(?:[^"\\]|\\.)*(?:"|\\?$))*/sy;

/**
 * Parses a `Link` header. An invalid value doesn't affect the others. Doesn't use http-link-header, because version
 * 1.1.4 throws on the first unexpected character and on `title*=x`, and reads past the comma after a parameter without
 * a value.
 */
function parseLinkHeader(header: string): { readonly links: readonly HeaderLink[]; readonly broken: boolean } {
  const links: HeaderLink[] = [];
  const lastEnd = header.lastIndexOf('>');
  let broken = false;
  let at = 0;
  while (at < header.length) {
    const character = header[at];
    if (character === ',' || character === ' ' || character === '\t') {
      at += 1;
      continue;
    }
    const end = character === '<' && at < lastEnd ? header.indexOf('>', at) : -1;
    if (end < 0) {
      broken = true;
      at = matchEnd(REST, header, character === '<' ? at + 1 : at) ?? at;
      // The skipped text ends before a comma, a new value, or a stray quote.
      at += header[at] === '<' ? 0 : 1;
      continue;
    }
    const parameters = new Map<string, string>();
    const href = header.slice(at + 1, end);
    at = end + 1;
    PARAMETER.lastIndex = at;
    for (let match = PARAMETER.exec(header); match !== null; match = PARAMETER.exec(header)) {
      const [, name, quoted, words] = match;
      at = PARAMETER.lastIndex;
      if (name !== undefined && !parameters.has(name.toLowerCase())) {
        parameters.set(
          name.toLowerCase(),
          quoted === undefined ? (words ?? '').trim() : quoted.replace(/\\(.)/gs, '$1'),
        );
      }
    }
    const words = (parameters.get('rel') ?? '').split(/\s+/).filter((word) => word !== '');
    // In `</a>; rel=next </b>`, a comma is missing.
    const rels = words.filter((word) => !/[<>]/.test(word));
    links.push({ href, rels, parameters });
    const next = matchEnd(REST, header, at) ?? at;
    broken ||= rels.length < words.length || header.slice(at, next).trim() !== '';
    at = next;
  }
  return { links, broken };
}

/** Returns the addresses in a `Link` header, as {@link readLinkHeader} reads them. */
export function addressesInLinkHeader(header = ''): readonly string[] {
  return parseLinkHeader(header).links.map(({ href }) => href);
}

/**
 * Adds the links of a `Link` header (RFC 8288) to the document's resource. Addresses are relative to the response's
 * URL.
 */
export function readLinkHeader(builder: ResourceBuilder, header: string): void {
  const { links, broken } = parseLinkHeader(header);
  if (broken) {
    builder.skip('', sentence('Part of the Link header couldn’t be read.'));
  }
  for (const { href, rels, parameters } of links) {
    if (rels.length === 0) {
      builder.skip('', sentence('The link in the header has no relation.'));
    } else if (!isAboutThis(builder, parameters.get('anchor'))) {
      builder.skip('', sentence('The link in the header describes another resource (anchor).'));
    } else {
      const title = extendedValue(parameters.get('title*')) ?? parameters.get('title');
      for (const rel of new Set(rels)) {
        builder.addLink(rel, href, '', { title, type: parameters.get('type') });
      }
    }
  }
}

/** Reports whether a link is about this resource. An anchor can change its context (RFC 8288 §3.2). */
function isAboutThis(builder: ResourceBuilder, anchor: string | undefined): boolean {
  if (anchor === undefined) {
    return true;
  }
  const target = builder.target(anchor, '');
  return target?.kind === 'internal' && target.url === builder.base;
}

/**
 * Decodes an extended value such as `UTF-8'en'na%C3%AFve` (RFC 8187 §3.2). Returns undefined if it's malformed. In that
 * case, `title` is used instead (RFC 8288 §3.4.1).
 */
function extendedValue(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/is.exec(value ?? '')?.[1];
  if (encoded === undefined) {
    return undefined;
  }
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function matchEnd(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
