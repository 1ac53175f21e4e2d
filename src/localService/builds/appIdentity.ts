/** What an app is called and begins with, as builders take it from config.xml or from the fields of the app. */
import { BuildError } from './builder.ts';

const MAX_TEXT_LENGTH = 1000;
const MAX_ID_LENGTH = 200;

export const NO_START_PAGE =
  'App has no index.html: put one at the root of the package or in its www folder, ' +
  'or name the first page in <content src> of config.xml.';
const DEFAULT_START_PAGE = 'index.html';
const DEFAULT_VERSION = '1.0.0';

const APP_ID = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/;
export const APP_VERSION = /^\d{1,9}(\.\d{1,9}){0,3}$/;
/** What the languages of generated files give a meaning: Groovy, XML, properties, shell. */
const UNSAFE_CHARACTERS = /[$`{}\\"'<>\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;

/** Java Language Specification, §3.9: no part of a package's name. */
const JAVA_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends false ' +
    'final finally float for goto if implements import instanceof int interface long native new null package private ' +
    'protected public return short static strictfp super switch synchronized this throw throws transient true try void ' +
    'volatile while'
  ).split(' '),
);

/** @throws BuildError for an ID that is no name of a Java package */
export function requireAppId(id: string): string {
  if (!APP_ID.test(id) || id.length > MAX_ID_LENGTH || id.split('.').some((part) => JAVA_KEYWORDS.has(part))) {
    throw new BuildError(
      `Invalid application identifier “${plainText(id)}”: it must look like com.company.app, of letters, digits and ` +
        'underscores, without keywords of Java.',
    );
  }
  return id;
}

/** @param version empty: none is given. @throws BuildError for what is no version */
export function requireVersion(version: string): string {
  const given = firstText(version, DEFAULT_VERSION);
  if (!APP_VERSION.test(given)) {
    throw new BuildError(`Invalid version “${plainText(given)}”: it must be numbers with dots, such as 1.0.0.`);
  }
  return given;
}

/**
 * The page that an app begins with, relative to its web root.
 *
 * @param src of `<content>`; `undefined`: there is no config.xml
 * @throws BuildError when there is no page to begin with
 */
export function requireStartPage(
  src: string | undefined,
  webFiles: ReadonlySet<string>,
  log: (line: string) => void,
): string {
  const page = pageOf(src ?? DEFAULT_START_PAGE);
  if (webFiles.has(page) && plainText(page) === page) {
    return page;
  }
  if (!webFiles.has(DEFAULT_START_PAGE)) {
    throw new BuildError(NO_START_PAGE);
  }
  log(`config.xml: <content src> names no file of the app; the app begins with ${DEFAULT_START_PAGE}.`);
  return DEFAULT_START_PAGE;
}

/** The file that a `<content src>` names, relative to the web root. */
export function pageOf(src: string): string {
  return src.replace(/[?#].*$/s, '').replace(/^(\.?\/)+/, '');
}

/** The first that is not empty. */
export function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}

/** A text without the characters that mean something in a generated file. */
export function plainText(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).replace(UNSAFE_CHARACTERS, '').trim();
}
