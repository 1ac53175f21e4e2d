import { BuildServiceError, Failure, type Remedy } from '../../api/errors/buildServiceError.ts';
import { sentence, withArguments, type Sentence } from '../../api/errors/sentence.ts';
import { label } from '../../api/hypermedia/label.ts';
import type { ConnectedDevice, DeviceState } from './deviceList.ts';

/** There is no adb on this machine, or not where the setting says. */
export class AdbNotFoundError extends BuildServiceError {
  readonly kind = 'adbNotFound';

  /** @param setting `appBuild.adbPath`; undefined when it is not set. */
  constructor(setting: string | undefined) {
    const [what, next] =
      setting === undefined
        ? [
            sentence('adb isn’t installed.'),
            sentence('Install Android SDK Platform-Tools, or set {0}.', 'appBuild.adbPath'),
          ]
        : [
            sentence('{0} doesn’t lead to adb: {1}', 'appBuild.adbPath', label(setting)),
            sentence('Enter its whole path, or remove the setting.'),
          ];
    super({ what, next, remedy: 'findAdb' });
  }
}

/** adb did not do what it should, or a phone is not there, or takes no apps yet. */
function adbFailure(what: Sentence, next?: Sentence): Failure {
  return new Failure('adb', { what, next, remedy: 'retry' });
}

const PLUG_IN_AGAIN = sentence('Unplug the phone, plug it in again, then try again.');

/** adb has printed an unknown message. */
export function adbFailed(output: string): Failure {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return adbFailure(
    line === '' ? sentence('adb failed, and did not say why.') : sentence('adb failed: {0}', label(line)),
    PLUG_IN_AGAIN,
  );
}

export function adbTimeout(seconds: number): Failure {
  return adbFailure(sentence('adb did not end within {0} seconds.', seconds), PLUG_IN_AGAIN);
}

/** @param code of the system's error, such as `EACCES`. */
export function adbNotStarted(code: string): Failure {
  return adbFailure(
    sentence('adb could not be started ({0}).', code),
    sentence('Install Android SDK Platform-Tools anew, or say in the setting {0} where adb is.', 'appBuild.adbPath'),
  );
}

/** Nothing is connected, or no longer. */
export function noDevice(): Failure {
  return adbFailure(
    sentence(
      'No phone is connected. Turn on USB debugging in the developer options, and connect the phone over USB or with {0}.',
      'adb connect',
    ),
  );
}

/** The phone is connected, and does not take apps yet. */
export function notReady(device: ConnectedDevice): Failure {
  return adbFailure(sentence('{0} is not ready.', device.name), whatToDo(device));
}

/** How a device becomes ready. */
export function whatToDo({ state, stateName }: ConnectedDevice): Sentence {
  return withArguments(TO_DO[state], stateName);
}

const TO_DO: Readonly<Record<DeviceState, Sentence>> = {
  ready: sentence('Ready'),
  unauthorized: sentence('Allow USB debugging on the phone’s screen, then try again.'),
  offline: sentence('The phone does not answer: unplug it and plug it in again.'),
  noPermissions: sentence(
    'Linux does not let you use the phone: install the udev rules (Debian: android-sdk-platform-tools-common) and join the group plugdev.',
  ),
  other: sentence('adb says that its state is “{0}”. Start the phone as usual, then try again.'),
};

/** Android refused the package. */
export class InstallRefusedError extends BuildServiceError {
  readonly kind = 'installRefused';
  /** Android’s code, such as `INSTALL_FAILED_VERSION_DOWNGRADE`. */
  readonly code: string;
  /** Code and text of Android, in one line, for the log. */
  readonly detail: string;

  /** @param text that followed the code; it may be empty. */
  constructor(code: string, text: string) {
    const detail = label(text === '' ? code : `${code}: ${text}`);
    const refusal = code.startsWith('INSTALL_PARSE_FAILED_') ? UNREADABLE : REFUSALS.get(code);
    const { what, next, remedy = 'retry' } = refusal ?? { what: sentence('The phone refused the app: {0}') };
    super({ what: withArguments(what, refusal === undefined ? detail : code), ...(next && { next }), remedy });
    this.code = code;
    this.detail = detail;
  }
}

interface Refusal {
  readonly what: Sentence;
  readonly next?: Sentence;
  readonly remedy?: Remedy;
}

const OTHER_KEY: Refusal = {
  what: sentence('Another app with this ID, signed with another key, is on the phone.'),
  next: sentence('Uninstall it first (its data goes with it), or build with the key it was signed with.'),
};
const NOT_VERIFIED: Refusal = {
  what: sentence(
    'Play Protect refused the app: look at the phone’s screen, or switch off “Verify apps over USB” in the developer options.',
  ),
};
const CANCELLED_ON_PHONE: Refusal = { what: sentence('The installation was cancelled on the phone.') };
const UNREADABLE: Refusal = {
  what: sentence('The phone can’t read the package ({0}).'),
  next: sentence('Report it with the log.'),
  remedy: 'showLog',
};

const REFUSALS = new Map<string, Refusal>(
  Object.entries({
    INSTALL_FAILED_UPDATE_INCOMPATIBLE: OTHER_KEY,
    INSTALL_FAILED_SHARED_USER_INCOMPATIBLE: OTHER_KEY,
    INSTALL_FAILED_VERSION_DOWNGRADE: {
      what: sentence('A newer version is on the phone.'),
      next: sentence('Raise the version in config.xml, or uninstall the app.'),
    },
    INSTALL_FAILED_INSUFFICIENT_STORAGE: { what: sentence('The phone is out of space.') },
    INSTALL_FAILED_OLDER_SDK: {
      what: sentence('The phone’s Android is too old: the app needs Android 7 or later.'),
    },
    INSTALL_FAILED_DEPRECATED_SDK_VERSION: {
      what: sentence(
        'The phone’s Android refuses apps made for such an old one: build again with the current version of this extension.',
      ),
    },
    INSTALL_FAILED_USER_RESTRICTED: {
      what: sentence(
        'The phone forbids it: confirm the question on its screen; on Xiaomi switch on “Install via USB” in the developer options.',
      ),
    },
    INSTALL_FAILED_VERIFICATION_FAILURE: NOT_VERIFIED,
    INSTALL_FAILED_VERIFICATION_TIMEOUT: NOT_VERIFIED,
    INSTALL_FAILED_ABORTED: CANCELLED_ON_PHONE,
    INSTALL_CANCELED_BY_USER: CANCELLED_ON_PHONE,
    INSTALL_FAILED_INVALID_APK: UNREADABLE,
  }),
);
