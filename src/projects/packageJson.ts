import { memberOf, parseObject, textMember } from './json.ts';
import type { ProjectFolder } from './projectFolder.ts';

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
  /** Such as `pnpm@9.1.0`. */
  readonly packageManager: string | undefined;
}

/** `Name <email> (address)`, as npm writes an author. */
const AUTHOR = /^([^<>()]{0,200})(?:<([^<>]{0,200})>)?\s{0,9}(?:\(([^()]{0,500})\))?/;

/** The package.json of a folder; undefined when it has none that can be read. @throws CancelledError */
export async function readPackageJson(folder: ProjectFolder): Promise<PackageJson | undefined> {
  const json = parseObject(await folder.text('package.json'));
  return (
    json && {
      name: textMember(json, 'name'),
      version: textMember(json, 'version'),
      description: textMember(json, 'description'),
      author: authorOf(memberOf(json, 'author')),
      scripts: textsOf(memberOf(json, 'scripts')),
      dependencies: ['dependencies', 'devDependencies'].flatMap((name) => [...textsOf(memberOf(json, name)).keys()]),
      packageManager: textMember(json, 'packageManager'),
    }
  );
}

/** What is no address is left out: nobody has checked it. */
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
