import { label } from '../../../service-client/index.ts';

/** Whether a device accepts apps. `other` includes recovery mode. */
export type DeviceState = 'ready' | 'unauthorized' | 'offline' | 'noPermissions' | 'other';

/** A phone or emulator that adb lists. */
export interface ConnectedDevice {
  /** Serial number in adb. Never begins with `-`, because adb receives it as an argument. */
  readonly serial: string;
  /** The model to display, such as `Pixel 7`, or the serial number if adb reports no model. */
  readonly name: string;
  readonly state: DeviceState;
  /** State, verbatim from adb. */
  readonly stateName: string;
}

/** States in the output of `adb devices`. Any other state is `other`. */
const STATES = new Map<string, DeviceState>([
  ['device', 'ready'],
  ['unauthorized', 'unauthorized'],
  ['authorizing', 'unauthorized'],
  ['offline', 'offline'],
  ['no permissions', 'noPermissions'],
]);

/** Matches a line `SERIAL STATE key:value …`. The state `no permissions` is followed by a sentence. */
const LINE = /^([^\s-]\S*)\s+(no permissions|\S+)(.*)$/s;

/** Reads the output of `adb devices -l` and ignores all other lines. Never throws. */
export function readDeviceList(output: string): readonly ConnectedDevice[] {
  const lines = output.split(/\r?\n/);
  // Old versions of adb print messages about their server first.
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
