/** Git repositories that apps are made from. */
import { lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { inheritedEnvironment, ProgramError, runProgram, toolPath } from '../runProgram.ts';
import { CHECK_INTERVAL_MS, CLONE_TIMEOUT_MS, MAX_UNPACKED_BYTES } from '../../limits.ts';
import { ArchiveContents, FOLDER_MODE, PackageError, shown } from './archiveContents.ts';
import { zipFolder } from './zipArchive.ts';
import type { Log } from '../builder.ts';

/** A repository that an app is made from. */
export interface Repository {
  readonly url: string;
  /** Branch or tag; `null`: the default branch. */
  readonly tag: string | null;
}

interface CloneLimits {
  readonly timeoutMs?: number;
  /** Bytes of what git fetches, which are the packed files of one commit or, from a plain web server, of all; and of the archive. */
  readonly maxPackBytes: number;
}

/** What a file takes of the disk at least: a plain web server sends each object as a file of its own. */
const BLOCK_BYTES = 4096;
/** What git says of a plain web server, which cannot send one commit alone. */
const NO_SINGLE_COMMIT = 'dumb http transport does not support shallow';
/** Variables that git needs to find its programs and the way to the network. None signs in to a repository. */
const GIT_NAMES = (
  'PATHEXT SystemRoot TEMP TMP GIT_EXEC_PATH http_proxy https_proxy HTTPS_PROXY no_proxy NO_PROXY ' +
  'SSL_CERT_FILE SSL_CERT_DIR GIT_SSL_CAINFO'
).split(' ');

/** A repository at GitHub: letters, digits and hyphens for the owner; dots and underscores in the name, too. */
const GITHUB_REPOSITORY = /^([a-z\d][a-z\d-]*)\/([a-z\d_][\w.-]*?|\.[\w.-]*[\w-])(?:\.git)?$/i;

/** Names of branches and tags that git refuses (git-check-ref-format), and a `-` at the start, which would be an option. */
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
  if (BAD_REF_NAME.test(ref)) {
    throw new PackageError(`${shown(ref)} is not the name of a branch or tag. Correct it.`);
  }
  return { url: repositoryUrl(address), tag: ref === '' ? null : ref };
}

/**
 * Clones a repository and packs its files into a zip archive.
 *
 * @param workFolder an empty folder; the archive is made in it
 * @returns the path of the archive, which is not checked yet
 * @throws PackageError when it cannot be cloned or is too large; the signal's reason when it is aborted
 */
export async function packRepository(
  repository: Repository,
  workFolder: string,
  signal: AbortSignal,
  limits: CloneLimits,
): Promise<string> {
  const folder = join(workFolder, 'repository');
  const target = join(workFolder, 'repository.zip');
  await mkdir(folder, { mode: FOLDER_MODE });
  await cloneRepository(repository, folder, signal, limits);
  const files = join(folder, 'files');
  await rm(join(files, '.git'), { recursive: true, force: true });
  await zipFolder(files, target, signal);
  await rm(folder, { recursive: true, force: true });
  if ((await stat(target)).size > limits.maxPackBytes) {
    throw tooLarge(limits.maxPackBytes);
  }
  return target;
}

/**
 * Clones the latest commit of a repository into `files` of a folder: no submodules, no hooks, no configuration and no credentials
 * of the user, links as texts; no history either, unless a plain web server has the repository.
 *
 * @param tag branch or tag; `null`: the default branch
 * @param folder an empty folder
 * @throws PackageError when it cannot be cloned, is too large, or time is up; the signal's reason when it is aborted. git and
 *   all that it started have ended then
 */
async function cloneRepository(
  { url, tag }: Repository,
  folder: string,
  signal: AbortSignal,
  { timeoutMs = CLONE_TIMEOUT_MS, maxPackBytes }: CloneLimits,
): Promise<void> {
  const home = join(folder, 'home');
  const files = join(folder, 'files');
  await mkdir(home, { mode: FOLDER_MODE });
  await writeFile(join(home, 'config'), '');
  const limit = new AbortController();
  const git: Git = async (cwd, args, log) => {
    const signals = AbortSignal.any([signal, limit.signal]);
    const program = { command: 'git', args: [...configOf(url, home), ...args], cwd, env: environmentOf(url, home) };
    await runProgram({ ...program, log, signal: signals }).catch((error: unknown) => {
      throw error instanceof ProgramError ? gitFailure(error, tag) : error;
    });
  };
  const timeout = setTimeout(() => {
    limit.abort(new PackageError(`The repository was not cloned within ${Math.ceil(timeoutMs / 1000)} s. Try again.`));
  }, timeoutMs);
  const ended = new AbortController();
  let maxBytes = maxPackBytes;
  const watching = watchSize(files, () => maxBytes, ended.signal).catch((error: unknown) => limit.abort(error));
  try {
    await fetchCommit(git, { url, tag }, folder, files);
    // A few folders in each other can be billions of files, all of which git would have in memory to check them out.
    const listed = new ArchiveContents();
    await git(files, 'ls-tree -r -t -l HEAD'.split(' '), (line) => {
      try {
        addListed(listed, line);
      } catch (error) {
        limit.abort(error);
      }
    });
    await checkSize(files, maxBytes);
    // Attributes of the repository may make files larger than they were listed.
    maxBytes += MAX_UNPACKED_BYTES;
    await git(files, ['checkout', '--quiet']);
  } finally {
    clearTimeout(timeout);
    ended.abort();
    await watching;
  }
  await checkSize(files, maxBytes);
}

/** Runs git. @throws PackageError that says why it has failed; the signal's reason when it is aborted */
type Git = (cwd: string, args: readonly string[], log?: Log) => Promise<void>;

/** Fetches one commit; from a plain web server, which cannot send one alone, all of them. */
async function fetchCommit(git: Git, { url, tag }: Repository, folder: string, files: string): Promise<void> {
  const options = 'clone --quiet --no-checkout --single-branch --no-tags --template='.split(' ');
  // Nothing after `--` is an option: a second wall, as the address begins with http.
  const rest = [...(tag === null ? [] : ['--branch', tag]), '--', url, files];
  let hasSingleCommits = true;
  const onLine = (line: string): void => {
    hasSingleCommits &&= !line.includes(NO_SINGLE_COMMIT);
  };
  await git(folder, [...options, '--depth', '1', ...rest], onLine).catch(async (error: unknown) => {
    if (hasSingleCommits) {
      throw error;
    }
    await rm(files, { recursive: true, force: true });
    await git(folder, [...options, ...rest]);
  });
}

/** The error for the developer; that of the system where the disk is full. */
function gitFailure({ code, lines }: ProgramError, tag: string | null): Error {
  if (code === 'ENOENT') {
    return new PackageError(
      'Repositories cannot be cloned, because git is not installed where the service runs. Upload the files instead.',
    );
  }
  const output = lines.join('\n');
  return output.includes('No space left on device')
    ? Object.assign(new Error('no space left for a clone'), { code: 'ENOSPC' })
    : new PackageError(sentenceOf(output, tag));
}

/** Adds what a line of `git ls-tree -l` names. @throws PackageError for what may not be in a package */
function addListed(contents: ArchiveContents, line: string): void {
  const [, type, size, name = ''] = /^\d+ (\w+) \w+ +(\d+|-)\t(.*)$/.exec(line) ?? [];
  // Quoted as in C is a name with a quote, a backslash, or a control character, which no name may have.
  const path = name.startsWith('"')
    ? name.slice(1, -1).replaceAll(/\\(.)/g, (_escape, code: string) => (/["\\]/.test(code) ? code : '\0'))
    : name;
  if (type === 'blob') {
    contents.addFile(path, Number(size));
  } else if (type === 'tree') {
    contents.addFolder(path);
  }
}

/** Options of git itself. */
function configOf(url: string, home: string): readonly string[] {
  const config = {
    // A second wall: a clone without a template and without a configuration has no hooks.
    'core.hooksPath': join(home, 'hooks'),
    'core.attributesFile': join(home, 'attributes'),
    'core.symlinks': 'false',
    'core.autocrlf': 'false',
    // Larger files go to the disk piece by piece; git would hold them in memory.
    'core.bigFileThreshold': '1m',
    'core.fsmonitor': 'false',
    'core.quotePath': 'false',
    // Each thread holds an object of its own, and what it is a change of.
    'pack.threads': '1',
    // A second wall: only a configuration names a helper, and none is read.
    'credential.helper': '',
    'gc.auto': '0',
    'maintenance.auto': 'false',
    'submodule.recurse': 'false',
    // A renamed repository redirects the first request. Plain http is for this machine, and stays there.
    'http.followRedirects': url.startsWith('https:') ? 'initial' : 'false',
  };
  return Object.entries(config).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function environmentOf(url: string, home: string): Record<string, string> {
  return {
    ...inheritedEnvironment(GIT_NAMES),
    PATH: toolPath(process.env),
    HOME: home,
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: url.startsWith('https:') ? 'https' : 'http',
    // One object of a pack of a kilobyte may be gigabytes, as changes of another one.
    GIT_ALLOC_LIMIT: '256m',
    GIT_ASKPASS: '',
    GIT_ATTR_NOSYSTEM: '1',
    // A second wall: HOME is a folder of the clone.
    GIT_CONFIG_GLOBAL: join(home, 'config'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Checks the size of a clone again and again, one check at a time. @throws PackageError when it is too large */
async function watchSize(folder: string, maxBytes: () => number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await checkSize(folder, maxBytes());
    await sleep(CHECK_INTERVAL_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** @throws PackageError when the files of a folder, which changes meanwhile, take more of the disk */
async function checkSize(folder: string, maxBytes: number): Promise<void> {
  let bytes = 0;
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names) {
    const { size = 0 } = (await lstat(join(folder, name)).catch(() => undefined)) ?? {};
    bytes += Math.max(size, BLOCK_BYTES);
  }
  if (bytes > maxBytes) {
    throw tooLarge(maxBytes);
  }
}

/** The error for a repository of which more would be fetched, or packed, than is allowed. */
function tooLarge(maxBytes: number): PackageError {
  const megabytes = Math.round(maxBytes / 1_000_000);
  return new PackageError(`The repository is larger than ${megabytes} MB. Upload the files of the app.`);
}

/** A sentence for the developer, from the output of git. */
function sentenceOf(errorOutput: string, tag: string | null): string {
  if (tag !== null && /^fatal: Remote branch .* not found/m.test(errorOutput)) {
    return `The repository has no branch or tag ${shown(tag)}. Correct its name.`;
  }
  if (/could not read Username|Authentication failed|repository '[^']*' not found/i.test(errorOutput)) {
    return 'The repository cannot be read: it does not exist, or it is private. Only public repositories can be cloned.';
  }
  if (errorOutput.includes('Not a valid object name HEAD')) {
    return 'The repository is empty. Push the files of the app to it first.';
  }
  if (/^fatal: attempting to allocate \d+ over limit/m.test(errorOutput)) {
    return 'The repository holds a file that is too large. Upload the files of the app.';
  }
  const reason = /^(?:fatal|error): (.*)$/m.exec(errorOutput)?.[1] ?? 'git failed';
  return `The repository cannot be cloned: ${shown(reason).slice(1, -1).replace(/[.:]$/, '')}. Check its URL.`;
}

function repositoryUrl(address: string): string {
  refuseCredentials(address);
  if (address === '' || /[\p{Cc}\p{Cf}\s\\]/u.test(address)) {
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

/** Refuses `user@host:path`, and `user:password@` in a URL of any scheme, which takes any number of slashes for http. */
function refuseCredentials(address: string): void {
  const { username = '', password = '' } = URL.parse(address) ?? {};
  const parsed = password === '' ? username : `${username}:${password}`;
  const user = parsed === '' ? /^(?:[a-z][a-z\d+.-]*:\/\/)?([^/]*)@/i.exec(address)?.[1] : parsed;
  if (user !== undefined) {
    const what = USER_NAME.test(user) ? `"${user}@"` : 'the user name and password';
    throw new PackageError(`Private repository URLs not supported - try removing ${what}`);
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}
