import { toUSVString } from 'node:util';

import { parseTemplate } from 'url-template';

import { removeCredentials } from '../credentials.ts';
import { MAX_ADDRESS_LENGTH } from '../limits.ts';
import type { LinkTarget } from './resource.ts';
import { hasUserInfo, isHttp, resolveReference, type Resolve } from './url.ts';

/** Values of a template's variables; an array expands to a list (RFC 6570 §2.3). */
export type TemplateValues = Readonly<Record<string, string | readonly string[] | undefined>>;

type Template = Extract<LinkTarget, { kind: 'template' }>;

/** Name of a variable. RFC 6570 §2.3 has no brackets in it; API Platform writes `{?order[title]}`. */
const NAME = String.raw`(?:[\w.[\]]|%[0-9a-f]{2})+`;
const VARIABLE = String.raw`${NAME}(?::[1-9]\d{0,3}|\*)?`;

/** `{expression}` of RFC 6570 §2.2, level 4; operators reserved for later versions are refused. */
const EXPRESSION = new RegExp(String.raw`\{[+#./;?&]?(${VARIABLE}(?:,${VARIABLE})*)\}`, 'gi');

/** True when the text has at least one expression and no brace outside one. A text of more than 8 KiB is no template. */
export function isTemplate(text: string): boolean {
  if (text.length > MAX_ADDRESS_LENGTH) {
    return false;
  }
  const literals = literalsOf(text);
  return literals.length < text.length && !/[{}]/.test(literals);
}

/** The text without its expressions. */
export function literalsOf(template: string): string {
  return template.replace(EXPRESSION, '');
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
    url = undefined;
  }
  if (url === undefined || !isHttp(url) || hasUserInfo(url)) {
    throw new RangeError('These values do not give a web address. Change them and try again.');
  }
  return removeCredentials(url).href;
}
