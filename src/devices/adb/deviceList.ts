import { label } from '../../api/hypermedia/label.ts';

/** Whether a device takes apps; `other`: it is in recovery, say. */
export type DeviceState = 'ready' | 'unauthorized' | 'offline' | 'noPermissions' | 'other';

/** A phone or an emulator that adb knows. */
export interface ConnectedDevice {
  /** Adb’s name of it. It never begins with `-`: it is an argument of adb. */
  readonly serial: string;
  /** The model, such as `Pixel 7`, for people; the serial where adb says no model. */
  readonly name: string;
  readonly state: DeviceState;
  /** The state as adb calls it. */
  readonly stateName: string;
}

/** The states of `adb devices`; any other one is `other`. */
const STATES = new Map<string, DeviceState>([
  ['device', 'ready'],
  ['unauthorized', 'unauthorized'],
  ['authorizing', 'unauthorized'],
  ['offline', 'offline'],
  ['no permissions', 'noPermissions'],
]);

/** `SERIAL STATE key:value …`; one state goes on with a sentence. */
const LINE = /^([^\s-]\S*)\s+(no permissions|\S+)(.*)$/s;

/** Reads what `adb devices -l` prints. Other lines are left out. Never throws. */
export function readDeviceList(output: string): readonly ConnectedDevice[] {
  const lines = output.split(/\r?\n/);
  // Old versions print here, too, that they start their server.
  return lines.slice(lines.indexOf('List of devices attached') + 1).flatMap((line) => {
    const [, serial, stateName, rest = ''] = LINE.exec(line) ?? [];
    if (serial === undefined || stateName === undefined || serial === '*') {
      return [];
    }
    const model = / model:(\S+)/.exec(rest)?.[1]?.replaceAll('_', ' ') ?? '';
    const state = STATES.get(stateName) ?? 'other';
    return [{ serial, name: label(model) || label(serial), state, stateName: label(stateName) }];
  });
}
