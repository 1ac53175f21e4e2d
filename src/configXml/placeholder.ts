import { sentence } from '../api/errors/sentence.ts';
import type { ConfigProblem } from './configProblem.ts';
import type { Span } from './markup.ts';

/** What a script of the project, or a generator, fills in: `{{X}}`, `{X}`, `__X__`. */
const PLACEHOLDER = /\{[^{}]{1,200}\}|__[A-Za-z\d]{1,200}(?:_[A-Za-z\d]{1,200}){0,9}__/;
/** `<%X%>`, which no XML parser reads. */
const TEMPLATE_TAG = /<%([^<>]{0,200}?)%>/g;

const MAX_SHOWN_LENGTH = 60;

/** True for a value that is not known yet. */
export function hasPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

/** A text with `{{X}}` for each `<%X%>`: every character stays where it is. */
export function withoutTemplateTags(text: string): string {
  return text.includes('<%') ? text.replace(TEMPLATE_TAG, '{{$1}}') : text;
}

/** Says that the first `<%X%>` of a text has still to be filled in; undefined when there is none. */
export function templateTag(text: string): ConfigProblem | undefined {
  const index = text.search(TEMPLATE_TAG);
  return index < 0 ? undefined : toBeFilledIn(text, { start: index, end: text.indexOf('%>', index) + '%>'.length });
}

/** Says that a placeholder has still to be filled in: it is right as it is, and no build takes it. */
export function toBeFilledIn(text: string, span: Span): ConfigProblem {
  const written = text.slice(span.start, Math.min(span.end, span.start + MAX_SHOWN_LENGTH));
  return {
    code: 'placeholder',
    severity: 'information',
    span,
    message: sentence('{0} is a placeholder, which no build takes.', written),
    next: sentence('Build with the file in which a script has filled it in.'),
  };
}
