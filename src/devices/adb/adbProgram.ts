import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

import { AdbNotFoundError } from './adbErrors.ts';

/** What decides where adb is looked for. */
export interface AdbSearch {
  /** The setting `appBuild.adbPath`; undefined when it is not set. */
  readonly setting: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Home folder of the person. */
  readonly home: string;
}

/**
 * Where adb may be, best first. The SDK that ANDROID_HOME names goes before PATH: an adb of another version would end the server
 * that Android Studio uses. Relative paths are left out: they would lead into whatever folder is open.
 */
export function adbCandidates({ setting, environment, platform, home }: AdbSearch): readonly string[] {
  const system = platform === 'win32' ? path.win32 : path.posix;
  const name = platform === 'win32' ? 'adb.exe' : 'adb';
  const inSdk = (folder: string | undefined) => (folder ? [system.join(folder, 'platform-tools', name)] : []);
  const candidates =
    setting === undefined
      ? [
          ...inSdk(environment.ANDROID_HOME),
          ...(environment.PATH ?? '')
            .split(system.delimiter)
            .flatMap((folder) => (folder ? [system.join(folder, name)] : [])),
          ...inSdk(environment.ANDROID_SDK_ROOT),
          ...usualPlaces(platform, home, environment.LOCALAPPDATA),
        ]
      : [setting];
  return [...new Set(candidates)].filter((candidate) => system.isAbsolute(candidate));
}

/** An editor that was started from a dock or a menu has a short PATH. */
function usualPlaces(platform: NodeJS.Platform, home: string, localAppData: string | undefined): readonly string[] {
  if (platform === 'win32') {
    return localAppData ? [path.win32.join(localAppData, 'Android', 'Sdk', 'platform-tools', 'adb.exe')] : [];
  }
  return platform === 'darwin'
    ? [path.posix.join(home, 'Library/Android/sdk/platform-tools/adb'), '/opt/homebrew/bin/adb', '/usr/local/bin/adb']
    : // The second one is Debian's.
      [path.posix.join(home, 'Android/Sdk/platform-tools/adb'), '/usr/lib/android-sdk/platform-tools/adb'];
}

/** The path of adb on this machine. @throws AdbNotFoundError */
export async function findAdb(search: AdbSearch): Promise<string> {
  for (const candidate of adbCandidates(search)) {
    if (await isProgram(candidate)) {
      return candidate;
    }
  }
  throw new AdbNotFoundError(search.setting);
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
