import { sentence, type Sentence } from '../api/errors/sentence.ts';
import {
  changeFix,
  type ConfigProblem,
  insertion,
  type ProblemCode,
  preferredFix,
  type ProblemFix,
} from './configProblem.ts';
import { didYouMean } from './didYouMean.ts';
import type { Span } from './markup.ts';
import { templateTag, withoutTemplateTags } from './placeholder.ts';
import { refusalOf } from './strictParser.ts';
import { isJoined, syntaxMistake } from './syntaxMistake.ts';
import { readableLength, readTree, type XmlElement, type XmlTree } from './xmlTree.ts';

export type { Span, XmlAttribute } from './markup.ts';
export type { XmlElement } from './xmlTree.ts';

/** A text that was read as XML, as far as it is. */
export interface XmlDocument extends XmlTree {
  readonly text: string;
  /**
   * The first mistake that keeps the text from being well-formed (XML 1.0), and what services refuse or namespaces forbid; in the
   * order of the text. Later mistakes are found once the first is fixed.
   */
  readonly problems: readonly ConfigProblem[];
}

/** Characters that are read: what follows is neither checked nor coloured. The service refuses a larger file. */
export const MAX_CONFIG_LENGTH = 1024 * 1024;
/** Levels of elements that readers of XML take for sure. */
const MAX_DEPTH = 500;

/** Namespaces that stand in a config.xml, by their usual prefixes. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['android', 'http://schemas.android.com/apk/res/android'],
  ['app', 'http://schemas.android.com/apk/res-auto'],
  ['cdv', 'http://cordova.apache.org/ns/1.0'],
  ['gap', 'http://phonegap.com/ns/1.0'],
  ['rim', 'http://www.blackberry.com/ns/widgets'],
  ['tizen', 'http://tizen.org/ns/widgets'],
  ['tools', 'http://schemas.android.com/tools'],
  ['xsi', 'http://www.w3.org/2001/XMLSchema-instance'],
]);

/** Reads a text as XML. Tolerant: what is missing is supplied, what is too much is left out. Never throws. */
export function parseXml(written: string): XmlDocument {
  const text = withoutTemplateTags(written);
  if (text.length > MAX_CONFIG_LENGTH) {
    const tree = readTree(text.slice(0, MAX_CONFIG_LENGTH));
    const message = sentence('This file is larger than 1 MB. Build services refuse it.');
    return { text: written, ...tree, problems: [refusal('tooLarge', firstLine(text), message)] };
  }
  const tree = readTree(text);
  if (tree.depth > MAX_DEPTH || readableLength(text) < text.length) {
    return { text: written, ...tree, problems: [tooManyElements(firstLine(text))] };
  }
  const mistake = syntaxMistake(text, tree);
  // In a comment it does no harm.
  const tag = text === written || refusalOf(written) === undefined ? undefined : templateTag(written);
  const problems = [
    ...(mistake === undefined ? [] : [mistake]),
    ...(tag === undefined ? [] : [tag]),
    ...(tree.doctype === undefined ? [] : [doctypeRefusal(tree.doctype)]),
    ...encodingRefusals(text),
    ...undeclaredPrefixes(text, tree),
  ];
  return { text: written, ...tree, problems: problems.toSorted((a, b) => a.span.start - b.span.start) };
}

/** A problem of well-formed XML that services refuse. */
function refusal(
  code: ProblemCode,
  span: Span,
  message: Sentence,
  next?: Sentence,
  ...fixes: readonly ProblemFix[]
): ConfigProblem {
  return { code, severity: 'error', span, message, ...(next && { next }), fixes };
}

function firstLine(text: string): Span {
  return { start: 0, end: Math.max(text.search(/[\r\n]/), 1) };
}

function tooManyElements(span: Span): ConfigProblem {
  const message = sentence(
    'config.xml has too many elements, or too many inside each other, for a service to read it.',
  );
  return refusal('tooLarge', span, message, sentence('Remove what does not belong to the configuration of the app.'));
}

function doctypeRefusal(span: Span): ConfigProblem {
  const message = sentence('Build services refuse a document type declaration.');
  return refusal('doctype', span, message, undefined, changeFix(span, '', sentence('Remove it')));
}

/** An encoding other than UTF-8, which contains ASCII: services read nothing else. */
function encodingRefusals(text: string): readonly ConfigProblem[] {
  const [declaration, encoding] = /^\uFEFF?<\?xml\s[^<>]*?\sencoding\s?=\s?["']([^"'<>]*)/.exec(text) ?? [];
  if (declaration === undefined || encoding === undefined || /^(?:utf-?8|us-ascii)$/i.test(encoding)) {
    return [];
  }
  const span = { start: declaration.length - encoding.length, end: declaration.length };
  const message = sentence('The encoding is declared as “{0}”. Build services read UTF-8.', encoding);
  const next = sentence('Save the file as UTF-8, too.');
  return [refusal('encoding', span, message, next, changeFix(span, 'utf-8'))];
}

/**
 * Prefixes that no element declares (Namespaces in XML 1.0, §5), each where it is used first; of those that reach the package of
 * Android, where that is.
 */
function undeclaredPrefixes(text: string, { root, elements }: XmlTree): readonly ConfigProblem[] {
  if (root === undefined) {
    return [];
  }
  const packaged = packagedByAndroid(root, elements);
  const prefixed = elements.flatMap((element) =>
    [...(isJoined(text, element) ? [] : [element]), ...element.attributes]
      .filter(hasColon)
      .map(({ name, nameSpan }) => ({
        name,
        nameSpan,
        isPackaged: packaged.has(element),
      })),
  );
  const declared = new Set(['xml', 'xmlns', ...declaredPrefixes({ attributes: prefixed })]);
  const problems = new Map<string, ConfigProblem>();
  for (const { name, nameSpan, isPackaged } of prefixed) {
    const prefix = name.slice(0, name.indexOf(':'));
    const known = problems.get(prefix);
    if (prefix !== '' && !declared.has(prefix) && (known === undefined || (isPackaged && known.severity !== 'error'))) {
      const span = { start: nameSpan.start, end: nameSpan.start + prefix.length };
      problems.set(prefix, undeclaredPrefix(span, prefix, { root, declared, isPackaged }));
    }
  }
  return [...problems.values()];
}

/** Elements that Cordova does not copy into the package of Android, with what is in them. */
const NOT_COPIED: ReadonlySet<string> = new Set(['feature', 'plugin', 'engine']);

/** The elements that Cordova copies into the package of Android; none where the file names platforms, and Android is not among them. */
function packagedByAndroid(root: XmlElement, elements: readonly XmlElement[]): ReadonlySet<XmlElement> {
  const platforms = root.children.filter(({ name }) => name === 'platform' || name === 'engine').map(platformOf);
  if (platforms.length > 0 && !platforms.includes('android')) {
    return new Set();
  }
  const packaged = new Set([root]);
  for (const element of elements) {
    const { name, parent } = element;
    const isCopied = name === 'platform' ? platformOf(element) === 'android' : !NOT_COPIED.has(name);
    if (parent !== undefined && packaged.has(parent) && isCopied) {
      packaged.add(element);
    }
  }
  return packaged;
}

function platformOf({ attributes }: XmlElement): string | undefined {
  return attributes.find(({ name }) => name === 'name')?.value.trim();
}

function hasColon({ name }: { readonly name: string }): boolean {
  return name.includes(':');
}

/** The prefixes that an element declares. */
export function declaredPrefixes({ attributes }: DeclaringElement): readonly string[] {
  return attributes.flatMap(({ name }) => (name.startsWith('xmlns:') ? [name.slice('xmlns:'.length)] : []));
}

interface DeclaringElement {
  readonly attributes: readonly { readonly name: string }[];
}

function undeclaredPrefix(
  span: Span,
  prefix: string,
  {
    root,
    declared,
    isPackaged,
  }: { readonly root: XmlElement; readonly declared: ReadonlySet<string>; readonly isPackaged: boolean },
): ConfigProblem {
  const url = NAMESPACES.get(prefix);
  const similar = didYouMean(prefix, declared);
  const declaration = sentence('Declare “{0}” in the root element', prefix);
  const fixes =
    url !== undefined
      ? [preferredFix(declaration, insertion(root.nameSpan.end, ` xmlns:${prefix}="${url}"`))]
      : similar === undefined
        ? []
        : [changeFix(span, similar, sentence('Change to “{0}”', `${similar}:`))];
  return {
    code: 'undeclaredPrefix',
    severity: isPackaged ? 'error' : 'warning',
    span,
    message: sentence('The prefix “{0}:” is not declared.', prefix),
    next: isPackaged
      ? sentence('A build for Android ends with “unbound prefix”: the packaging tool refuses the file.')
      : sentence('Cordova reads it all the same. Programs that know XML namespaces refuse the file.'),
    fixes,
  };
}
