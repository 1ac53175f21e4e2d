import { sentence } from '../api/errors/sentence.ts';
import { type ConfigProblem, shown } from './configProblem.ts';
import type { Span } from './markup.ts';

/** What a script of the project, or a generator, fills in: `{{X}}`, `{X}`, `__X__`. */
const PLACEHOLDER = /\{[^{}]{1,200}\}|__[A-Za-z\d]{1,200}(?:_[A-Za-z\d]{1,200}){0,9}__/;
/** The same as a whole value: `$X`, `$(X)`, `%X%`, `*X*`, `@X@`, `[[X]]`. */
const WHOLE_PLACEHOLDER = /^(?:\$[A-Z][A-Z\d_]*|\$\([\w.-]+\)|%[\w.-]+%|\*[\w.-]+\*|@[\w.-]+@|\[\[[\w.-]+\]\])$/;
/** `<%X%>`, which no XML parser reads. */
const TEMPLATE_TAG = /<%([^%]{0,200})%>/g;

/** True for a value that is not known yet. */
export function hasPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || WHOLE_PLACEHOLDER.test(value.trim());
}

/** A text with `{{X}}` for each `<%X%>`, without what has a meaning in XML: every character stays where it is. */
export function withoutTemplateTags(text: string): string {
  return text.replace(TEMPLATE_TAG, (_tag, content: string) => `{{${content.replace(/[<>&"'{}]/g, '_')}}}`);
}

/** Where a text has a `<%X%>`. */
export function templateTags(text: string): readonly Span[] {
  return [...text.matchAll(TEMPLATE_TAG)].map(({ 0: tag, index }) => ({ start: index, end: index + tag.length }));
}

/** Says that a placeholder has still to be filled in: it is right as it is, and no build takes it. */
export function toBeFilledIn(text: string, span: Span): ConfigProblem {
  return {
    code: 'placeholder',
    severity: 'information',
    span,
    message: sentence('{0} is a placeholder, which no build takes.', shown(text.slice(span.start, span.end))),
    next: sentence('Build with the file in which a script has filled it in.'),
  };
}
