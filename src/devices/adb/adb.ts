import type { Failure } from '../../api/errors/buildServiceError.ts';
import { adbFailed, InstallRefusedError, noDevice, notReady } from './adbErrors.ts';
import { readDeviceList, type ConnectedDevice, type DeviceState } from './deviceList.ts';
import { runAdb, type AdbOutput } from './adbProgram.ts';
import { ADB_TIMEOUT_MS } from '../limits.ts';

/** Two parts or more, of letters, digits and underscores: the phone's shell reads it. */
const PACKAGE_ID = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;

/** Of the shell that the built-in builder puts around the pages; Cordova's is in the package of the app itself. */
export type Activity = 'appbuild.shell.MainActivity' | '.MainActivity';

/** The Android Debug Bridge. Every method throws CancelledError when its signal aborts. */
export class Adb {
  readonly #program: string;

  constructor(program: string) {
    this.#program = program;
  }

  async devices(signal: AbortSignal): Promise<readonly ConnectedDevice[]> {
    const output = await runAdb(this.#program, ['devices', '-l'], ADB_TIMEOUT_MS, signal);
    if (output.exitCode !== 0) {
      throw adbFailed(textOfOutput(output));
    }
    return readDeviceList(output.stdout);
  }

  /**
   * Installs a package, over the same app where it is on the device.
   *
   * @param file absolute path of a file that ends in `.apk`.
   * @throws InstallRefusedError; Failure
   */
  async install(device: ConnectedDevice, file: string, signal: AbortSignal): Promise<void> {
    const args = ['-s', device.serial, 'install', '-r', file];
    // It copies the package to the phone.
    const text = textOfOutput(await runAdb(this.#program, args, 10 * ADB_TIMEOUT_MS, signal));
    // Old versions exit with 0 when the device has refused.
    const [, code, detail = ''] = /\bFailure \[(\w+)(.*)/.exec(text) ?? [];
    if (code !== undefined) {
      throw new InstallRefusedError(code, detail.replace(/^: */, '').replace(/\]$/, ''));
    }
    if (!/^Success/m.test(text)) {
      throw connectionProblem(text, device) ?? adbFailed(text);
    }
  }

  /** Starts an app. @returns false when the device did not. */
  async start(
    { serial }: ConnectedDevice,
    packageId: string,
    activity: Activity,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!PACKAGE_ID.test(packageId)) {
      return false;
    }
    const args = ['-s', serial, 'shell', 'am', 'start', '-n', `${packageId}/${activity}`];
    const output = await runAdb(this.#program, args, ADB_TIMEOUT_MS, signal);
    // Old phones end with 0 whatever happened.
    return output.exitCode === 0 && !/^Error/m.test(textOfOutput(output));
  }
}

function textOfOutput({ stdout, stderr }: AdbOutput): string {
  return `${stdout}\n${stderr}`.replaceAll('\r\n', '\n');
}

/** The connection of a device that was ready a moment ago. */
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
