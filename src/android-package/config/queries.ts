/**
 * Reads the entries that config.xml adds to the manifest's `<queries>`. They determine which other apps an app can see
 * on Android 11 and later.
 */
import type { XmlElement } from '@rgrove/parse-xml';

import { getAttribute, getChildren } from './xmlElements.ts';

/** Prefix of entries that contain the name of an app's package. */
export const PACKAGE = 'package:';

/**
 * Returns the entries for `<queries>`.
 *
 * @param elements elements in config.xml that apply to Android
 * @returns entries in one of two forms: `package:` with the name of an app's package, or an intent's action, optionally
 * followed by a colon and the scheme or type of its data
 */
export function readQueries(elements: readonly XmlElement[]): readonly string[] {
  return elements.flatMap((element) => queriesIn(element).flatMap(parseQuery));
}

/** Reports whether the only effect of an element is to add entries that {@link readQueries} returns. */
export function addsOnlyQueries(element: XmlElement): boolean {
  const queries = queriesIn(element);
  return queries.length > 0 && queries.every((each) => parseQuery(each).length > 0);
}

function queriesIn(element: XmlElement): readonly XmlElement[] {
  const isChange = element.name === 'config-file' || element.name === 'gap:config-file';
  return isChange && /(?:^|\/)queries$/.test(getAttribute(element, 'parent')) ? getChildren(element) : [];
}

function parseQuery(element: XmlElement): readonly string[] {
  if (element.name === 'package') {
    return valid(`${PACKAGE}${getAttribute(element, 'android:name')}`);
  }
  const children = getChildren(element);
  const data = children.find(({ name }) => name === 'data');
  const found = getAttribute(data, 'android:scheme') || getAttribute(data, 'android:mimeType');
  const action = getAttribute(
    children.find(({ name }) => name === 'action'),
    'android:name',
  );
  return element.name === 'intent' ? valid(found === '' ? action : `${action}:${found}`) : [];
}

function valid(query: string): readonly string[] {
  return /^[\w.]{1,200}(?::[\w.+*/-]{1,200})?$/.test(query) ? [query] : [];
}
