/** The apps that an app sees from Android 11 on: what config.xml adds to the `<queries>` of the manifest. */
import type { XmlElement } from '@rgrove/parse-xml';

import { attributeOf, childrenOf } from './xmlElements.ts';

/** Before the name of an app's package. */
export const PACKAGE = 'package:';

/**
 * @param elements of config.xml, for Android
 * @returns `package:` with the name of an app, or the action of an intent, with the scheme or the type of its data after a colon
 */
export function readQueries(elements: readonly XmlElement[]): readonly string[] {
  return elements.flatMap((element) => queriesIn(element).flatMap(queryOf));
}

/** Whether an element adds nothing but what {@link readQueries} reads. */
export function addsOnlyQueries(element: XmlElement): boolean {
  const queries = queriesIn(element);
  return queries.length > 0 && queries.every((each) => queryOf(each).length > 0);
}

function queriesIn(element: XmlElement): readonly XmlElement[] {
  const isChange = element.name === 'config-file' || element.name === 'gap:config-file';
  return isChange && /(?:^|\/)queries$/.test(attributeOf(element, 'parent')) ? childrenOf(element) : [];
}

function queryOf(element: XmlElement): readonly string[] {
  if (element.name === 'package') {
    return valid(`${PACKAGE}${attributeOf(element, 'android:name')}`);
  }
  const children = childrenOf(element);
  const data = children.find(({ name }) => name === 'data');
  const found = attributeOf(data, 'android:scheme') || attributeOf(data, 'android:mimeType');
  const action = attributeOf(
    children.find(({ name }) => name === 'action'),
    'android:name',
  );
  return element.name === 'intent' ? valid(found === '' ? action : `${action}:${found}`) : [];
}

function valid(query: string): readonly string[] {
  return /^[\w.]{1,200}(?::[\w.+*/-]{1,200})?$/.test(query) ? [query] : [];
}
