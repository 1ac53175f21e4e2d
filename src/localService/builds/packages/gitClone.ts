import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, opendir, lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MAX_ENTRIES, MAX_UNPACKED_BYTES, shown, tooManyEntries } from './archiveContents.ts';
import { PackageError } from './packageInfo.ts';

export interface CloneLimits {
  readonly timeoutMs: number;
  /** Bytes of what git fetches: the packed files of one commit. */
  readonly maxPackBytes: number;
}

/** git has no limit of its own for what it fetches. */
const SIZE_CHECK_INTERVAL_MS = 250;
/** Characters of what git says on its standard error. */
const MAX_ERROR_LENGTH = 10_000;

/** Variables that git needs to find its programs and the way to the network. None signs in to a repository. */
const PASSED_VARIABLES = [
  'PATH',
  'http_proxy',
  'https_proxy',
  'HTTPS_PROXY',
  'no_proxy',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
  'GIT_EXEC_PATH',
  // Windows
  'Path',
  'PATHEXT',
  'SystemRoot',
  'TEMP',
  'TMP',
];

/**
 * Clones the latest commit of a repository into `files` of a folder: no history, no submodules, no hooks, no configuration
 * and no credentials of the user, links as texts.
 *
 * @param tag branch or tag; `null`: the default branch
 * @param folder an empty folder
 * @throws PackageError when it cannot be cloned, is too large, or time is up; the signal's reason when it is aborted. git and
 *   all that it started have ended then
 */
export async function cloneRepository(
  url: string,
  tag: string | null,
  folder: string,
  signal: AbortSignal,
  { timeoutMs, maxPackBytes }: CloneLimits,
): Promise<void> {
  signal.throwIfAborted();
  const home = join(folder, 'home');
  const files = join(folder, 'files');
  await mkdir(home, { mode: 0o700 });
  await writeFile(join(home, 'config'), '');
  const limit = new AbortController();
  const timeout = setTimeout(() => {
    limit.abort(new PackageError(`The repository was not cloned within ${Math.ceil(timeoutMs / 1000)} s. Try again.`));
  }, timeoutMs);
  const sizeChecks = setInterval(() => {
    checkSize(files, maxPackBytes).catch((error: unknown) => limit.abort(error));
  }, SIZE_CHECK_INTERVAL_MS);
  try {
    const { exitCode, errorOutput } = await run(
      argumentsOf(url, tag, home),
      folder,
      environmentOf(url, home),
      AbortSignal.any([signal, limit.signal]),
    );
    signal.throwIfAborted();
    limit.signal.throwIfAborted();
    if (exitCode !== 0) {
      if (errorOutput.includes('No space left on device')) {
        throw Object.assign(new Error('no space left for a clone'), { code: 'ENOSPC' });
      }
      throw new PackageError(sentenceOf(errorOutput, tag));
    }
    await checkSize(files, maxPackBytes);
  } finally {
    clearTimeout(timeout);
    clearInterval(sizeChecks);
  }
}

function argumentsOf(url: string, tag: string | null, home: string): readonly string[] {
  const config = {
    'core.hooksPath': join(home, 'hooks'),
    'core.attributesFile': join(home, 'attributes'),
    'core.symlinks': 'false',
    'core.autocrlf': 'false',
    // Larger files go to the disk piece by piece; git would hold them in memory.
    'core.bigFileThreshold': '1m',
    'core.fsmonitor': 'false',
    'credential.helper': '',
    'gc.auto': '0',
    'maintenance.auto': 'false',
    'submodule.recurse': 'false',
    // A renamed repository redirects the first request. Plain http is for this machine, and stays there.
    'http.followRedirects': url.startsWith('https:') ? 'initial' : 'false',
  };
  return [
    ...Object.entries(config).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...['clone', '--quiet', '--depth', '1', '--single-branch', '--no-tags', '--template='],
    ...(tag === null ? [] : ['--branch', tag]),
    ...['--', url, 'files'],
  ];
}

function environmentOf(url: string, home: string): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(PASSED_VARIABLES.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : []))),
    HOME: home,
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: url.startsWith('https:') ? 'https' : 'http',
    GIT_ASKPASS: '',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, 'config'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Runs git until all that it started has ended. It is killed when the signal is aborted. */
async function run(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ exitCode: number | null; errorOutput: string }> {
  // A process group of its own: git starts others, which do the transfer.
  const child = spawn('git', args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_ERROR_LENGTH);
  });
  const kill = (): void => killGroup(child);
  signal.addEventListener('abort', kill);
  if (signal.aborted) {
    kill();
  }
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return { exitCode, errorOutput };
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? new PackageError(
          'Repositories cannot be cloned, because git is not installed where the service runs. Upload the files instead.',
        )
      : error;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) {
    return;
  }
  if (process.platform === 'win32') {
    spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The error for a repository of which more would be fetched, or packed, than is allowed. */
export function tooLarge(maxBytes: number): PackageError {
  const megabytes = Math.round(maxBytes / 1_000_000);
  return new PackageError(`The repository is larger than ${megabytes} MB. Upload the files of the app.`);
}

/** @throws PackageError when a clone is larger than a package may be */
async function checkSize(folder: string, maxPackBytes: number): Promise<void> {
  if ((await measure(join(folder, '.git'))).bytes > maxPackBytes) {
    throw tooLarge(maxPackBytes);
  }
  const { bytes, files } = await measure(folder, '.git');
  if (files > MAX_ENTRIES) {
    throw tooManyEntries();
  }
  if (bytes > MAX_UNPACKED_BYTES) {
    throw new PackageError('The files of the repository are larger than 1 GiB. Upload the files of the app.');
  }
}

/** The files of a folder that changes meanwhile, counted until there are too many. */
async function measure(folder: string, except?: string): Promise<{ bytes: number; files: number }> {
  const total = { bytes: 0, files: 0 };
  const folders = [folder];
  for (let path = folders.pop(); path !== undefined && total.files <= MAX_ENTRIES; path = folders.pop()) {
    try {
      for await (const entry of await opendir(path)) {
        if (path === folder && entry.name === except) {
          continue;
        }
        if (entry.isDirectory()) {
          folders.push(join(path, entry.name));
        } else {
          total.files += 1;
          total.bytes += (await lstat(join(path, entry.name))).size;
        }
      }
    } catch {
      // It is gone, or not yet there.
    }
  }
  return total;
}

/** What git says, as a sentence for the developer. */
function sentenceOf(errorOutput: string, tag: string | null): string {
  if (tag !== null && /^fatal: Remote branch .* not found/m.test(errorOutput)) {
    return `The repository has no branch or tag ${shown(tag)}. Correct its name.`;
  }
  if (/could not read Username|Authentication failed|repository '.*' not found/i.test(errorOutput)) {
    return 'The repository cannot be read: it does not exist, or it is private. Only public repositories can be cloned.';
  }
  const reason = /^(?:fatal|error): (.*)$/m.exec(errorOutput)?.[1] ?? 'git failed';
  return `The repository cannot be cloned: ${shown(reason).slice(1, -1).replace(/[.:]$/, '')}. Check its URL.`;
}
