import { mkdir, rm, stat } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';

import { shown } from './archiveContents.ts';
import { checkPackage } from './checkPackage.ts';
import { cloneRepository, tooLarge, type CloneLimits } from './gitClone.ts';
import { PackageError } from './packageInfo.ts';
import { zipFolder } from './zipFolder.ts';

/** A repository that an app is made from. */
export interface Repository {
  readonly url: string;
  /** Branch or tag; `null`: the default branch. */
  readonly tag: string | null;
}

const DEFAULT_LIMITS: CloneLimits = { timeoutMs: 60_000, maxPackBytes: 250_000_000 };

const MAX_URL_LENGTH = 2000;
const MAX_TAG_LENGTH = 250;

/** A repository at GitHub: letters, digits and hyphens for the owner; dots and underscores in the name, too. */
const GITHUB_REPOSITORY = /^([a-z\d][a-z\d-]*)\/([a-z\d_][\w.-]*?|\.[\w.-]*[\w-])(?:\.git)?$/i;

/** What git refuses in the name of a branch or tag (git-check-ref-format), and a `-` at its start, which would be an option. */
const BAD_REF_NAME = /^[-/.]|[\p{Cc}\p{Cf} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$|^@$/u;

/** A user's name that may be repeated in an answer; longer ones are often access tokens. */
const USER_NAME = /^[a-z][a-z\d-]{0,19}$/i;

const USE_HTTPS = 'Name it by an https URL, or as owner/name when it is at GitHub.';

/**
 * Reads what clients send as `repo`: a URL, or `owner/name`, both with an optional `#branch`.
 *
 * @param tag branch or tag, which counts more than that in `repo`; `null` and empty: none
 * @throws PackageError for one that is not supported
 */
export function parseRepository(repo: string, tag: string | null): Repository {
  const [, address = '', branch = ''] = /^([^#]*)#?([^]*)$/.exec(repo.trim()) ?? [];
  const ref = tag === null || tag === '' ? branch : tag;
  if (ref !== '' && (ref.length > MAX_TAG_LENGTH || BAD_REF_NAME.test(ref))) {
    throw new PackageError(`${shown(ref)} is not the name of a branch or tag. Correct it.`);
  }
  return { url: urlOf(address), tag: ref === '' ? null : ref };
}

/**
 * Clones a repository and packs its files into a zip archive.
 *
 * @param workFolder an empty folder; the archive is made in it
 * @param limits of the clone; `maxPackBytes` is that of the archive, too. 60 seconds and 250 MB by default
 * @returns the path of the archive
 * @throws PackageError when it cannot be cloned, or holds what an app may not hold; the signal's reason when it is aborted
 */
export async function packRepository(
  repository: Repository,
  workFolder: string,
  signal: AbortSignal,
  limits: Partial<CloneLimits> = {},
): Promise<string> {
  const allLimits = { ...DEFAULT_LIMITS, ...limits };
  const folder = join(workFolder, 'repository');
  const target = join(workFolder, 'repository.zip');
  await mkdir(folder, { mode: 0o700 });
  await cloneRepository(repository.url, repository.tag, folder, signal, allLimits);
  const files = join(folder, 'files');
  await rm(join(files, '.git'), { recursive: true, force: true });
  await zipFolder(files, target, signal);
  await rm(folder, { recursive: true, force: true });
  if ((await stat(target)).size > allLimits.maxPackBytes) {
    throw tooLarge(allLimits.maxPackBytes);
  }
  await checkPackage(target);
  return target;
}

function urlOf(address: string): string {
  refuseCredentials(address);
  if (address === '' || address.length > MAX_URL_LENGTH || /[\p{Cc}\p{Cf}\s\\]/u.test(address)) {
    throw new PackageError(`${shown(address)} is not a repository. ${USE_HTTPS}`);
  }
  const [, owner, name] = GITHUB_REPOSITORY.exec(address) ?? [];
  if (owner !== undefined && name !== undefined) {
    return `https://github.com/${owner}/${name}.git`;
  }
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) {
    throw new PackageError(`${shown(address)} is not a repository that can be cloned. ${USE_HTTPS}`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new PackageError(`${shown(address)} is not encrypted. Use https.`);
  }
  if (url.search !== '') {
    throw new PackageError('The URL of a repository has no query. Remove what follows the question mark.');
  }
  return url.href;
}

/** Refuses `user@host:path`, and `user:password@` in a URL of any scheme. */
function refuseCredentials(address: string): void {
  const user = /^(?:[a-z][a-z\d+.-]*:\/\/)?([^/]*)@/i.exec(address)?.[1];
  if (user !== undefined) {
    const what = USER_NAME.test(user) ? `"${user}@"` : 'the user name and password';
    throw new PackageError(`Private repository URLs not supported - try removing ${what}`);
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}
