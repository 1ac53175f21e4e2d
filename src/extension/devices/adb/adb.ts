import type { Failure } from '../../../errors/index.ts';
import { adbFailed, InstallRefusedError, noDevice, notReady } from './adbErrors.ts';
import { readDeviceList, type ConnectedDevice, type DeviceState } from './deviceList.ts';
import { runAdb, type AdbOutput } from './adbProgram.ts';
import { ADB_TIMEOUT_MS } from '../limits.ts';

/**
 * Matches a package ID: at least two parts of letters, digits, and underscores. Everything else is rejected, because the phone's shell
 * interprets the ID.
 */
const PACKAGE_ID = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;

/**
 * An app's start activity. The first name is that of the built-in builder's shell; Cordova's activity is in the app's
 * own package.
 */
type StartActivity = 'appbuild.shell.MainActivity' | '.MainActivity';

/** The Android Debug Bridge. Every method throws CancelledError when its signal aborts. */
export class Adb {
  readonly #program: string;

  constructor(program: string) {
    this.#program = program;
  }

  async devices(signal: AbortSignal): Promise<readonly ConnectedDevice[]> {
    const output = await runAdb(this.#program, ['devices', '-l'], ADB_TIMEOUT_MS, signal);
    if (output.exitCode !== 0) {
      throw adbFailed(getOutputText(output));
    }
    return readDeviceList(output.stdout);
  }

  /**
   * Installs a package, replacing the app if it's already on the device.
   * @param file absolute path, which must end in `.apk`
   * @throws InstallRefusedError; Failure
   */
  async install(device: ConnectedDevice, file: string, signal: AbortSignal): Promise<void> {
    const args = ['-s', device.serial, 'install', '-r', file];
    // An installation copies the package to the phone first, so it's allowed more time.
    const text = getOutputText(await runAdb(this.#program, args, 10 * ADB_TIMEOUT_MS, signal));
    // Old versions of adb exit with 0 even if the device refuses the package.
    const [, code, detail = ''] = /\bFailure \[(\w+)(.*)/.exec(text) ?? [];
    if (code !== undefined) {
      throw new InstallRefusedError(code, detail.replace(/^: */, '').replace(/\]$/, ''));
    }
    if (!/^Success/m.test(text)) {
      throw connectionProblem(text, device) ?? adbFailed(text);
    }
  }

  /** Starts an app. @returns false if the device didn't start it */
  async start(
    { serial }: ConnectedDevice,
    packageId: string,
    activity: StartActivity,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!PACKAGE_ID.test(packageId)) {
      return false;
    }
    const args = ['-s', serial, 'shell', 'am', 'start', '-n', `${packageId}/${activity}`];
    const output = await runAdb(this.#program, args, ADB_TIMEOUT_MS, signal);
    // Old phones exit with 0 even if the start fails.
    return output.exitCode === 0 && !/^Error/m.test(getOutputText(output));
  }
}

function getOutputText({ stdout, stderr }: AdbOutput): string {
  return `${stdout}\n${stderr}`.replaceAll('\r\n', '\n');
}

/** Returns an error if the device is no longer ready, although it was listed as ready. */
function connectionProblem(text: string, device: ConnectedDevice): Failure | undefined {
  if (/device '[^'\n]*' not found|no devices\/emulators found/.test(text)) {
    return noDevice();
  }
  const [, state] = PROBLEMS.find(([words]) => text.includes(words)) ?? [];
  return state && notReady({ ...device, state });
}

const PROBLEMS: readonly (readonly [words: string, state: DeviceState])[] = [
  ['device unauthorized', 'unauthorized'],
  ['device offline', 'offline'],
  ['no permissions', 'noPermissions'],
  ['insufficient permissions', 'noPermissions'],
];
