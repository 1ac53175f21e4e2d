/** What is not well-formed (XML 1.0), each mistake with its sentences and what mends it. */
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import type { ConfigProblem, ProblemCode, ProblemFix, TextChange } from '../configProblem.ts';
import type { Span } from '../xmlDocument.ts';

type Extra = Pick<ConfigProblem, 'next' | 'related'> & { readonly fixes?: readonly ProblemFix[] };

/** What XML itself allows, and services refuse. */
function refused(code: ProblemCode, span: Span, message: Sentence, extra: Extra = {}): ConfigProblem {
  return { code, severity: 'error', span, message, ...extra };
}

function problem(code: ProblemCode, span: Span, message: Sentence, extra: Extra = {}): ConfigProblem {
  return { code, severity: 'error', span, message, ...extra };
}

function fix(title: Sentence, ...changes: readonly TextChange[]): ProblemFix {
  return { title, changes };
}

function preferred(title: Sentence, ...changes: readonly TextChange[]): ProblemFix {
  return { title, changes, isPreferred: true };
}

function insert(at: number, newText: string): TextChange {
  return { span: { start: at, end: at }, newText };
}

function remove(span: Span): TextChange {
  return { span, newText: '' };
}

const insertText = (newText: string): Sentence => sentence('Insert “{0}”', newText);
const changeTo = (newText: string): Sentence => sentence('Change to “{0}”', newText);
const removeText = (text: string): Sentence => sentence('Remove “{0}”', text);

// Attributes

/** @param valueEnd where the closing quote belongs. */
export function closingQuoteMissing(name: string, open: Span, quote: string): ConfigProblem {
  return problem('quoteMissing', open, sentence('The value of “{0}” has no closing quote.', name), {
    fixes: [preferred(sentence('Insert the closing quote'), insert(open.end, quote))],
  });
}

/** @param value without the closing quote that it may have. */
export function openingQuoteMissing(name: string, value: Span, quote: string): ConfigProblem {
  return problem('quoteMissing', value, sentence('The value of “{0}” has no opening quote.', name), {
    fixes: [preferred(sentence('Insert the opening quote'), insert(value.start, quote))],
  });
}

export function quotesMissing(name: string, value: Span, text: string): ConfigProblem {
  const quote = text.includes('"') ? "'" : '"';
  return problem('quoteMissing', value, sentence('The value of “{0}” must stand in quotes.', name), {
    fixes: [preferred(sentence('Put “{0}” in quotes', text), insert(value.start, quote), insert(value.end, quote))],
  });
}

/** @param close of the closing quote; undefined when there is none. */
export function typographicQuotes(name: string, value: Span, close: Span | undefined): ConfigProblem {
  const open = { start: value.start, end: value.start + 1 };
  const changes = [
    { span: open, newText: '"' },
    close === undefined ? insert(value.end, '"') : { span: close, newText: '"' },
  ];
  return problem(
    'quoteMissing',
    value,
    sentence('The value of “{0}” stands in typographic quotes, which XML does not know.', name),
    { fixes: [preferred(sentence('Change to straight quotes'), ...changes)] },
  );
}

/** @param all what of it is written. */
export function valueMissing(nameText: string, name: Span, all: Span, change: TextChange): ConfigProblem {
  return problem('malformed', name, sentence('The attribute “{0}” has no value.', nameText), {
    fixes: [fix(sentence('Give it an empty value'), change), fix(removeText(nameText), remove(all))],
  });
}

export function spaceMissing(name: string, span: Span): ConfigProblem {
  return problem('malformed', span, sentence('There must be a space before “{0}”.', name), {
    fixes: [preferred(sentence('Insert a space'), insert(span.start, ' '))],
  });
}

/** Something in a start tag that is no attribute. */
export function strayInTag(span: Span, text: string, removed: Span = span): ConfigProblem {
  return problem('malformed', span, sentence('“{0}” does not belong into a tag.', shortened(text)), {
    fixes: [fix(removeText(shortened(text)), remove(removed))],
  });
}

export function badName(span: Span, name: string): ConfigProblem {
  return problem('malformed', span, sentence('“{0}” is no name that XML allows.', shortened(name)), {
    next: sentence('A name has letters, digits, “-”, “_” and “.”, and begins with a letter.'),
  });
}

/** @param removals what takes the first or the second away, with the space before it. */
export function duplicateAttribute(
  name: string,
  { first, second, isSame }: { readonly first: Removable; readonly second: Removable; readonly isSame: boolean },
): ConfigProblem {
  const removeSecond = sentence('Remove the second “{0}”', name);
  return problem('duplicateAttribute', second.name, sentence('There are two attributes “{0}”.', name), {
    related: { span: first.name, message: sentence('The first one is here.') },
    fixes: [
      isSame ? preferred(removeSecond, remove(second.all)) : fix(removeSecond, remove(second.all)),
      fix(sentence('Remove the first “{0}”', name), remove(first.all)),
    ],
  });
}

export interface Removable {
  readonly name: Span;
  /** With the space before it. */
  readonly all: Span;
}

export function badXmlSpace(value: Span): ConfigProblem {
  return problem('malformed', value, sentence('“xml:space” must be “default” or “preserve”.'), {
    fixes: [fix(changeTo('preserve'), { span: value, newText: 'preserve' })],
  });
}

// Tags

/** A start tag without its `>`. @param tag from `<` to where the `>` belongs. */
export function tagNotClosed(tag: Span, name: string, closings: readonly string[]): ConfigProblem {
  return problem('notClosed', tag, sentence('The tag <{0} has no “>”.', name), {
    fixes: closings.map((closing, index) =>
      index === 0
        ? preferred(insertText(closing), insert(tag.end, closing))
        : fix(insertText(closing), insert(tag.end, closing)),
    ),
  });
}

/** `/` that is not followed by `>`. */
export function slashMisplaced(slash: Span, changes: readonly TextChange[]): ConfigProblem {
  return problem('malformed', slash, sentence('“/” may only stand directly before “>”.'), {
    fixes: [preferred(removeText('/'), ...changes)],
  });
}

export function spaceAfterSlash(slash: Span, space: Span): ConfigProblem {
  return problem(
    'malformed',
    { start: slash.start, end: space.end + 1 },
    sentence('There must be no space between “/” and “>”.'),
    {
      fixes: [preferred(sentence('Remove the space'), remove(space))],
    },
  );
}

/** `< name` and `</ name`. @param space what has to go. */
export function spaceBeforeName(tag: Span, space: Span): ConfigProblem {
  return problem('malformed', tag, sentence('There must be no space before the name of a tag.'), {
    fixes: [preferred(sentence('Remove the space'), remove(space))],
  });
}

export function strayInEndTag(span: Span, text: string): ConfigProblem {
  return problem('malformed', span, sentence('“{0}” does not belong into an end tag.', shortened(text)), {
    fixes: [preferred(removeText(shortened(text)), remove(span))],
  });
}

export interface NamedTag {
  readonly name: string;
  readonly nameSpan: Span;
}

/** An end tag with the name of another element. @param isEndRight true when the start tag is the one that is misspelt. */
export function endTagMismatch(start: NamedTag, end: NamedTag, isEndRight: boolean): ConfigProblem {
  const changeEnd = {
    title: sentence('Change the end tag to “{0}”', start.name),
    change: { span: end.nameSpan, newText: start.name },
  };
  const changeStart = {
    title: sentence('Change the start tag to “{0}”', end.name),
    change: { span: start.nameSpan, newText: end.name },
  };
  const [first, second] = isEndRight ? [changeStart, changeEnd] : [changeEnd, changeStart];
  return problem('endTagMismatch', end.nameSpan, sentence('<{0}> is closed by </{1}>.', start.name, end.name), {
    related: { span: start.nameSpan, message: sentence('<{0}> begins here.', start.name) },
    fixes: [preferred(first.title, first.change), fix(second.title, second.change)],
  });
}

/** `</>` @param tag all of it. */
export function endTagWithoutName(tag: Span, start: NamedTag | undefined): ConfigProblem {
  const message = sentence('The end tag has no name.');
  return start === undefined
    ? problem('endTagMismatch', tag, message, { fixes: [fix(removeText('</>'), remove(tag))] })
    : problem('endTagMismatch', tag, message, {
        related: { span: start.nameSpan, message: sentence('<{0}> begins here.', start.name) },
        fixes: [preferred(changeTo(`</${start.name}>`), { span: tag, newText: `</${start.name}>` })],
      });
}

/** An end tag of an element that never began. @param closed the element before it, when that closes itself. */
export function endTagWithoutStart(tag: Span, name: string, closed: NamedTag | undefined): ConfigProblem {
  const remedy = preferred(removeText(`</${name}>`), remove(tag));
  return closed === undefined
    ? problem('endTagMismatch', tag, sentence('</{0}> closes nothing: there is no <{0}> before it.', name), {
        fixes: [remedy],
      })
    : problem('endTagMismatch', tag, sentence('</{0}> closes nothing: <{0} … /> has closed itself.', name), {
        related: { span: closed.nameSpan, message: sentence('<{0}> closes itself here.', name) },
        fixes: [remedy],
      });
}

/** An element that is never closed. @param end the end tag of an element around it; undefined at the end of the file. */
export function elementNotClosed(
  start: NamedTag & { readonly span: Span },
  end: NamedTag | undefined,
  fixes: readonly { readonly newText: string; readonly span: Span }[],
): ConfigProblem {
  const related = end && { span: end.nameSpan, message: sentence('</{0}> stands here before it.', end.name) };
  return problem('notClosed', start.span, sentence('<{0}> is never closed.', start.name), {
    ...(related && { related }),
    fixes: fixes.map(({ newText, span }, index) =>
      index === 0
        ? preferred(closeWith(newText.trim()), { newText, span })
        : fix(closeWith(newText.trim()), { newText, span }),
    ),
  });
}

const closeWith = (text: string): Sentence => sentence('Close it with “{0}”', text);

/** `<name>Text<name>`: an end tag without its slash. */
export function endTagSlashMissing(start: NamedTag, again: NamedTag & { readonly span: Span }): ConfigProblem {
  return problem('notClosed', again.span, sentence('<{0}> begins twice: the second one has no “/”.', start.name), {
    related: { span: start.nameSpan, message: sentence('<{0}> begins here.', start.name) },
    fixes: [preferred(changeTo(`</${start.name}>`), insert(again.nameSpan.start, '/'))],
  });
}

// Text

export function looseAmpersand(at: number, fixes: readonly string[]): ConfigProblem {
  const span = { start: at, end: at + 1 };
  const [first = '&amp;'] = fixes;
  return problem('malformed', span, sentence('“&” must be written as “&amp;”.'), {
    fixes: [preferred(changeTo(first), { span, newText: first })],
  });
}

/** `&amp` and the like. @param reference from `&` to the last letter. */
export function semicolonMissing(reference: Span, text: string): ConfigProblem {
  return problem('malformed', reference, sentence('“{0}” must end with “;”.', text), {
    fixes: [preferred(insertText(';'), insert(reference.end, ';'))],
  });
}

export function badCharacterReference(span: Span, text: string): ConfigProblem {
  return problem('malformed', span, sentence('“{0}” is no character.', text), {
    fixes: [fix(removeText(text), remove(span))],
  });
}

/** @param number of the character that HTML means, such as `&#169;`. */
export function undeclaredEntity(span: Span, text: string, number: string | undefined): ConfigProblem {
  const literal = { span: { start: span.start, end: span.start + 1 }, newText: '&amp;' };
  const asText = sentence('Change to “{0}”', `&amp;${text.slice(1)}`);
  return problem('undeclaredEntity', span, sentence('XML does not know “{0}”.', text), {
    fixes:
      number === undefined
        ? [preferred(asText, literal)]
        : [preferred(changeTo(number), { span, newText: number }), fix(asText, literal)],
  });
}

export function looseLessThan(at: number): ConfigProblem {
  const span = { start: at, end: at + 1 };
  return problem('malformed', span, sentence('“<” must be written as “&lt;” where no tag begins.'), {
    fixes: [preferred(changeTo('&lt;'), { span, newText: '&lt;' })],
  });
}

export function looseCdataEnd(at: number): ConfigProblem {
  const span = { start: at, end: at + 3 };
  return problem('malformed', span, sentence('“]]>” must be written as “]]&gt;” in a text.'), {
    fixes: [preferred(changeTo(']]&gt;'), { span, newText: ']]&gt;' })],
  });
}

/** @param span of one such character, or several of them. @param code of the first. */
export function badCharacter(span: Span, code: number): ConfigProblem {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return problem('malformed', span, sentence('The character {0} must not stand in XML.', name), {
    fixes: [preferred(sentence('Remove the character'), remove(span))],
  });
}

// Around the root

export function textOutside(span: Span): ConfigProblem {
  return problem('malformed', span, sentence('There must be no text outside of the root element.'), {
    fixes: [fix(sentence('Remove the text'), remove(span))],
  });
}

export function secondRoot(
  tag: Span,
  name: string,
  root: NamedTag & { readonly end: Span | undefined },
): ConfigProblem {
  const { end } = root;
  return problem('malformed', tag, sentence('<{0}> stands behind the end of <{1}>.', name, root.name), {
    next: sentence('Everything must be inside one root element.'),
    ...(end && { related: { span: end, message: sentence('<{0}> ends here.', root.name) } }),
  });
}

export function rootMissing(length: number): ConfigProblem {
  return problem('malformed', { start: 0, end: length }, sentence('There is no element in this file.'));
}

// Comments, declarations

/** @param content of the comment, between `<!--` and `-->`. */
export function hyphensInComment(span: Span, content: Span, text: string): ConfigProblem {
  const newText = text.replace(/--+/g, (hyphens) => `${'- '.repeat(hyphens.length - 1)}-`).replace(/-$/, '- ');
  return problem('malformed', span, sentence('“--” must not stand in a comment.'), {
    fixes: [preferred(sentence('Put spaces between the hyphens'), { span: content, newText })],
  });
}

export type Section = 'comment' | 'cdata' | 'instruction';

const ENDS: Readonly<Record<Section, string>> = { comment: '-->', cdata: ']]>', instruction: '?>' };

/** @param open the `<!--`, `<![CDATA[` or `<?`. @param end what the end takes the place of: nothing, or a part of it. */
export function sectionNotClosed(section: Section, open: Span, end: Span): ConfigProblem {
  const newText = ENDS[section];
  return problem('notClosed', open, sectionMessage(section), {
    fixes: [preferred(insertText(newText), { span: end, newText })],
  });
}

function sectionMessage(section: Section): Sentence {
  switch (section) {
    case 'comment':
      return sentence('The comment has no “-->” at its end.');
    case 'cdata':
      return sentence('The CDATA section has no “]]>” at its end.');
    case 'instruction':
      return sentence('This has no “?>” at its end.');
  }
}

/** `<?xml … >` @param at where the question mark belongs. */
export function questionMarkMissing(open: Span, at: number): ConfigProblem {
  return problem('notClosed', open, sentence('The XML declaration has no “?>” at its end.'), {
    fixes: [preferred(insertText('?'), insert(at, '?'))],
  });
}

export function badDeclaration(span: Span, text: string): ConfigProblem {
  return problem('malformed', span, sentence('“{0}” is nothing that XML knows.', shortened(text)), {
    fixes: [fix(removeText(shortened(text)), remove(span))],
  });
}

export function doctype(span: Span): ConfigProblem {
  return refused('doctype', span, sentence('Build services refuse a document type declaration.'), {
    fixes: [preferred(sentence('Remove it'), remove(span))],
  });
}

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>';

export function badXmlDeclaration(span: Span): ConfigProblem {
  return problem('malformed', span, sentence('The XML declaration is not right.'), {
    next: sentence('It looks like this: {0}', DECLARATION),
    fixes: [preferred(changeTo(DECLARATION), { span, newText: DECLARATION })],
  });
}

/** @param before what stands before it. */
export function xmlDeclarationNotFirst(span: Span, before: Span | undefined): ConfigProblem {
  return problem('malformed', span, sentence('The XML declaration must be the very first of the file.'), {
    fixes: [
      before === undefined
        ? preferred(sentence('Remove it'), remove(span))
        : preferred(sentence('Remove the white space before it'), remove(before)),
    ],
  });
}

export function encodingNotUtf8(value: Span, encoding: string): ConfigProblem {
  return refused(
    'encoding',
    value,
    sentence('The encoding is declared as “{0}”. Build services read UTF-8.', encoding),
    {
      next: sentence('Save the file as UTF-8, too.'),
      fixes: [preferred(changeTo('utf-8'), { span: value, newText: 'utf-8' })],
    },
  );
}

// The whole file

export function tooLarge(span: Span): ConfigProblem {
  return refused('tooLarge', span, sentence('This file is larger than 1 MB. Build services refuse it.'));
}

export function tooManyTags(span: Span, max: number): ConfigProblem {
  return refused(
    'tooLarge',
    span,
    sentence('This file has more than {0} tags. Build services refuse it.', String(max)),
  );
}

/** @param declaration what declares the prefix, and where; undefined for a prefix that nobody knows. */
export function undeclaredPrefix(
  span: Span,
  prefix: string,
  declaration: { readonly at: number; readonly url: string } | undefined,
  similar: string | undefined,
): ConfigProblem {
  const fixes = [
    ...(similar === undefined ? [] : [preferred(changeTo(`${similar}:`), { span, newText: similar })]),
    ...(declaration === undefined
      ? []
      : [
          preferred(
            sentence('Declare “{0}” in the root element', prefix),
            insert(declaration.at, ` xmlns:${prefix}="${declaration.url}"`),
          ),
        ]),
  ];
  return {
    code: 'undeclaredPrefix',
    severity: 'warning',
    span,
    message: sentence('The prefix “{0}:” is not declared.', prefix),
    next: sentence('Cordova reads it all the same. Programs that know XML namespaces refuse the file.'),
    fixes,
  };
}

const MAX_QUOTED_LENGTH = 30;

function shortened(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
}
