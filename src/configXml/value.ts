import { MAX_SHOWN_LENGTH } from './limits.ts';
import type { Span } from './markup.ts';

/** What a script of the project, or a generator, fills in: `{{X}}`, `{X}`, `__X__`, `<%X%>`. */
const PLACEHOLDER = /\{[^{}]+\}|__(?:[A-Za-z\d]+_)+_|<%[^%]*%>/;
/** The same as a whole value: `$X`, `$(X)`, `%X%`, `*X*`, `@X@`, `[[X]]`. */
const WHOLE_PLACEHOLDER = /^(?:\$[A-Z][A-Z\d_]*|\$\([\w.-]+\)|%[\w.-]+%|\*[\w.-]+\*|@[\w.-]+@|\[\[[\w.-]+\]\])$/;
/** Which no XML parser reads. */
const TEMPLATE_TAG = /<%[^%]*%>/;

/** True for a value that is not known yet. */
export function hasPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || WHOLE_PLACEHOLDER.test(value.trim());
}

/** Where a text first has a `<%X%>`. */
export function templateTag(text: string): Span | undefined {
  const found = TEMPLATE_TAG.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** A value as a message shows it: it may be a page that was pasted by accident. */
export function shown(value: string): string {
  const text = value.replace(/\s+/g, ' ');
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
