/** The environment of Cordova and the tools of a build. Nothing of the service's own is in it: it may hold secrets. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** What programs on Windows do not start without. */
const WINDOWS_NAMES = ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'ProgramData', 'ProgramFiles'];

/**
 * The environment of Cordova itself, with which no other program is found: Cordova would fetch with npm what it does not
 * find, and run its scripts.
 *
 * @param workFolder the work folder of the build, in which a home and a temporary folder are made
 */
export async function cordovaEnvironment(
  workFolder: string,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<Record<string, string>> {
  const [home, temporary, noPrograms] = ['home', 'tmp', 'no-programs'].map((name) => path.join(workFolder, name));
  const folders = { HOME: home ?? '', TMPDIR: temporary ?? '', PATH: noPrograms ?? '' };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  const { HOME, TMPDIR } = folders;
  return {
    ...folders,
    ...(process.platform === 'win32'
      ? { TEMP: TMPDIR, TMP: TMPDIR, USERPROFILE: HOME, APPDATA: HOME, LOCALAPPDATA: HOME, ...pick(env, WINDOWS_NAMES) }
      : {}),
    // In VS Code, the running program is the editor.
    ELECTRON_RUN_AS_NODE: '1',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    CI: '1',
    NO_UPDATE_NOTIFIER: '1',
    npm_config_ignore_scripts: 'true',
    npm_config_offline: 'true',
  };
}

/**
 * The folders of PATH in which tools of a build are looked for: absolute ones, and none of a workspace's `node_modules`.
 *
 * @param first folders that come before
 */
export function toolPath(env: Readonly<NodeJS.ProcessEnv>, first: readonly string[] = []): string {
  const folders = (env.PATH ?? '').split(path.delimiter);
  return [...first, ...folders.filter(isToolFolder)].join(path.delimiter);
}

/** npm puts `node_modules/.bin` of the workspace on PATH; a relative folder is one of the workspace, too. */
export function isToolFolder(folder: string): boolean {
  return path.isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]*$/.test(folder);
}

/** The variables that are set among these. */
export function pick(env: Readonly<NodeJS.ProcessEnv>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
