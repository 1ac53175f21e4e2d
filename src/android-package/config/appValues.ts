/** Reads and validates values from config.xml or the app's fields. */
import { APP_VERSION, JAVA_KEYWORDS, toAndroidId, UNSAFE_CHARACTERS } from '../appIdentity.ts';
import { MAX_ID_LENGTH, MAX_SHOWN_LENGTH } from '../limits.ts';
import { NO_START_PAGE } from './appFiles.ts';
import { toPagePath, type ConfigFile } from './packageConfig.ts';
import type { Platform, AppFields } from '../model.ts';
import { BuildError, type WriteLog } from '../buildError.ts';

const DEFAULT_START_PAGE = 'index.html';
const DEFAULT_VERSION = '1.0.0';

const APP_ID = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
/**
 * Returns the app's ID on a platform. If config.xml doesn't specify one, uses the app's ID on the service, and logs
 * that. On Android, replaces hyphens with underscores like cordova-android does.
 *
 * @param given ID in config.xml. Blank if missing
 * @throws BuildError if the resulting ID isn't a valid Java package name
 */
export function requireAppId(
  given: string,
  app: Pick<AppFields, 'package'>,
  platform: Platform,
  log: WriteLog,
): string {
  const id = firstText(given, app.package);
  if (id !== given) {
    log(`config.xml doesn’t specify an ID, so the app keeps its ID at the service: ${app.package}.`);
  }
  const androidId = toAndroidId(id);
  const parts = androidId.split('.');
  if (!APP_ID.test(androidId) || id.length > MAX_ID_LENGTH || parts.some((part) => JAVA_KEYWORDS.has(part))) {
    throw new BuildError(
      `Invalid application identifier “${removeUnsafeCharacters(id)}”: it must look like com.company.app and contain only letters, digits, and ` +
        'underscores, without Java keywords.',
    );
  }
  if (platform !== 'android' || androidId === id) {
    return id;
  }
  log(`ID ${id}: Android doesn’t allow hyphens, so the ID is ${androidId} there.`);
  return androidId;
}

/**
 * Returns a version, if it's valid.
 *
 * @param version blank if missing
 * @throws BuildError if it isn't a valid version
 */
export function requireVersion(version: string): string {
  const given = firstText(version, DEFAULT_VERSION);
  if (!APP_VERSION.test(given)) {
    throw new BuildError(
      `Invalid version “${removeUnsafeCharacters(given)}”: it must be numbers separated by dots, such as 1.0.0.`,
    );
  }
  return given;
}

/** Returns the numeric part of a version: the text before a hyphen, as in Cordova. */
export function getVersionNumbers(version: string): string {
  const [numbers = ''] = version.split('-', 1);
  return numbers;
}

/**
 * Returns the app's start page, relative to its web root.
 *
 * @param src `src` of `<content>`
 * @throws BuildError if the app doesn't have a start page
 */
export function requireStartPage(src: string, webFiles: readonly string[], log: WriteLog): string {
  const page = toPagePath(src);
  if (webFiles.includes(page) && removeUnsafeCharacters(page) === page) {
    return page;
  }
  if (!webFiles.includes(DEFAULT_START_PAGE)) {
    throw new BuildError(NO_START_PAGE);
  }
  log(`config.xml: <content src> doesn’t name a file of the app, so the app starts with ${DEFAULT_START_PAGE}.`);
  return DEFAULT_START_PAGE;
}

/** Returns the website that an app shows instead of its pages, or `undefined` if `<content src>` is a page. */
export function getWebsite({ contentSrc }: ConfigFile): URL | undefined {
  return /^https?:\/\//i.test(contentSrc) ? (URL.parse(contentSrc) ?? undefined) : undefined;
}

/** Returns the first string that isn't blank. */
export function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '') ?? '';
}

/** Removes the characters that are special in generated files. */
export function removeUnsafeCharacters(text: string): string {
  return text.replace(UNSAFE_CHARACTERS, '').trim();
}

/**
 * Escapes a string for an element or attribute in XML or HTML. Removes control characters, which XML doesn't allow even
 * when escaped.
 */
export function escapeMarkup(text: string): string {
  return text
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Formats attributes for an element, each with a space before it. */
export function xmlAttributes(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`)
    .join('');
}

/**
 * Returns the file name of a package without its extension: `TITLE-VERSION`. Uses only characters that every file
 * system supports. A title without any such characters becomes `app`.
 */
export function artifactName(title: string, version: string): string {
  return [fileNamePart(title) || 'app', fileNamePart(version)].filter((part) => part !== '').join('-');
}

function fileNamePart(text: string): string {
  // NFKD separates accents from letters, so that they can be dropped.
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, MAX_SHOWN_LENGTH)
    .replace(/(?<![-.])[-.]+$/, '');
}
