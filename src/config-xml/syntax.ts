import { parseXml, XmlError } from '@rgrove/parse-xml';
import { sentence, type Sentence } from '../errors/index.ts';
import { withBlankComments } from '../android-package/index.ts';
import { changeFix, configError, type ConfigProblem, insertion, preferredFix, toBeFilledIn } from './configProblem.ts';
import { areSimilar } from './didYouMean.ts';
import { MAX_CONFIG_LENGTH } from './limits.ts';
import { markupAt, type Span } from './markup.ts';
import { elementRule } from './rules.ts';
import { templateTag } from './widget.ts';
import type { XmlDocument, XmlElement } from './xmlDocument.ts';

/**
 * Returns the first syntax error (XML 1.0), and all XML features that build services reject. Later syntax errors are
 * reported once the first one is fixed.
 */
export function syntaxProblems(document: XmlDocument): readonly ConfigProblem[] {
  const { text, doctype } = document;
  if (text.length > MAX_CONFIG_LENGTH) {
    return [tooLarge(text, sentence('This file is larger than 1 MB. Build services reject it.'))];
  }
  return [
    ...syntaxMistake(document),
    ...(doctype === undefined
      ? []
      : [
          configError('doctype', doctype, sentence('Build services reject document type declarations.'), {
            fixes: [changeFix(doctype, '', sentence('Remove it'))],
          }),
        ]),
    ...encodingProblem(text),
  ];
}

function syntaxMistake(document: XmlDocument): readonly ConfigProblem[] {
  const text = withBlankComments(document.text);
  try {
    // Replace carriage returns with equivalent spaces, because the parser copies the whole document for each of them.
    // Doesn't use `replaceAll`, which takes 25 times as long if there are many.
    parseXml(text.split('\r').join(' '));
    return [];
  } catch (error) {
    if (error instanceof XmlError) {
      const tag = templateTag(text);
      if (tag !== undefined) {
        return [toBeFilledIn(text, tag)];
      }
      const [message = ''] = error.message.split(/ \(line \d/, 1);
      return [refusal(document, text, message, getCharacterOffset(text, error.pos))];
    }
    if (error instanceof RangeError) {
      // The parser recurses for every level, so a deeply nested document overflows the stack.
      return [tooLarge(text, sentence('config.xml is nested too deeply for services to read.'))];
    }
    throw error;
  }
}

/** Converts a parser index to an offset. The parser counts a surrogate pair as one character. */
function getCharacterOffset(text: string, index: number): number {
  return Array.from(text).slice(0, index).join('').length;
}

/**
 * Converts a parser error to a problem.
 *
 * @param message the English message of parse-xml
 * @param at the offset where the parser stopped
 */
function refusal({ elements }: XmlDocument, text: string, message: string, at: number): ConfigProblem {
  if (/^(?:Unterminated reference|Invalid character reference|Character reference|Named entity)/.test(message)) {
    return looseAmpersand(text, at);
  }
  const nameless = namelessValue(text, at);
  if (nameless !== undefined) {
    return nameless;
  }
  const broken = elements.find(({ startTag, isWhole }) => startTag.start < at && !isWhole);
  const unquoted = broken?.attributes.find(({ isClosed }) => !isClosed);
  if (unquoted?.valueSpan !== undefined && /^(?:Attribute|Unclosed|Unescaped)/.test(message)) {
    const { name, quote = '"', valueSpan } = unquoted;
    const span = { start: valueSpan.start - 1, end: valueSpan.end };
    return configError('quoteMissing', span, sentence('The value of “{0}” has no closing quote.', name), {
      fixes: [preferredFix(sentence('Insert the closing quote'), insertion(valueSpan.end, quote))],
    });
  }
  const open = elements.findLast(
    ({ startTag, isSelfClosing, endTag }) =>
      !isSelfClosing && startTag.end <= at && (endTag === undefined || endTag.end > at),
  );
  if (open !== undefined && message.startsWith('Missing end tag')) {
    const found = text[at] === '<' ? markupAt(text, at) : undefined;
    // The parser ignores text at the end of a file.
    if (!text.includes('<', at) || (found?.kind === 'endTag' && hasParent(open, found.name))) {
      return notClosed(text, open);
    }
    if (found?.kind === 'endTag') {
      const message = sentence('<{0}> is closed by </{1}>.', open.name, found.name);
      const fixes = areSimilar(open.name, found.name) ? [changeFix(found.nameSpan, open.name)] : [];
      return configError('endTagMismatch', found.nameSpan, message, { fixes });
    }
  }
  const [word = ''] = /^[<>]?[^\s<>]*/.exec(text.slice(at)) ?? [];
  const span = { start: at, end: at + word.length };
  return configError('malformed', span, sentence('This isn’t well-formed XML: {0}.', message));
}

/** Returns the problem for a value directly after the name of an element, as in `<access="*">`. */
function namelessValue(text: string, at: number): ConfigProblem | undefined {
  const start = text.lastIndexOf('<', at) + 1;
  const [written, name = ''] =
    /^([A-Za-z][\w:.-]{0,80})\s{0,20}=\s{0,20}["']/.exec(text.slice(start, start + 200)) ?? [];
  if (written === undefined) {
    return undefined;
  }
  const attribute = elementRule(name)?.attributes.find(({ isRequired }) => isRequired === true)?.name;
  const span = { start, end: start + name.length };
  return configError('malformed', span, sentence('The value of <{0}> has no attribute name.', name), {
    fixes:
      attribute === undefined
        ? []
        : [preferredFix(sentence('Add {0}', attribute), insertion(span.end, ` ${attribute}`))],
  });
}

function hasParent({ parent }: XmlElement, name: string): boolean {
  return parent !== undefined && (parent.name === name || hasParent(parent, name));
}

/** Returns the problem for an `&` that doesn't start a valid reference. */
function looseAmpersand(text: string, at: number): ConfigProblem {
  const start = text.lastIndexOf('&', at);
  const [written = '&'] = /^&(?:amp|lt|gt|quot|apos)(?![\w;])/.exec(text.slice(start, start + 6)) ?? [];
  const right = written === '&' ? '&amp;' : `${written};`;
  const span = { start, end: start + written.length };
  return configError('malformed', span, sentence('“{0}” must be written as “{1}”.', written, right), {
    fixes: [changeFix(span, right)],
  });
}

/**
 * Returns the problem for an unclosed element. The fix adds the end tag after the element's text, or immediately after
 * the start tag if it has none. For the root, it adds the end tag at the end of the file.
 */
function notClosed(text: string, { name, nameSpan, startTag, parent }: XmlElement): ConfigProblem {
  const [ownText = ''] = /^[^<]*/.exec(text.slice(startTag.end)) ?? [];
  const endTag = `</${name}>`;
  const close = (span: Span, newText: string) =>
    changeFix(span, newText, sentence('Close it with “{0}”', newText.trim()));
  const emptySpan = (at: number) => ({ start: at, end: at });
  const fix =
    parent === undefined
      ? close(emptySpan(text.trimEnd().length), `\n${endTag}`)
      : ownText.trim() === ''
        ? { ...close({ start: startTag.end - 1, end: startTag.end }, ' />'), isPreferred: false }
        : close(emptySpan(startTag.end + ownText.trimEnd().length), endTag);
  const span = { start: startTag.start, end: nameSpan.end };
  return configError('notClosed', span, sentence('<{0}> is never closed.', name), { fixes: [fix] });
}

/** Returns the problem for an encoding other than UTF-8 or its subset ASCII. Services can't read other encodings. */
function encodingProblem(text: string): readonly ConfigProblem[] {
  const [declaration, encoding] = /^\uFEFF?<\?xml\s[^<>]*?\sencoding\s?=\s?["']([^"'<>]*)/.exec(text) ?? [];
  if (declaration === undefined || encoding === undefined || /^(?:utf-?8|us-ascii)$/i.test(encoding)) {
    return [];
  }
  const span = { start: declaration.length - encoding.length, end: declaration.length };
  const message = sentence('The encoding is declared as “{0}”. Build services read UTF-8.', encoding);
  const next = sentence('Also save the file as UTF-8.');
  return [configError('encoding', span, message, { next, fixes: [changeFix(span, 'utf-8')] })];
}

function tooLarge(text: string, message: Sentence): ConfigProblem {
  return configError('tooLarge', { start: 0, end: Math.max(text.search(/[\r\n]/), 1) }, message);
}
