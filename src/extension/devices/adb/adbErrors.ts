import {
  BuildServiceError,
  Failure,
  type Remedy,
  sentence,
  type Sentence,
  withArguments,
} from '../../../errors/index.ts';
import { label } from '../../../service-client/index.ts';
import type { ConnectedDevice, DeviceState } from './deviceList.ts';

/** The error for an adb that isn't installed, or isn't at the path in the setting. */
export class AdbNotFoundError extends BuildServiceError {
  readonly kind = 'adbNotFound';

  /** @param setting value of `appBuild.adbPath`; undefined if it isn't set */
  constructor(setting: string | undefined) {
    const [what, next] =
      setting === undefined
        ? [
            sentence('adb isn’t installed.'),
            sentence('Install Android SDK Platform-Tools, or set {0}.', 'appBuild.adbPath'),
          ]
        : [
            sentence('{0} doesn’t point to adb: {1}', 'appBuild.adbPath', label(setting)),
            sentence('Enter its full path, or remove the setting.'),
          ];
    super({ what, next, remedy: 'findAdb' });
  }
}

/** Creates the error for adb or a phone that is missing or not ready. */
function adbFailure(what: Sentence, next?: Sentence): Failure {
  return new Failure('adb', { what, next, remedy: 'retry' });
}

const PLUG_IN_AGAIN = sentence('Unplug the phone, plug it in again, then try again.');

/** Creates the error for unrecognized output from adb. */
export function adbFailed(output: string): Failure {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return adbFailure(
    line === '' ? sentence('adb failed without an explanation.') : sentence('adb failed: {0}', label(line)),
    PLUG_IN_AGAIN,
  );
}

export function adbTimeout(seconds: number): Failure {
  return adbFailure(sentence('adb didn’t finish within {0} seconds.', seconds), PLUG_IN_AGAIN);
}

/** Creates the error for an adb that doesn't start. @param code system error code, such as `EACCES` */
export function adbNotStarted(code: string): Failure {
  return adbFailure(
    sentence('adb couldn’t be started ({0}).', code),
    sentence('Reinstall Android SDK Platform-Tools, or set the path of adb in {0}.', 'appBuild.adbPath'),
  );
}

/** Creates the error for a device that isn't connected. */
export function noDevice(): Failure {
  return adbFailure(
    sentence(
      'No phone is connected. Turn on USB debugging in the developer options, and connect the phone over USB or with {0}.',
      'adb connect',
    ),
  );
}

/** Creates the error for a connected phone that doesn't accept apps yet. */
export function notReady(device: ConnectedDevice): Failure {
  return adbFailure(sentence('{0} isn’t ready.', device.name), getDeviceAdvice(device));
}

/** Returns the user's next step to get a device ready. */
export function getDeviceAdvice({ state, stateName }: ConnectedDevice): Sentence {
  return withArguments(TO_DO[state], stateName);
}

const TO_DO: Readonly<Record<DeviceState, Sentence>> = {
  ready: sentence('Ready'),
  unauthorized: sentence('Allow USB debugging on the phone’s screen, then try again.'),
  offline: sentence('The phone isn’t responding. Unplug it, and plug it in again.'),
  noPermissions: sentence(
    'Linux doesn’t let you use the phone. Install the udev rules (Debian: android-sdk-platform-tools-common), and join the group plugdev.',
  ),
  other: sentence('adb reports the state “{0}”. Start the phone as usual, then try again.'),
};

/** The error for a package that Android rejects. */
export class InstallRefusedError extends BuildServiceError {
  readonly kind = 'installRefused';
  /** Android's error code, such as `INSTALL_FAILED_VERSION_DOWNGRADE`. */
  readonly code: string;
  /** Android's error code and message on one line, for the log. */
  readonly detail: string;

  /** @param text the text after the code; can be empty */
  constructor(code: string, text: string) {
    const detail = label(text === '' ? code : `${code}: ${text}`);
    const refusal = code.startsWith('INSTALL_PARSE_FAILED_') ? UNREADABLE : REFUSALS.get(code);
    const { what, next, remedy = 'retry' } = refusal ?? { what: sentence('The phone rejected the app: {0}') };
    super({ what: withArguments(what, refusal === undefined ? detail : code), ...(next && { next }), remedy });
    this.code = code;
    this.detail = detail;
  }
}

interface InstallRefusal {
  readonly what: Sentence;
  readonly next?: Sentence;
  readonly remedy?: Remedy;
}

const OTHER_KEY: InstallRefusal = {
  what: sentence('The phone already has an app with this ID, signed with another key.'),
  next: sentence('Uninstall it first, which deletes its data, or build with the key it was signed with.'),
};
const NOT_VERIFIED: InstallRefusal = {
  what: sentence(
    'Play Protect blocked the app. Check the phone’s screen, or turn off “Verify apps over USB” in the developer options.',
  ),
};
const CANCELLED_ON_PHONE: InstallRefusal = { what: sentence('The installation was canceled on the phone.') };
const UNREADABLE: InstallRefusal = {
  what: sentence('The phone can’t read the package ({0}).'),
  next: sentence('Report this, and include the log.'),
  remedy: 'showLog',
};

const REFUSALS = new Map<string, InstallRefusal>(
  Object.entries({
    INSTALL_FAILED_UPDATE_INCOMPATIBLE: OTHER_KEY,
    INSTALL_FAILED_SHARED_USER_INCOMPATIBLE: OTHER_KEY,
    INSTALL_FAILED_VERSION_DOWNGRADE: {
      what: sentence('The phone already has a newer version.'),
      next: sentence('Raise the version in config.xml, or uninstall the app.'),
    },
    INSTALL_FAILED_INSUFFICIENT_STORAGE: { what: sentence('The phone is out of space.') },
    INSTALL_FAILED_OLDER_SDK: {
      what: sentence('The phone’s Android version is too old. The app requires Android 7 or later.'),
    },
    INSTALL_FAILED_DEPRECATED_SDK_VERSION: {
      what: sentence(
        'The phone’s Android version rejects apps built for such an old Android version. Build again with the current version of this extension.',
      ),
    },
    INSTALL_FAILED_USER_RESTRICTED: {
      what: sentence(
        'The phone didn’t allow it. Confirm the prompt on its screen. On Xiaomi phones, turn on “Install via USB” in the developer options.',
      ),
    },
    INSTALL_FAILED_VERIFICATION_FAILURE: NOT_VERIFIED,
    INSTALL_FAILED_VERIFICATION_TIMEOUT: NOT_VERIFIED,
    INSTALL_FAILED_ABORTED: CANCELLED_ON_PHONE,
    INSTALL_CANCELED_BY_USER: CANCELLED_ON_PHONE,
    INSTALL_FAILED_INVALID_APK: UNREADABLE,
  }),
);
