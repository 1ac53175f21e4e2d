/** A pretended adb, with the devices that a test scripts. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './repository.ts';
import { NODE, writeProgram } from './writeProgram.ts';

export interface PretendedDevice {
  readonly serial: string;
  /** As `adb devices` prints it: `device`, `unauthorized`, `no permissions (…)`. */
  readonly state: string;
  /** As `adb devices -l` prints it, with `_` for spaces. */
  readonly model?: string;
  /** What Android answers to a package. It never answers when it is `undefined`. */
  readonly answer?: string | undefined;
  /** What `am start` prints, and its exit code. */
  readonly start?: readonly [output: string, exitCode: number];
}

/** A phone that accepts everything. */
export const PIXEL: PretendedDevice = {
  serial: 'PIXEL0001',
  state: 'device',
  model: 'Pixel_7',
  answer: 'Success\n',
  start: ['Starting: Intent { cmp=x }\n', 0],
};

/** How the program was called. */
export interface AdbCall {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export class PretendedAdb {
  /** Path of the program. */
  readonly file: string;
  readonly #folder: string;

  private constructor(file: string, folder: string) {
    this.file = file;
    this.#folder = folder;
  }

  /** @param folder that is there. */
  static async create(folder: string): Promise<PretendedAdb> {
    const program = path.join(repositoryRoot, 'test', 'support', 'pretendedAdbProgram.ts');
    const file = await writeProgram(path.join(folder, 'adb'), [NODE, program, folder]);
    const adb = new PretendedAdb(file, folder);
    adb.reset();
    return adb;
  }

  /** Connects these devices, and forgets its calls. */
  reset(devices: readonly PretendedDevice[] = []): void {
    ['calls', 'installed'].forEach((name) => rmSync(path.join(this.#folder, name), { force: true }));
    writeFileSync(path.join(this.#folder, 'devices'), JSON.stringify(devices));
  }

  get calls(): readonly AdbCall[] {
    return this.#records('calls') as readonly AdbCall[];
  }

  /** The arguments of each call, in a line. */
  get requests(): readonly string[] {
    return this.calls.map(({ args }) => args.join(' '));
  }

  /** What a device has received, before it answers. */
  get installed(): readonly { readonly serial: string; readonly bytes: Buffer }[] {
    const records = this.#records('installed') as readonly { readonly serial: string; readonly bytes: string }[];
    return records.map(({ serial, bytes }) => ({ serial, bytes: Buffer.from(bytes, 'base64') }));
  }

  #records(name: string): readonly unknown[] {
    try {
      const lines = readFileSync(path.join(this.#folder, name), 'utf8').split('\n');
      return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line));
    } catch {
      return [];
    }
  }
}
