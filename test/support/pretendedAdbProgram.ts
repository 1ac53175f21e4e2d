/**
 * `pretendedAdbProgram.ts FOLDER …` replaces adb: it prints the recorded output of adb 29.0.6 for the devices in FOLDER. It writes its
 * calls and the installed packages to that folder.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { AdbCall, PretendedDevice } from './pretendedAdb.ts';

const [folder = '', ...args] = process.argv.slice(2);
const [, serial = '', command, ...rest] = args;
const record = (name: string, value: unknown) => appendFileSync(path.join(folder, name), `${JSON.stringify(value)}\n`);
const devices = JSON.parse(readFileSync(path.join(folder, 'devices'), 'utf8')) as readonly PretendedDevice[];
const device = devices.find((each) => each.serial === serial);
const missing = devices.length === 0 ? 'no devices/emulators found' : `device '${serial}' not found`;

/** adb's output when a command needs a device in this state. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  unauthorized:
    "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that seems wrong.\nOtherwise check for a confirmation dialog on your device.",
  offline: 'device offline',
};

record('calls', { args, environment: process.env } satisfies AdbCall);
if (args.join(' ') === 'devices -l') {
  process.stdout.write(`List of devices attached\n${devices.map(getLine).join('')}\n`);
} else {
  process.exitCode = command === 'install' ? await install(rest.at(-1) ?? '') : start();
}

async function install(file: string): Promise<number> {
  if (device === undefined) {
    process.stdout.write(`Performing Push Install\nadb: error: failed to get feature set: ${missing}\n`);
    process.stderr.write(`error: ${missing}\n`);
    return 255;
  }
  process.stdout.write('Performing Streamed Install\n');
  const trouble = UNREACHABLE[device.state];
  if (trouble !== undefined) {
    process.stderr.write(`adb: connect error for write: ${trouble}\n`);
    return 1;
  }
  record('installed', { serial, bytes: readFileSync(file).toString('base64') });
  // Waits until the test ends the program.
  await setTimeout(device.answer === undefined ? 600_000 : 0);
  if (device.answer?.startsWith('Success') === true) {
    process.stdout.write(device.answer);
    return 0;
  }
  process.stderr.write(`adb: failed to install ${file}: ${device.answer}`);
  return 1;
}

function start(): number {
  const [output, exitCode] = device?.start ?? [`error: ${missing}\n`, 1];
  process.stdout.write(output);
  return exitCode;
}

function getLine({ serial: name, state, model }: PretendedDevice): string {
  const details = model === undefined ? '' : ` product:p model:${model} device:d`;
  return `${name.padEnd(22)} ${state} usb:1-1${details} transport_id:1\n`;
}
