import { toUSVString } from 'node:util';

import { parseTemplate } from 'url-template';

import { removeCredentials } from '../credentials.ts';
import { MAX_ADDRESS_LENGTH } from '../limits.ts';
import type { LinkTarget } from './resource.ts';
import { hasUserInfo, isHttp, resolveReference, type ResolveUrl } from './url.ts';

/** Values of a template's variables. An array expands to a list (RFC 6570 §2.3). */
export type TemplateValues = Readonly<Record<string, string | readonly string[] | undefined>>;

type TemplateLink = Extract<LinkTarget, { kind: 'template' }>;

/** Name of a variable. RFC 6570 §2.3 doesn't allow brackets, but API Platform uses `{?order[title]}`. */
const NAME = String.raw`(?:[\w.[\]]|%[0-9a-f]{2})+`;
const VARIABLE = String.raw`${NAME}(?::[1-9]\d{0,3}|\*)?`;

/** Matches an `{expression}` (RFC 6570 §2.2, level 4), without the operators that are reserved for later versions. */
const EXPRESSION = new RegExp(String.raw`\{[+#./;?&]?(${VARIABLE}(?:,${VARIABLE})*)\}`, 'gi');

/** Reports whether a string is a URI template: it contains an expression and no other braces, and has at most 8 KiB. */
export function isTemplate(text: string): boolean {
  if (text.length > MAX_ADDRESS_LENGTH) {
    return false;
  }
  const literals = getLiterals(text);
  return literals.length < text.length && !/[{}]/.test(literals);
}

/** Returns the text of a template without its expressions. */
export function getLiterals(template: string): string {
  return template.replace(EXPRESSION, '');
}

/** Returns the names of a template's variables, in order, without repetition. */
export function templateVariables(template: string): readonly string[] {
  const names = new Set<string>();
  for (const [, list = ''] of template.matchAll(EXPRESSION)) {
    for (const variable of list.split(',')) {
      names.add(variable.replace(/:\d+$|\*$/, ''));
    }
  }
  return [...names];
}

/**
 * Expands a template and resolves the result against its base.
 *
 * @param target template target of a link.
 * @param values values by variable name. Missing variables are omitted (RFC 6570 §3.2.1).
 * @param resolve resolves the result against the base. Defaults to `new URL`.
 * @returns an absolute http(s) URL. A variable can contain a host, so check the origin before sending credentials.
 * @throws {RangeError} when the result isn't an http(s) URL.
 */
export function expandTemplate(
  target: TemplateLink,
  values: TemplateValues,
  resolve: ResolveUrl = resolveReference,
): string {
  // Without a prototype, because a variable can have the name `constructor`.
  const context = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) {
      context[name] = typeof value === 'string' ? toUSVString(value) : value.map(toUSVString);
    }
  }
  let url: URL | undefined;
  try {
    url = resolve(parseTemplate(toUSVString(target.template)).expand(context), target.base);
  } catch {
    url = undefined;
  }
  if (url === undefined || !isHttp(url) || hasUserInfo(url)) {
    throw new RangeError('These values do not give a web address. Change them and try again.');
  }
  return removeCredentials(url).href;
}
