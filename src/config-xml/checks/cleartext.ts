import { isCleartextPlugin } from '../../android-package/index.ts';
import type { XmlDocument, XmlElement } from '../xmlDocument.ts';
import { findAttribute, getPluginName, getStartPage, widgetParts } from '../widget.ts';

const CLEARTEXT = 'android:usesCleartextTraffic';

/**
 * Reports whether a config.xml lets the Android app load unencrypted addresses, according to the rules of the built-in
 * builder.
 */
export function allowsCleartext(document: XmlDocument): boolean {
  const isHttp = (address: string | undefined): boolean => /^http:/i.test(address ?? '');
  return (
    isHttp(getStartPage(document)) ||
    widgetParts(document)
      .filter(({ platform }) => platform === undefined || platform === 'android')
      .some(({ name, element }) => {
        switch (name) {
          case 'access':
            return isHttp(findAttribute(element, 'origin')?.value);
          case 'allow-navigation':
            return isHttp(findAttribute(element, 'href')?.value);
          case 'plugin':
            return isCleartextPlugin(getPluginName(element));
          default:
            return changesCleartext(element, name);
        }
      })
  );
}

/**
 * Reports whether an element makes the manifest allow unencrypted addresses.
 *
 * @param name the name of the element without its prefix
 */
export function changesCleartext(element: XmlElement, name: string): boolean {
  return (
    (name === 'edit-config' || name === 'config-file') &&
    element.children.some((child) => findAttribute(child, CLEARTEXT)?.value === 'true')
  );
}
