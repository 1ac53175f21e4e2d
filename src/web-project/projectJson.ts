import * as z from 'zod/mini';
import { MAX_CONFIGURATION_BYTES, MAX_PATH_BYTES } from './limits.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** Reads JSON files that a user or a tool has written. Ignores values of the wrong type. */

/**
 * Parses a JSON object. Returns undefined if the text isn't a JSON object, or is longer than {@link
 * MAX_CONFIGURATION_BYTES}.
 */
export function parseObject(text = ''): object | undefined {
  if (text.length > MAX_CONFIGURATION_BYTES) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an object's own member, or undefined. */
export function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Returns the members of an object that are strings. */
export function textsIn(value: unknown): ReadonlyMap<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(members.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])));
}

/** A trimmed string, or undefined if it's empty. */
const TEXT = z.catch(z.optional(z.string().check(z.maxLength(MAX_PATH_BYTES), z.trim(), z.minLength(1))), undefined);

/** Common names of scripts that build the pages of a project. The first one that exists is used. */
export const BUILD_SCRIPTS: readonly string[] = ['build', 'build:prod', 'export'];

const PACKAGE_JSON = z.object({
  name: TEXT,
  version: TEXT,
  description: TEXT,
  /** Name and version of the package manager, such as `pnpm@9.1.0`. */
  packageManager: TEXT,
});

const PERSON = z.catch(z.object({ name: TEXT, email: TEXT, url: TEXT }), {});

/** Facts about an app in a package.json. */
export type PackageJson = NonNullable<ReturnType<typeof packageJsonIn>>;

/**
 * Reads the package.json of a folder. Returns undefined if it can't be read.
 *
 * @throws CancelledError
 */
export async function readPackageJson(folder: ProjectFolder): Promise<PackageJson | undefined> {
  return packageJsonIn(await folder.readText('package.json'));
}

/** Parses a package.json. Returns undefined if it's invalid. */
export function packageJsonIn(text: string | undefined) {
  const json = parseObject(text);
  return (
    json && {
      ...PACKAGE_JSON.parse(json),
      author: toAuthor(getMember(json, 'author')),
      /** Commands, keyed by script name. */
      scripts: textsIn(getMember(json, 'scripts')),
      /** Names of the packages that the project depends on. */
      dependencies: ['dependencies', 'devDependencies'].flatMap((name) => [...textsIn(getMember(json, name)).keys()]),
      /** Whether Cordova has added platforms and plugins to the file. */
      isCordova: getMember(json, 'cordova') !== undefined,
      /** Whether the file describes the entry points of a library. npm adds `main` to every file. */
      isLibrary: ['module', 'exports', 'types', 'typings', 'unpkg', 'peerDependencies'].some(
        (name) => getMember(json, name) !== undefined,
      ),
    }
  );
}

/** Matches `Name <email> (address)`, npm's format for authors. */
const AUTHOR = /^([^<>()]{0,200})(?:<([^<>]{0,200})>)?\s{0,9}(?:\(([^()]{0,500})\))?/;

/** Returns the author. Drops an invalid email address or URL, because npm doesn't validate them. */
function toAuthor(value: unknown) {
  const [, ...written] = typeof value === 'string' ? (AUTHOR.exec(value) ?? []) : [];
  const person = PERSON.parse(value);
  const [name = '', email = '', url = ''] = written.length > 0 ? written : [person.name, person.email, person.url];
  const protocol = URL.parse(url)?.protocol ?? '';
  return name.trim() === ''
    ? undefined
    : {
        name: name.trim(),
        email: /^[\w.+-]+@[\w.-]+$/.test(email) ? email : '',
        url: /^https?:$/.test(protocol) ? url : '',
      };
}

/** The members of a web app manifest that are used here (W3C, Web Application Manifest, §1). */
const WEB_MANIFEST = z.object({
  name: TEXT,
  short_name: TEXT,
  description: TEXT,
  start_url: TEXT,
  display: TEXT,
  orientation: TEXT,
  theme_color: TEXT,
  background_color: TEXT,
  /** Images with their addresses, as written. */
  icons: z.catch(z.array(z.catch(z.object({ src: TEXT }), {})), []),
});

export type WebManifest = Readonly<z.infer<typeof WEB_MANIFEST>>;

/** Parses a manifest.json or site.webmanifest. Returns undefined if it's invalid. */
export function readWebManifest(text: string): WebManifest | undefined {
  return WEB_MANIFEST.safeParse(parseObject(text)).data;
}
