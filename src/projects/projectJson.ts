import { MAX_CONFIGURATION_BYTES, MAX_TEXT_LENGTH } from './limits.ts';
import type { ProjectFolder } from './projectFolder.ts';

/** Reads JSON files that a person or a tool has written. */

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

/** A member that is a text, without white space at its ends; undefined for an empty one. */
export function textMember(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  const text = typeof member === 'string' && member.length <= MAX_TEXT_LENGTH ? member.trim() : '';
  return text === '' ? undefined : text;
}

/** Scripts that make the pages of a project, as most call them; the first counts. */
export const BUILD_SCRIPTS: readonly string[] = ['build', 'build:prod', 'export'];

/** What a package.json says of an app. */
export interface PackageJson {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  /** E-mail address and URL may be empty. */
  readonly author: { readonly name: string; readonly email: string; readonly url: string } | undefined;
  /** Commands by their names. */
  readonly scripts: ReadonlyMap<string, string>;
  /** Names of the packages that it depends on. */
  readonly dependencies: readonly string[];
  /** Cordova writes platforms and plugins into it. */
  readonly isCordova: boolean;
  /** Such as `pnpm@9.1.0`. */
  readonly packageManager: string | undefined;
}

/** `Name <email> (address)`, as npm writes an author. */
const AUTHOR = /^([^<>()]{0,200})(?:<([^<>]{0,200})>)?\s{0,9}(?:\(([^()]{0,500})\))?/;

/** The package.json of a folder; undefined when it has none that can be read. @throws CancelledError */
export async function readPackageJson(folder: ProjectFolder): Promise<PackageJson | undefined> {
  return packageJsonIn(await folder.text('package.json'));
}

/** What a package.json says; undefined for what is none. */
export function packageJsonIn(text: string | undefined): PackageJson | undefined {
  const json = parseObject(text);
  return (
    json && {
      name: textMember(json, 'name'),
      version: textMember(json, 'version'),
      description: textMember(json, 'description'),
      author: authorOf(memberOf(json, 'author')),
      scripts: textsOf(memberOf(json, 'scripts')),
      dependencies: ['dependencies', 'devDependencies'].flatMap((name) => [...textsOf(memberOf(json, name)).keys()]),
      isCordova: memberOf(json, 'cordova') !== undefined,
      packageManager: textMember(json, 'packageManager'),
    }
  );
}

/** Invalid addresses are left out: npm does not check them. */
function authorOf(value: unknown): PackageJson['author'] {
  const [, ...written] = typeof value === 'string' ? (AUTHOR.exec(value) ?? []) : [];
  const members = ['name', 'email', 'url'].map((name) => textMember(value, name));
  const [name = '', email = '', url = ''] = written.length > 0 ? written : members;
  const protocol = URL.parse(url)?.protocol ?? '';
  return name.trim() === ''
    ? undefined
    : {
        name: name.trim(),
        email: /^[\w.+-]+@[\w.-]+$/.test(email) ? email : '',
        url: /^https?:$/.test(protocol) ? url : '',
      };
}

function textsOf(value: unknown): ReadonlyMap<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return new Map(members.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])));
}

/** What a web app manifest says of an app, as far as it is used (W3C, Web Application Manifest, §1). */
export interface WebManifest {
  readonly name: string | undefined;
  readonly shortName: string | undefined;
  readonly description: string | undefined;
  readonly startUrl: string | undefined;
  readonly display: string | undefined;
  readonly orientation: string | undefined;
  readonly themeColor: string | undefined;
  readonly backgroundColor: string | undefined;
  /** Addresses of images, as written. */
  readonly icons: readonly string[];
}

/** Reads a manifest.json or site.webmanifest. What is not as it should be is left out; a broken file says nothing. */
export function readWebManifest(text: string): WebManifest {
  const manifest = parseObject(text);
  const icons = memberOf(manifest, 'icons');
  return {
    name: textMember(manifest, 'name'),
    shortName: textMember(manifest, 'short_name'),
    description: textMember(manifest, 'description'),
    startUrl: textMember(manifest, 'start_url'),
    display: textMember(manifest, 'display'),
    orientation: textMember(manifest, 'orientation'),
    themeColor: textMember(manifest, 'theme_color'),
    backgroundColor: textMember(manifest, 'background_color'),
    icons: (Array.isArray(icons) ? icons : []).flatMap((icon) => textMember(icon, 'src') ?? []),
  };
}
