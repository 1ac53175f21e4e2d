/** Where the rules are written down. */

const CORDOVA = 'https://cordova.apache.org/docs/en/latest/';

/** A section of Cordova's reference of config.xml. @param anchor of its heading */
export function at(anchor: string): string {
  return `${CORDOVA}config_ref/#${anchor}`;
}

export const PREFERENCE = at('preference');
export const ICONS = `${CORDOVA}config_ref/images.html`;
export const ALLOW_LIST = `${CORDOVA}guide/appdev/allowlist/`;
export const HOOKS = `${CORDOVA}guide/appdev/hooks/`;

/** A section of Cordova's page about splash screens. */
export function splashScreenAt(anchor: string): string {
  return `${CORDOVA}core/features/splashscreen/#${anchor}`;
}

/** A section of Cordova's reference of plugin.xml, which explains the elements that both files have. */
export function pluginXmlAt(anchor: string): string {
  return `${CORDOVA}plugin_ref/spec.html#${anchor}`;
}

/** The page of a plugin. @param name in the registry of npm */
export function pluginPage(name: string): string {
  return `https://www.npmjs.com/package/${name}`;
}

/** A page of the documentation of PhoneGap Build, which took config.xml files until 2020. */
export function phoneGapBuildAt(page: string): string {
  return `https://github.com/phonegap/phonegap-docs/blob/master/docs/4-phonegap-build/2-configuring/${page}.html.md`;
}

/** W3C, Packaged Web Apps (Widgets): the format that config.xml extends. */
export function widgetsAt(anchor: string): string {
  return `https://www.w3.org/TR/widgets/#${anchor}`;
}

/** The code that reads a preference which no page explains. @param path in the repository of the platform */
export function sourceOnGitHub(platform: 'android' | 'ios', path: string): string {
  const release = platform === 'android' ? 'rel/15.0.0' : 'rel/8.1.0';
  return `https://github.com/apache/cordova-${platform}/blob/${release}/${path}`;
}

/** A page of Cordova's reference of an earlier version. @param version of the reference, such as 9.x */
export function formerReference(version: string, page = 'config_ref/index'): string {
  const commit = '344e85b55ccaaf82a47f0a81f875c71999b550c4';
  return `https://github.com/apache/cordova-docs/blob/${commit}/www/docs/en/${version}/${page}.md`;
}

/** What changed in a release of a platform. */
export function releaseOf(platform: 'android' | 'ios', date: string, version: string): string {
  return `https://cordova.apache.org/announcements/${date}/cordova-${platform}-${version}.html`;
}
