/** Clones the Git repositories that apps are built from. */
import { lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { inheritedEnvironment, ProgramError, runProgram, toolPath } from '../runProgram.ts';
import { CHECK_INTERVAL_MS, CLONE_TIMEOUT_MS, MAX_UNPACKED_BYTES } from '../../limits.ts';
import { ArchiveContents, FOLDER_MODE } from './archiveContents.ts';
import { zipFolder } from './zipArchive.ts';
import { PackageError, toDisplayText, type WriteLog } from '../../../android-package/index.ts';

/** A repository that an app is built from. */
export interface Repository {
  readonly url: string;
  /** Branch or tag. `null` for the default branch. */
  readonly tag: string | null;
}

interface CloneLimits {
  readonly timeoutMs?: number;
  /**
   * Maximum size of the archive and of the data that Git fetches, in bytes. Git fetches one commit, or all commits if
   * the server is a plain web server.
   */
  readonly maxPackBytes: number;
}

/**
 * Minimum disk space that a file uses, in bytes. This matters for a plain web server, which sends every object as a
 * separate file.
 */
const BLOCK_BYTES = 4096;
/** Git's error message for a plain web server, which can't send a single commit. */
const NO_SINGLE_COMMIT = 'dumb http transport does not support shallow';
/**
 * Environment variables that Git needs to find its programs and to reach the network. They don't contain credentials.
 */
const GIT_NAMES = (
  'PATHEXT SystemRoot TEMP TMP GIT_EXEC_PATH http_proxy https_proxy HTTPS_PROXY no_proxy NO_PROXY ' +
  'SSL_CERT_FILE SSL_CERT_DIR GIT_SSL_CAINFO'
).split(' ');

/**
 * A GitHub repository. The owner consists of letters, digits, and hyphens. The name can also contain dots and
 * underscores.
 */
const GITHUB_REPOSITORY = /^([a-z\d][a-z\d-]*)\/([a-z\d_][\w.-]*?|\.[\w.-]*[\w-])(?:\.git)?$/i;

/**
 * Matches names of branches and tags that Git rejects (git-check-ref-format), and names that Git would treat as options
 * because they start with `-`.
 */
const BAD_REF_NAME = /^[-/.]|[\p{Cc}\p{Cf} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$|^@$/u;

/** Matches a user name that's safe to repeat in a message. Longer ones are often access tokens. */
const USER_NAME = /^[a-z][a-z\d-]{0,19}$/i;

const USE_HTTPS = 'Use an https URL, or owner/name for a GitHub repository.';

/**
 * Parses the `repo` field: a URL or `owner/name`, optionally followed by `#branch`.
 *
 * @param tag branch or tag, which overrides one in `repo`. `null` or empty for none.
 * @throws PackageError for an unsupported repository
 */
export function parseRepository(repo: string, tag: string | null): Repository {
  const [, address = '', branch = ''] = /^([^#]*)#?([^]*)$/.exec(repo.trim()) ?? [];
  const ref = tag === null || tag === '' ? branch : tag;
  if (BAD_REF_NAME.test(ref)) {
    throw new PackageError(`${toDisplayText(ref)} isn’t a valid name of a branch or tag.`);
  }
  return { url: repositoryUrl(address), tag: ref === '' ? null : ref };
}

/**
 * Clones a repository and packs its files into a zip archive.
 *
 * @param workFolder an empty folder for the archive
 * @returns path of the archive, which hasn't been checked yet
 * @throws PackageError if the repository can't be cloned or is too large, or the signal's reason when it's aborted
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
 * Clones the latest commit of a repository into the subfolder `files`. Doesn't use submodules, hooks, or the user's
 * configuration and credentials. Stores links as text files. Doesn't clone the history, except from a plain web server.
 * By the time the promise settles, Git and its subprocesses have exited.
 *
 * @param tag branch or tag, or `null` for the default branch
 * @param folder an empty folder
 * @throws PackageError if the repository can't be cloned, is too large, or takes too long, or the signal's reason when
 * it's aborted
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
  const git: RunGit = async (cwd, args, log) => {
    const signals = AbortSignal.any([signal, limit.signal]);
    const program = {
      command: 'git',
      args: [...getGitOptions(url, home), ...args],
      cwd,
      env: getGitEnvironment(url, home),
    };
    await runProgram({ ...program, log, signal: signals }).catch((error: unknown) => {
      throw error instanceof ProgramError ? gitFailure(error, tag) : error;
    });
  };
  const timeout = setTimeout(() => {
    limit.abort(new PackageError(`The repository wasn’t cloned within ${Math.ceil(timeoutMs / 1000)} s. Try again.`));
  }, timeoutMs);
  const ended = new AbortController();
  let maxBytes = maxPackBytes;
  const watching = watchSize(files, () => maxBytes, ended.signal).catch((error: unknown) => limit.abort(error));
  try {
    await fetchCommit(git, { url, tag }, folder, files);
    // List the files first, because a few nested trees can contain billions of files, and a checkout would keep the
    // whole list in memory.
    const listed = new ArchiveContents();
    await git(files, 'ls-tree -r -t -l HEAD'.split(' '), (line) => {
      try {
        addListed(listed, line);
      } catch (error) {
        limit.abort(error);
      }
    });
    await checkSize(files, maxBytes);
    // Files can become larger than listed because of the repository's `.gitattributes`.
    maxBytes += MAX_UNPACKED_BYTES;
    await git(files, ['checkout', '--quiet']);
  } finally {
    clearTimeout(timeout);
    ended.abort();
    await watching;
  }
  await checkSize(files, maxBytes);
}

/** Runs Git. @throws PackageError with the reason for a failure, or the signal's reason when it's aborted */
type RunGit = (cwd: string, args: readonly string[], log?: WriteLog) => Promise<void>;

/** Fetches one commit, or all commits from a plain web server, which can't send a single one. */
async function fetchCommit(git: RunGit, { url, tag }: Repository, folder: string, files: string): Promise<void> {
  const options = 'clone --quiet --no-checkout --single-branch --no-tags --template='.split(' ');
  // Arguments after `--` aren't options. This is defense in depth, because the address always begins with http.
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

/** Returns an error for the app's developer, or the system's error if the disk is full. */
function gitFailure({ code, lines }: ProgramError, tag: string | null): Error {
  if (code === 'ENOENT') {
    return new PackageError(
      'Repositories can’t be cloned because git isn’t installed on the service’s computer. Upload the files instead.',
    );
  }
  const output = lines.join('\n');
  return output.includes('No space left on device')
    ? Object.assign(new Error('no space left for a clone'), { code: 'ENOSPC' })
    : new PackageError(explainGitError(output, tag));
}

/**
 * Adds the entry that a line of `git ls-tree -l` describes.
 *
 * @throws PackageError if packages can't contain the entry
 */
function addListed(contents: ArchiveContents, line: string): void {
  const [, type, size, name = ''] = /^\d+ (\w+) \w+ +(\d+|-)\t(.*)$/.exec(line) ?? [];
  // Git quotes names that contain a quote, a backslash, or a control character. Packages can't contain such names.
  const path = name.startsWith('"')
    ? name.slice(1, -1).replaceAll(/\\(.)/g, (_escape, code: string) => (/["\\]/.test(code) ? code : '\0'))
    : name;
  if (type === 'blob') {
    contents.addFile(path, Number(size));
  } else if (type === 'tree') {
    contents.addFolder(path);
  }
}

function getGitOptions(url: string, home: string): readonly string[] {
  const config = {
    // Defense in depth: without a template and a configuration, a clone doesn't have hooks.
    'core.hooksPath': join(home, 'hooks'),
    'core.attributesFile': join(home, 'attributes'),
    'core.symlinks': 'false',
    'core.autocrlf': 'false',
    // Stream larger files to disk. Git would otherwise load them into memory.
    'core.bigFileThreshold': '1m',
    'core.fsmonitor': 'false',
    'core.quotePath': 'false',
    // Use one thread, because every thread keeps an object and its delta base in memory.
    'pack.threads': '1',
    // Defense in depth: only a configuration can specify a helper, and Git doesn't read any.
    'credential.helper': '',
    'gc.auto': '0',
    'maintenance.auto': 'false',
    'submodule.recurse': 'false',
    // Allow a redirect of the first request, because renamed repositories redirect it. Plain http is allowed only for
    // this computer, so it must not redirect.
    'http.followRedirects': url.startsWith('https:') ? 'initial' : 'false',
  };
  return Object.entries(config).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function getGitEnvironment(url: string, home: string): Record<string, string> {
  return {
    ...inheritedEnvironment(GIT_NAMES),
    PATH: toolPath(process.env),
    HOME: home,
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: url.startsWith('https:') ? 'https' : 'http',
    // Because of deltas, an object in a one-kilobyte pack can expand to gigabytes.
    GIT_ALLOC_LIMIT: '256m',
    GIT_ASKPASS: '',
    GIT_ATTR_NOSYSTEM: '1',
    // Defense in depth: HOME is already an empty folder of the clone.
    GIT_CONFIG_GLOBAL: join(home, 'config'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Checks the size of a clone repeatedly until cloning has ended. @throws PackageError if it's too large */
async function watchSize(folder: string, maxBytes: () => number, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await checkSize(folder, maxBytes());
    await sleep(CHECK_INTERVAL_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/**
 * Checks the disk space that a folder uses, even if its files change during the check.
 *
 * @throws PackageError if the folder uses too much
 */
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

/** Creates the error for a repository whose download or archive exceeds the limit. */
function tooLarge(maxBytes: number): PackageError {
  const megabytes = Math.round(maxBytes / 1_000_000);
  return new PackageError(`The repository is larger than ${megabytes} MB. Upload the app’s files instead.`);
}

/** Returns a message for the app's developer, based on Git's output. */
function explainGitError(errorOutput: string, tag: string | null): string {
  if (tag !== null && /^fatal: Remote branch .* not found/m.test(errorOutput)) {
    return `The repository doesn’t have a branch or tag ${toDisplayText(tag)}. Correct the name.`;
  }
  if (/could not read Username|Authentication failed|repository '[^']*' not found/i.test(errorOutput)) {
    return 'The repository can’t be read. It doesn’t exist, or it’s private. Only public repositories can be cloned.';
  }
  if (errorOutput.includes('Not a valid object name HEAD')) {
    return 'The repository is empty. Push the app’s files to it first.';
  }
  if (/^fatal: attempting to allocate \d+ over limit/m.test(errorOutput)) {
    return 'The repository contains a file that’s too large. Upload the app’s files instead.';
  }
  const reason = /^(?:fatal|error): (.*)$/m.exec(errorOutput)?.[1] ?? 'git failed';
  return `The repository can’t be cloned: ${toDisplayText(reason).slice(1, -1).replace(/[.:]$/, '')}. Check its URL.`;
}

function repositoryUrl(address: string): string {
  refuseCredentials(address);
  if (address === '' || /[\p{Cc}\p{Cf}\s\\]/u.test(address)) {
    throw new PackageError(`${toDisplayText(address)} isn’t a repository. ${USE_HTTPS}`);
  }
  const [, owner, name] = GITHUB_REPOSITORY.exec(address) ?? [];
  if (owner !== undefined && name !== undefined) {
    return `https://github.com/${owner}/${name}.git`;
  }
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) {
    throw new PackageError(`${toDisplayText(address)} isn’t a repository that can be cloned. ${USE_HTTPS}`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new PackageError(`${toDisplayText(address)} isn’t encrypted. Use https.`);
  }
  if (url.search !== '') {
    throw new PackageError(
      'The URL of a repository can’t contain a query. Remove the question mark and the text after it.',
    );
  }
  return url.href;
}

/**
 * Rejects addresses with credentials: `user@host:path`, and `user:password@` in a URL with any scheme and, for http,
 * any number of slashes.
 */
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
