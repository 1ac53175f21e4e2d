/** Checked values of config.xml, or of the app's fields. */
import { APP_VERSION, JAVA_KEYWORDS, toAndroidId, UNSAFE_CHARACTERS } from '../../formats/appIdentity.ts';
import { MAX_ID_LENGTH } from '../../formats/limits.ts';
import type { App, Platform } from '../store/model.ts';
import { BuildError, type Log } from './builder.ts';
import { NO_START_PAGE } from './packages/appFiles.ts';
import { pageOfContent, type ConfigFile } from './packages/packageConfig.ts';

const DEFAULT_START_PAGE = 'index.html';
const DEFAULT_VERSION = '1.0.0';

const APP_ID = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
/**
 * The ID that the app has on a platform: the one that config.xml gives, else that of the app at the service, which the log then notes. As
 * cordova-android does, hyphens become underscores on Android; other platforms keep them.
 *
 * @param given blank: none is given
 * @throws BuildError for an ID that isn't the name of a Java package, even so
 */
export function requireAppId(given: string, app: Pick<App, 'package'>, platform: Platform, log: Log): string {
  const id = firstText(given, app.package);
  if (id !== given) {
    log(`No config.xml gives an ID, so the app keeps the one that it has at the service: ${app.package}.`);
  }
  const androidId = toAndroidId(id);
  const parts = androidId.split('.');
  if (!APP_ID.test(androidId) || id.length > MAX_ID_LENGTH || parts.some((part) => JAVA_KEYWORDS.has(part))) {
    throw new BuildError(
      `Invalid application identifier “${plainText(id)}”: it must look like com.company.app, of letters, digits and ` +
        'underscores, without keywords of Java.',
    );
  }
  if (platform !== 'android' || androidId === id) {
    return id;
  }
  log(`ID ${id}: Android allows no hyphens, so it is ${androidId} there.`);
  return androidId;
}

/** @param version blank if none is given. @throws BuildError if it isn't a version */
export function requireVersion(version: string): string {
  const given = firstText(version, DEFAULT_VERSION);
  if (!APP_VERSION.test(given)) {
    throw new BuildError(`Invalid version “${plainText(given)}”: it must be numbers with dots, such as 1.0.0.`);
  }
  return given;
}

/** The numbers of a version: as Cordova does, it is cut at the hyphen. */
export function numbersOfVersion(version: string): string {
  const [numbers = ''] = version.split('-', 1);
  return numbers;
}

/**
 * The page that an app begins with, relative to its web root.
 *
 * @param src of `<content>`
 * @throws BuildError if the app has no start page
 */
export function requireStartPage(src: string, webFiles: readonly string[], log: Log): string {
  const page = pageOfContent(src);
  if (webFiles.includes(page) && plainText(page) === page) {
    return page;
  }
  if (!webFiles.includes(DEFAULT_START_PAGE)) {
    throw new BuildError(NO_START_PAGE);
  }
  log(`config.xml: <content src> names no file of the app; the app begins with ${DEFAULT_START_PAGE}.`);
  return DEFAULT_START_PAGE;
}

/** The website that an app shows in place of its pages; undefined when `<content src>` names none. */
export function websiteOf({ contentSrc }: ConfigFile): URL | undefined {
  return /^https?:\/\//i.test(contentSrc) ? (URL.parse(contentSrc) ?? undefined) : undefined;
}

/** The first that isn't blank. */
export function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '') ?? '';
}

/** A text without the characters that mean something in a generated file. */
export function plainText(text: string): string {
  return text.replace(UNSAFE_CHARACTERS, '').trim();
}

/** Text for an element or an attribute of XML or HTML. XML takes no control characters, in no form. */
export function escapeMarkup(text: string): string {
  return text
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The attributes of an element, with a space before each. */
export function xmlAttributes(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`)
    .join('');
}
