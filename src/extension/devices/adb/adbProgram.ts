import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { throwIfCancelled } from '../../../errors/index.ts';
import { CLOSE_TIMEOUT_MS } from '../limits.ts';
import { AdbNotFoundError, adbNotStarted, adbTimeout } from './adbErrors.ts';

/** Inputs for the adb search. */
interface AdbSearch {
  /** Value of `appBuild.adbPath`; undefined if it isn't set. */
  readonly setting: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Paths of the open folders. */
  readonly workspaces?: readonly string[];
}

/**
 * Returns the paths where adb may be, best first. The SDK in ANDROID_HOME comes before PATH, because an adb of another version would stop
 * the server that Android Studio uses. Relative paths, programs in open folders, and programs of npm packages (which `npm run` adds to
 * PATH) are skipped.
 */
export function adbCandidates({ setting, environment, platform, home, workspaces = [] }: AdbSearch): readonly string[] {
  const system = platform === 'win32' ? path.win32 : path.posix;
  const name = platform === 'win32' ? 'adb.exe' : 'adb';
  const inSdk = (folder: string | undefined) => (folder ? [system.join(folder, 'platform-tools', name)] : []);
  const candidates =
    setting === undefined
      ? [
          ...[
            ...inSdk(environment.ANDROID_HOME),
            ...(environment.PATH ?? '')
              .split(system.delimiter)
              .flatMap((folder) => (folder ? [system.join(folder, name)] : [])),
            ...inSdk(environment.ANDROID_SDK_ROOT),
          ].filter((file) => !isInWorkspace(file, workspaces, system)),
          // These locations aren't filtered, because the home folder itself may be open.
          ...getDefaultLocations(platform, home, environment.LOCALAPPDATA),
        ]
      : [setting];
  return [...new Set(candidates)].filter((candidate) => system.isAbsolute(candidate));
}

/** Reports whether a program is in an open folder, or belongs to an npm package. */
function isInWorkspace(file: string, workspaces: readonly string[], system: path.PlatformPath): boolean {
  return (
    /[\\/]node_modules[\\/]\.bin[\\/]/.test(file) ||
    workspaces.some((folder) => {
      const relative = system.relative(folder, file);
      return relative.split(system.sep)[0] !== '..' && !system.isAbsolute(relative);
    })
  );
}

/** Returns the default install folders, because an editor that was started from a dock or a menu has a short PATH. */
function getDefaultLocations(
  platform: NodeJS.Platform,
  home: string,
  localAppData: string | undefined,
): readonly string[] {
  if (platform === 'win32') {
    return localAppData ? [path.win32.join(localAppData, 'Android', 'Sdk', 'platform-tools', 'adb.exe')] : [];
  }
  return platform === 'darwin'
    ? [path.posix.join(home, 'Library/Android/sdk/platform-tools/adb'), '/opt/homebrew/bin/adb', '/usr/local/bin/adb']
    : // The second one is Debian's.
      [path.posix.join(home, 'Android/Sdk/platform-tools/adb'), '/usr/lib/android-sdk/platform-tools/adb'];
}

/** Returns the path of adb on this computer. Skips links that lead into an open folder. @throws AdbNotFoundError */
export async function findAdb(search: AdbSearch): Promise<string> {
  const { setting, workspaces = [] } = search;
  const realWorkspaces = await Promise.all(workspaces.map(getRealPath));
  for (const candidate of adbCandidates(search)) {
    const isLinkIntoWorkspace =
      setting === undefined &&
      !isInWorkspace(candidate, workspaces, path) &&
      isInWorkspace(await getRealPath(candidate), realWorkspaces, path);
    if (!isLinkIntoWorkspace && (await isProgram(candidate))) {
      return candidate;
    }
  }
  throw new AdbNotFoundError(search.setting);
}

async function getRealPath(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

export interface AdbOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables of VS Code, Electron, and this extension. The adb server outlives the window and must not inherit them. */
const OWN_VARIABLE = /^(VSCODE_|ELECTRON_|APP_BUILD_)/i;

/**
 * Runs adb without a shell until it exits, regardless of its exit code.
 * @param program path of adb
 * @param signal kills adb. A server that adb has started keeps running.
 * @throws CancelledError if the signal aborts; Failure if adb can't be started or doesn't exit in time
 */
export async function runAdb(
  program: string,
  args: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<AdbOutput> {
  throwIfCancelled(signal);
  const timeout = AbortSignal.timeout(timeoutMs);
  const child = spawn(program, args, {
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_VARIABLE.test(name))),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    signal: AbortSignal.any([signal, timeout]),
    // adb has nothing to clean up.
    killSignal: 'SIGKILL',
  });
  const stdout = collectChunks(child.stdout);
  const stderr = collectChunks(child.stderr);
  const closed = once(child, 'close').catch(() => undefined);
  try {
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    // The adb server may keep the pipes open.
    await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
  } catch (error) {
    throwIfCancelled(signal);
    const { code, name } = error as NodeJS.ErrnoException;
    throw timeout.aborted ? adbTimeout(timeoutMs / 1000) : adbNotStarted(code ?? name);
  } finally {
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Collects the text of a stream. The returned list grows while data arrives. */
function collectChunks(stream: Readable): readonly string[] {
  const pieces: string[] = [];
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => pieces.push(piece));
  stream.on('error', () => undefined);
  return pieces;
}
