/** A fake adb with scripted devices. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './repository.ts';
import { NODE, writeProgram } from './writeProgram.ts';

export interface PretendedDevice {
  readonly serial: string;
  /** State in the output of `adb devices`: `device`, `unauthorized`, `no permissions (…)`. */
  readonly state: string;
  /** Model in the output of `adb devices -l`, with `_` for spaces. */
  readonly model?: string;
  /** Android's response to a package. If it's `undefined`, Android never responds. */
  readonly answer?: string | undefined;
  /** Output and exit code of `am start`. */
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

/** A call of the program. */
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

  /** Creates the program. @param folder existing folder */
  static async create(folder: string): Promise<PretendedAdb> {
    const program = path.join(repositoryRoot, 'test', 'support', 'pretendedAdbProgram.ts');
    const file = await writeProgram(path.join(folder, 'adb'), [NODE, program, folder]);
    const adb = new PretendedAdb(file, folder);
    adb.reset();
    return adb;
  }

  /** Connects these devices and clears the calls. */
  reset(devices: readonly PretendedDevice[] = []): void {
    ['calls', 'installed'].forEach((name) => rmSync(path.join(this.#folder, name), { force: true }));
    writeFileSync(path.join(this.#folder, 'devices'), JSON.stringify(devices));
  }

  get calls(): readonly AdbCall[] {
    return this.#records('calls') as readonly AdbCall[];
  }

  /** The arguments of each call in one line. */
  get requests(): readonly string[] {
    return this.calls.map(({ args }) => args.join(' '));
  }

  /** The packages that devices have received, including unanswered ones. */
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
