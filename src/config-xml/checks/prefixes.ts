import { sentence } from '../../errors/index.ts';
import { changeFix, type ConfigProblem, configWarning, insertion, preferredFix } from '../configProblem.ts';
import { didYouMean } from '../didYouMean.ts';
import type { Span, XmlDocument, XmlElement } from '../xmlDocument.ts';
import { findAttribute } from '../widget.ts';

/** Namespaces that config.xml files use, keyed by their usual prefix. */
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

/** Elements that Cordova doesn't copy. It also doesn't copy their content, except that of `<platform>` for Android. */
const NOT_COPIED: ReadonlySet<string> = new Set(['platform', 'feature', 'plugin', 'engine']);

/** A use of an undeclared prefix. */
interface UnboundPrefix {
  readonly prefix: string;
  readonly span: Span;
  /** Whether Android builds copy the element that uses the prefix. */
  readonly isCopied: boolean;
  /** Whether a `<platform>` element declares the prefix. Builds don't copy that element. */
  readonly isInPlatform: boolean;
}

/**
 * Finds undeclared prefixes (Namespaces in XML 1.0, §5) and reports each once. Cordova's Android builds fail if they
 * copy such a prefix into the package. The built-in builder accepts it.
 */
export function prefixProblems({ root, elements }: XmlDocument): readonly ConfigProblem[] {
  if (root === undefined) {
    return [];
  }
  const copied = new Set<XmlElement | undefined>([undefined]);
  const scopes = new Map<XmlElement | undefined, PrefixScope>();
  const unbound: UnboundPrefix[] = [];
  for (const element of elements) {
    const { name, parent } = element;
    const isForAndroid = name === 'platform' && findAttribute(element, 'name')?.value.trim() === 'android';
    const isCopied = copied.has(parent) && (parent === undefined || isForAndroid || !NOT_COPIED.has(name));
    if (isCopied) {
      copied.add(element);
    }
    const scope = scopeIn(element, scopes.get(parent));
    scopes.set(element, scope);
    for (const { prefix, span } of usedPrefixes(element)) {
      const isInPlatform = scope.get(prefix);
      if (isInPlatform === undefined || (isInPlatform && isCopied)) {
        unbound.push({ prefix, span, isCopied, isInPlatform: isInPlatform ?? false });
      }
    }
  }
  return [...Map.groupBy(unbound, ({ prefix }) => prefix).values()].flatMap((uses) => {
    const worst = uses.find(({ isCopied }) => isCopied) ?? uses[0];
    return worst === undefined ? [] : [unboundProblem(root, worst)];
  });
}

/** The declared prefixes at an element. The value is true if only a `<platform>` declares the prefix. */
type PrefixScope = ReadonlyMap<string, boolean>;

function scopeIn(element: XmlElement, outer: PrefixScope = new Map()): PrefixScope {
  const own = declaredPrefixes(element);
  const isPlatform = element.name === 'platform';
  return own.length === 0
    ? outer
    : new Map([...outer, ...own.map((prefix) => [prefix, isPlatform && outer.get(prefix) !== false] as const)]);
}

/** Returns the prefixes in a well-formed start tag, except those that XML predefines. */
function usedPrefixes(element: XmlElement): readonly Pick<UnboundPrefix, 'prefix' | 'span'>[] {
  return (element.isWhole ? [element, ...element.attributes] : []).flatMap(({ name, nameSpan }) => {
    const prefix = name.slice(0, Math.max(0, name.indexOf(':')));
    const span = { start: nameSpan.start, end: nameSpan.start + prefix.length };
    return ['', 'xml', 'xmlns'].includes(prefix) ? [] : [{ prefix, span }];
  });
}

/** Returns the prefixes that an element declares. */
export function declaredPrefixes({ attributes }: Pick<XmlElement, 'attributes'>): readonly string[] {
  return attributes.flatMap(({ name }) => (name.startsWith('xmlns:') ? [name.slice('xmlns:'.length)] : []));
}

function unboundProblem(root: XmlElement, { prefix, span, isCopied, isInPlatform }: UnboundPrefix): ConfigProblem {
  const url = NAMESPACES.get(prefix);
  const similar = didYouMean(prefix, ['xmlns', 'xml', ...NAMESPACES.keys()]);
  const declaration = sentence('Declare “{0}” in the root element', prefix);
  const fixes =
    url !== undefined
      ? [preferredFix(declaration, insertion(root.nameSpan.end, ` xmlns:${prefix}="${url}"`))]
      : similar === undefined
        ? []
        : [changeFix(span, similar, sentence('Change to “{0}”', `${similar}:`))];
  const message = isInPlatform
    ? sentence('The prefix “{0}:” is declared in <platform>, which Cordova doesn’t copy.', prefix)
    : sentence('The prefix “{0}:” isn’t declared.', prefix);
  const next = isCopied
    ? sentence('With the Cordova engine, a build for Android fails with “unbound prefix”.')
    : sentence('Cordova reads it anyway. Programs that support XML namespaces reject the file.');
  return configWarning('undeclaredPrefix', span, message, { next, fixes });
}
