import * as z from 'zod/mini';
import { MAX_CONFIGURATION_BYTES, MAX_PATH_BYTES } from './limits.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** Reads JSON files that a user or a tool has written. Values of the wrong type are left out. */

/** An object; undefined for what is none, or no JSON. */
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

/** A member of an object itself. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** The members of an object that are texts. */
export function textsIn(value: unknown): ReadonlyMap<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(members.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])));
}

/** A text without white space at its ends; undefined for an empty one. */
const TEXT = z.catch(z.optional(z.string().check(z.maxLength(MAX_PATH_BYTES), z.trim(), z.minLength(1))), undefined);

/** Scripts that make the pages of a project, as most call them; the first counts. */
export const BUILD_SCRIPTS: readonly string[] = ['build', 'build:prod', 'export'];

const PACKAGE_JSON = z.object({
  name: TEXT,
  version: TEXT,
  description: TEXT,
  /** Such as `pnpm@9.1.0`. */
  packageManager: TEXT,
});

const PERSON = z.catch(z.object({ name: TEXT, email: TEXT, url: TEXT }), {});

/** The facts about an app in a package.json. */
export type PackageJson = NonNullable<ReturnType<typeof packageJsonIn>>;

/** The package.json of a folder; undefined when it has none that can be read. @throws CancelledError */
export async function readPackageJson(folder: ProjectFolder): Promise<PackageJson | undefined> {
  return packageJsonIn(await folder.text('package.json'));
}

/** What a package.json says; undefined if it isn't one. */
export function packageJsonIn(text: string | undefined) {
  const json = parseObject(text);
  return (
    json && {
      ...PACKAGE_JSON.parse(json),
      author: authorOf(memberOf(json, 'author')),
      /** Commands by their names. */
      scripts: textsIn(memberOf(json, 'scripts')),
      /** Names of the packages that it depends on. */
      dependencies: ['dependencies', 'devDependencies'].flatMap((name) => [...textsIn(memberOf(json, name)).keys()]),
      /** Cordova writes platforms and plugins into it. */
      isCordova: memberOf(json, 'cordova') !== undefined,
    }
  );
}

/** `Name <email> (address)`, as npm writes an author. */
const AUTHOR = /^([^<>()]{0,200})(?:<([^<>]{0,200})>)?\s{0,9}(?:\(([^()]{0,500})\))?/;

/** Email address and URL may be empty. Invalid ones are left out: npm does not check them. */
function authorOf(value: unknown) {
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

/** What a web app manifest says of an app, as far as it is used (W3C, Web Application Manifest, §1). */
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

/** Reads a manifest.json or site.webmanifest; undefined if it isn't one. */
export function readWebManifest(text: string): WebManifest | undefined {
  return WEB_MANIFEST.safeParse(parseObject(text)).data;
}
