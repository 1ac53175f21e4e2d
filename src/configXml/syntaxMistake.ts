import { sentence, type Sentence } from '../api/errors/sentence.ts';
import {
  changeFix,
  type ConfigProblem,
  insertion,
  preferredFix,
  type ProblemCode,
  type ProblemFix,
} from './configProblem.ts';
import { areSimilar, isOpposite } from './didYouMean.ts';
import { markupAt, type Span, type XmlAttribute } from './markup.ts';
import { type Refusal, refusalOf } from './strictParser.ts';
import type { XmlElement, XmlTree } from './xmlTree.ts';

/**
 * The first mistake that keeps a text from being well-formed (XML 1.0); undefined when it is. The strict parser says whether there is
 * one and where it stopped; the tolerant tree says what was meant there.
 *
 * @param tree of the text; not so deep that a parser which calls itself for each level runs out of stack.
 */
export function syntaxMistake(text: string, tree: XmlTree): ConfigProblem | undefined {
  const refusal = refusalOf(text);
  if (refusal === undefined) {
    return undefined;
  }
  return referenceMistake(text, refusal) ?? tagMistake(text, tree, refusal) ?? otherMistake(text, tree, refusal);
}

function mistake(
  code: ProblemCode,
  span: Span,
  message: Sentence,
  fixes: readonly ProblemFix[] = [],
  related?: ConfigProblem['related'],
): ConfigProblem {
  return { code, severity: 'error', span, message, fixes, ...(related && { related }) };
}

const insertFix = (at: number, newText: string): ProblemFix =>
  preferredFix(sentence('Insert “{0}”', newText), insertion(at, newText));

// References

function referenceMistake(text: string, { message, at }: Refusal): ConfigProblem | undefined {
  if (!/^(?:Unterminated reference|Invalid character reference|Character reference|Named entity)/.test(message)) {
    return undefined;
  }
  const start = text.lastIndexOf('&', at);
  const [written = '&'] = /^&[#\w:.-]*;?/.exec(text.slice(start, start + MAX_REFERENCE_LENGTH)) ?? [];
  const span = { start, end: start + written.length };
  const ampersand = { start, end: start + 1 };
  if (/^&(?:amp|lt|gt|quot|apos)$/.test(written)) {
    const fix = insertFix(span.end, ';');
    return mistake('malformed', span, sentence('“{0}” must end with “;”.', written), [fix]);
  }
  if (/^&#.*;$/.test(written)) {
    return mistake('malformed', span, sentence('“{0}” is no character.', written));
  }
  if (/^&.+;$/.test(written)) {
    const fix = changeFix(ampersand, '&amp;', sentence('Change to “{0}”', `&amp;${written.slice(1)}`));
    return mistake('undeclaredEntity', span, sentence('XML does not know “{0}”.', written), [fix]);
  }
  const fix = changeFix(ampersand, '&amp;');
  return mistake('malformed', ampersand, sentence('“&” must be written as “&amp;”.'), [fix]);
}

const MAX_REFERENCE_LENGTH = 100;

// Tags

function tagMistake(text: string, tree: XmlTree, refusal: Refusal): ConfigProblem | undefined {
  const { message, at } = refusal;
  if (/^(?:Missing|Unclosed) end tag|^Element content/.test(message)) {
    return endTagMistake(text, tree, refusal);
  }
  if (message.startsWith('Duplicate attribute')) {
    const element = tree.elements.findLast(({ startTag }) => startTag.start < at);
    return element && duplicateAttribute(text, element);
  }
  if (!/^(?:Attribute value|Unclosed attribute|Unescaped|Unclosed start tag)/.test(message)) {
    return undefined;
  }
  const broken = tree.elements.find(({ startTag, isWhole }) => startTag.start < at && !isWhole);
  const inBroken =
    broken && (colonForSpace(text, broken) ?? firstAttributeMistake(text, broken) ?? unfinishedTag(text, broken));
  return inBroken ?? (message.startsWith('Unescaped') ? looseLessThan(at) : strayInTag(text, at));
}

/** An element that is joined to its first attribute, as in `<param:name="x">`. */
function colonForSpace(text: string, { name, nameSpan }: XmlElement): ConfigProblem | undefined {
  const colon = name.lastIndexOf(':');
  const [element, attribute] = [name.slice(0, Math.max(0, colon)), name.slice(colon + 1)];
  if (text[nameSpan.end] !== '=' || element === '' || attribute === '') {
    return undefined;
  }
  const at = nameSpan.start + colon;
  const message = sentence('Write a space, not a colon, between <{0} and “{1}”.', element, attribute);
  const fix = changeFix({ start: at, end: at + 1 }, ' ', sentence('Change the colon to a space'));
  return mistake('malformed', nameSpan, message, [fix]);
}

function firstAttributeMistake(text: string, { attributes }: XmlElement): ConfigProblem | undefined {
  for (const attribute of attributes) {
    const found = attributeMistake(text, attribute);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function attributeMistake(
  text: string,
  { name, nameSpan, value, valueSpan, quote, isClosed }: XmlAttribute,
): ConfigProblem | undefined {
  if (valueSpan === undefined || (quote === undefined && valueSpan.start === valueSpan.end)) {
    return mistake('malformed', nameSpan, sentence('The attribute “{0}” has no value.', name));
  }
  const { start, end } = valueSpan;
  if (quote === undefined) {
    const [, written = '', closing] = VALUE_BEFORE_QUOTE.exec(text.slice(start, start + MAX_VALUE_LENGTH)) ?? [];
    if (closing !== undefined) {
      const span = { start, end: start + written.length };
      const fix = preferredFix(sentence('Insert the opening quote'), insertion(start, closing));
      return mistake('quoteMissing', span, sentence('The value of “{0}” has no opening quote.', name), [fix]);
    }
    const fix = preferredFix(sentence('Put “{0}” in quotes', value), insertion(start, '"'), insertion(end, '"'));
    const fixes = PLAIN_VALUE.test(value) ? [fix] : [];
    return mistake('quoteMissing', valueSpan, sentence('The value of “{0}” must stand in quotes.', name), fixes);
  }
  const fix = preferredFix(sentence('Insert the closing quote'), insertion(end, quote));
  return isClosed
    ? undefined
    : mistake('quoteMissing', { start: start - 1, end }, sentence('The value of “{0}” has no closing quote.', name), [
        fix,
      ]);
}

/** A value that has only its closing quote. */
const VALUE_BEFORE_QUOTE = /^([^"'<>=\r\n]+)(["'])(?=[\s/>]|$)/;
const MAX_VALUE_LENGTH = 500;
/** A value that ends where it seems to end. */
const PLAIN_VALUE = /^[\w.:/#*%-]+$/;

function unfinishedTag(text: string, { name, startTag }: XmlElement): ConfigProblem | undefined {
  const written = text.slice(startTag.start, startTag.end).trimEnd();
  if (written.endsWith('>')) {
    return undefined;
  }
  const end = startTag.start + written.length;
  const closings = written.endsWith('/') ? ['>'] : isClosedLater(text, name, end) ? ['>', '/>'] : ['/>', '>'];
  const span = { start: startTag.start, end };
  return mistake(
    'notClosed',
    span,
    sentence('The tag <{0} has no “>”.', name),
    closings.map((closing) => insertFix(end, closing)),
  );
}

/** True when the end tag of an element comes before another one of its name begins. */
function isClosedLater(text: string, name: string, from: number): boolean {
  const end = text.indexOf(`</${name}`, from);
  const start = text.indexOf(`<${name}`, from);
  return end >= 0 && (start < 0 || end < start);
}

function duplicateAttribute(text: string, { attributes }: XmlElement): ConfigProblem | undefined {
  const firsts = new Map<string, XmlAttribute>();
  for (const attribute of attributes) {
    const { name, nameSpan, span } = attribute;
    const first = firsts.get(name);
    if (first !== undefined) {
      const removal = (of: Span) => ({ span: { start: startWithSpace(text, of.start), end: of.end }, newText: '' });
      const fixes = [
        {
          ...preferredFix(sentence('Remove the second “{0}”', name), removal(span)),
          isPreferred: first.value === attribute.value,
        },
        { title: sentence('Remove the first “{0}”', name), changes: [removal(first.span)] },
      ];
      const related = { span: first.nameSpan, message: sentence('The first one is here.') };
      return mistake('duplicateAttribute', nameSpan, sentence('There are two attributes “{0}”.', name), fixes, related);
    }
    firsts.set(name, attribute);
  }
  return undefined;
}

/** One space goes with what is removed behind it. */
function startWithSpace(text: string, start: number): number {
  return /\s/.test(text[start - 1] ?? '') ? start - 1 : start;
}

function looseLessThan(at: number): ConfigProblem {
  const span = { start: at, end: at + 1 };
  const message = sentence('“<” must be written as “&lt;” where no tag begins.');
  return mistake('malformed', span, message, [changeFix(span, '&lt;')]);
}

function strayInTag(text: string, at: number): ConfigProblem {
  const { span, word } = wordAt(text, at);
  return mistake('malformed', span, sentence('“{0}” does not belong into a tag.', word));
}

/** The word at a place, up to the next white space or the end of a tag. */
function wordAt(text: string, at: number): { readonly span: Span; readonly word: string } {
  const [word = ''] = /^[<>]?[^\s<>]*/.exec(text.slice(at, at + MAX_WORD_LENGTH)) ?? [];
  return { span: { start: at, end: at + word.length }, word };
}

const MAX_WORD_LENGTH = 30;

// End tags

function endTagMistake(text: string, tree: XmlTree, { message, at }: Refusal): ConfigProblem | undefined {
  if (message.startsWith('Unclosed')) {
    return unfinishedEndTag(text, at);
  }
  const open = tree.elements.findLast(
    ({ startTag, isSelfClosing, endTag }) =>
      !isSelfClosing && startTag.end <= at && (endTag === undefined || endTag.end > at),
  );
  if (open === undefined) {
    return undefined;
  }
  if (text.startsWith(']]>', at)) {
    return mistake('malformed', { start: at, end: at + 3 }, sentence('“]]>” must be written as “]]&gt;” in a text.'));
  }
  // The parser does not read the text that a file ends with.
  const found = text[at] === '<' ? markupAt(text, at) : undefined;
  if (found === undefined) {
    return notClosed(text, open, undefined);
  }
  if (found.kind !== 'endTag') {
    return found.kind === 'text' || found.kind === 'startTag' ? looseLessThan(at) : undefined;
  }
  if (found.name === open.name) {
    // A character follows it that is white space to JavaScript, and part of a name to XML.
    return undefined;
  }
  const begins = { span: open.nameSpan, message: sentence('<{0}> begins here.', open.name) };
  if (found.name === '') {
    const newText = `</${open.name}>`;
    return mistake(
      'endTagMismatch',
      found.span,
      sentence('The end tag has no name.'),
      [changeFix(found.span, newText)],
      begins,
    );
  }
  if (hasParent(open, found.name)) {
    return notClosed(text, open, {
      span: found.nameSpan,
      message: sentence('</{0}> stands here before it.', found.name),
    });
  }
  if (!areSimilar(open.name, found.name) && isClosedLater(text, open.name, found.span.end)) {
    const before = open.children.findLast(({ span }) => span.end <= at);
    const meant = open.children.findLast(({ name, span }) => name === found.name && span.end <= at);
    if (meant?.isSelfClosing === true && text.slice(meant.span.end, at).trim() !== '') {
      return closedTooEarly(text, meant, found.span);
    }
    const closesNothing =
      before?.name === found.name && before.isSelfClosing
        ? sentence('</{0}> closes nothing: <{0} … /> has closed itself.', found.name)
        : sentence('</{0}> closes nothing: there is no <{0}> before it.', found.name);
    const fix = changeFix(found.span, '', sentence('Remove “{0}”', `</${found.name}>`));
    return mistake('endTagMismatch', found.span, closesNothing, [fix]);
  }
  const fixes = [
    changeFix(found.nameSpan, open.name, sentence('Change the end tag to “{0}”', open.name)),
    ...(isOpposite(open.name, found.name)
      ? []
      : [
          {
            title: sentence('Change the start tag to “{0}”', found.name),
            changes: [{ span: open.nameSpan, newText: found.name }],
          },
        ]),
  ];
  const differs = sentence('<{0}> is closed by </{1}>.', open.name, found.name);
  return mistake('endTagMismatch', found.nameSpan, differs, fixes, begins);
}

/** An element that closes itself, though its end tag comes behind others. */
function closedTooEarly(text: string, { name, startTag }: XmlElement, endTag: Span): ConfigProblem {
  const slash = { start: startWithSpace(text, startTag.end - '/>'.length), end: startTag.end };
  return mistake(
    'endTagMismatch',
    { start: startTag.end - '/>'.length, end: startTag.end },
    sentence('<{0}> is closed already by “/>”.', name),
    [
      changeFix(slash, '>', sentence('Remove the slash')),
      { title: sentence('Remove “{0}”', `</${name}>`), changes: [{ span: endTag, newText: '' }] },
    ],
    { span: endTag, message: sentence('</{0}> stands here.', name) },
  );
}

function unfinishedEndTag(text: string, at: number): ConfigProblem {
  const start = text.lastIndexOf('</', at - 1);
  const [name = ''] = /^[^\s<>]*/.exec(text.slice(start + '</'.length)) ?? [];
  const end = start + '</'.length + name.length;
  return at < text.length && text[at] !== '<'
    ? strayInTag(text, at)
    : mistake('notClosed', { start, end }, sentence('The tag <{0} has no “>”.', `/${name}`), [insertFix(end, '>')]);
}

function hasParent(element: XmlElement, name: string): boolean {
  for (let parent = element.parent; parent !== undefined; parent = parent.parent) {
    if (parent.name === name) {
      return true;
    }
  }
  return false;
}

function notClosed(text: string, element: XmlElement, related: ConfigProblem['related']): ConfigProblem {
  const span = { start: element.startTag.start, end: element.nameSpan.end };
  return mistake(
    'notClosed',
    span,
    sentence('<{0}> is never closed.', element.name),
    closingFixes(text, element),
    related,
  );
}

/** How an element can be closed, the best first: behind its text, behind what is indented deeper than itself, or at once. */
function closingFixes(text: string, { name, startTag, parent, children }: XmlElement): readonly ProblemFix[] {
  const endTag = `</${name}>`;
  const fix = (newText: string, span: Span): ProblemFix =>
    changeFix(span, newText, sentence('Close it with “{0}”', newText.trim()));
  const first = children[0]?.startTag.start ?? text.length;
  const [content = ''] = /^[^<]*/.exec(text.slice(startTag.end, first)) ?? [];
  const own = content.trimEnd();
  if (own !== '') {
    const end = startTag.end + own.length;
    return [fix(endTag, { start: end, end })];
  }
  const indent = indentOf(text, startTag.start);
  const isOutside = (child: XmlElement): boolean =>
    (indentOf(text, child.startTag.start)?.length ?? 0) <= (indent?.length ?? 0);
  const next = parent === undefined ? -1 : children.findIndex(isOutside);
  const last = children.slice(0, next < 0 ? undefined : next).at(-1);
  if (last !== undefined) {
    const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
    const { end } = last.span;
    return [fix(indent === undefined ? endTag : lineEnd + indent + endTag, { start: end, end })];
  }
  const { end } = startTag;
  const selfClosing = { start: end - 1, end };
  return [fix(/\s/.test(text[end - 2] ?? '') ? '/>' : ' />', selfClosing), fix(endTag, { start: end, end })];
}

/** The white space before something on its line; undefined when something else stands before it. */
function indentOf(text: string, start: number): string | undefined {
  return /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(Math.max(0, start - MAX_INDENT), start))?.[1];
}

const MAX_INDENT = 200;

// Rare mistakes: a sentence, and no fix

const SENTENCES: readonly (readonly [refusal: RegExp, code: ProblemCode, message: Sentence, next?: Sentence])[] = [
  [/^Unclosed CDATA/, 'notClosed', sentence('The CDATA section has no “]]>” at its end.')],
  [/^Unclosed comment/, 'notClosed', sentence('The comment has no “-->” at its end.')],
  [/^Unterminated processing/, 'notClosed', sentence('This has no “?>” at its end.')],
  [/^Value of the `xml:space`/, 'malformed', sentence('“xml:space” must be “default” or “preserve”.')],
  [/^Extra content/, 'malformed', sentence('Everything must be inside one root element.')],
  [/^XML declaration isn't/, 'malformed', sentence('The XML declaration must be the very first of the file.')],
  [
    /^(?:Invalid XML|Invalid or unclosed XML|XML version|Invalid character in|Only "yes")/,
    'malformed',
    sentence('The XML declaration is not right.'),
    sentence('It looks like this: {0}', '<?xml version="1.0" encoding="utf-8"?>'),
  ],
];

function otherMistake(text: string, { root, openSection }: XmlTree, { message, at }: Refusal): ConfigProblem {
  const { span, word } = wordAt(text, at);
  if (message.startsWith('Root element is missing')) {
    return root === undefined
      ? mistake('malformed', { start: 0, end: text.length }, sentence('There is no element in this file.'))
      : mistake('malformed', span, sentence('Everything must be inside one root element.'));
  }
  if (message.startsWith('Invalid character (')) {
    const name = `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`;
    const character = { start: at, end: at + 1 };
    return mistake('malformed', character, sentence('The character {0} must not stand in XML.', name));
  }
  const known = SENTENCES.find(([refusal]) => refusal.test(message));
  if (known === undefined) {
    return mistake('malformed', span, sentence('“{0}” is nothing that XML knows.', word));
  }
  const [, code, explanation, next] = known;
  const place =
    code === 'notClosed' && openSection !== undefined
      ? { start: openSection.span.start, end: openSection.content.start }
      : span;
  return { ...mistake(code, place, explanation), ...(next && { next }) };
}
