import { undeclaredPrefix } from './checks/wellFormed.ts';
import type { ConfigProblem } from './configProblem.ts';
import { didYouMean } from './didYouMean.ts';
import type { XmlElement } from './xmlDocument.ts';

/** Namespaces that stand in a config.xml, by the prefix that everybody gives them. */
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

/** Prefixes that are used without being declared (Namespaces in XML 1.0, §5), each where it is used first. */
export function undeclaredPrefixes(root: XmlElement, elements: readonly XmlElement[]): readonly ConfigProblem[] {
  const problems = new Map<string, ConfigProblem>();
  const rootPrefixes = new Set(['xml', 'xmlns', ...prefixesDeclaredBy(root)]);
  const check = (
    element: XmlElement,
    { name, nameSpan }: Pick<XmlElement, 'name' | 'nameSpan'>,
    colon: number,
  ): void => {
    const prefix = name.slice(0, colon);
    if (rootPrefixes.has(prefix) || problems.has(prefix) || isDeclaredAround(element, prefix)) {
      return;
    }
    const span = { start: nameSpan.start, end: nameSpan.start + colon };
    const url = NAMESPACES.get(prefix);
    const declaration = url === undefined ? undefined : { at: root.nameSpan.end, url };
    const similar = url === undefined ? didYouMean(prefix, rootPrefixes) : undefined;
    problems.set(prefix, undeclaredPrefix(span, prefix, declaration, similar));
  };
  for (const element of elements) {
    const colon = element.name.indexOf(':');
    if (colon > 0) {
      check(element, element, colon);
    }
    for (const attribute of element.attributes) {
      const colonInName = attribute.name.indexOf(':');
      if (colonInName > 0) {
        check(element, attribute, colonInName);
      }
    }
  }
  return [...problems.values()];
}

function isDeclaredAround(element: XmlElement, prefix: string): boolean {
  for (let around: XmlElement | undefined = element; around !== undefined; around = around.parent) {
    if (around.attributes.some(({ name }) => name === `xmlns:${prefix}`)) {
      return true;
    }
  }
  return false;
}

function prefixesDeclaredBy({ attributes }: XmlElement): readonly string[] {
  return attributes.flatMap(({ name }) => (name.startsWith('xmlns:') ? [name.slice('xmlns:'.length)] : []));
}
