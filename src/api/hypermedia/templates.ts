import { toUSVString } from 'node:util';

import { parseTemplate } from 'url-template';

import type { LinkTarget } from './resource.ts';
import { hasUserInfo, isHttp, resolveReference, withoutCredentials, type Resolve } from './url.ts';

/** Values of a template's variables; an array expands to a list (RFC 6570 §2.3). */
export type TemplateValues = Readonly<Record<string, string | readonly string[] | undefined>>;

type Template = Extract<LinkTarget, { kind: 'template' }>;

/** `{expression}` of RFC 6570 §2.2, level 4; operators reserved for later versions are refused. */
const EXPRESSION =
  /\{[+#./;?&]?((?:[\w.]|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?(?:,(?:[\w.]|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?)*)\}/gi;

/** True when the text has at least one expression and no brace outside one. */
export function isTemplate(text: string): boolean {
  const literals = text.replace(EXPRESSION, '');
  return literals.length < text.length && !/[{}]/.test(literals);
}

/** Names of the variables, each once, in order. */
export function templateVariables(template: string): readonly string[] {
  const names = new Set<string>();
  for (const [, list = ''] of template.matchAll(EXPRESSION)) {
    for (const variable of list.split(',')) {
      names.add(variable.replace(/:\d+$|\*$/, ''));
    }
  }
  return [...names];
}

/** The template without the values of credentials that somebody wrote into its query. */
export function withoutCredentialValues(template: string): string {
  return template.replace(/([?&](?:access|auth)_token=)[^&#{]*/gi, '$1');
}

/**
 * Expands a template and resolves the result against its base.
 *
 * @param target a link's template target
 * @param values by variable name; missing ones are left out (RFC 6570 §3.2.1)
 * @param resolve how a reference becomes a URL; `new URL` when absent
 * @returns an absolute http(s) URL. A variable can hold a whole host: compare the origin before sending credentials
 * @throws {RangeError} when the result is not an http(s) URL
 */
export function expandTemplate(target: Template, values: TemplateValues, resolve: Resolve = resolveReference): string {
  // no prototype: a variable may be called `constructor`
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
    // a prefix such as {name:3} can cut a character in half, which cannot be encoded
    url = undefined;
  }
  if (url === undefined || !isHttp(url) || hasUserInfo(url)) {
    throw new RangeError('These values do not give a web address. Change them and try again.');
  }
  return withoutCredentials(url);
}
