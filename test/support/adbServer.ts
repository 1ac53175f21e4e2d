/**
 * A pretended adb server (the protocol: four hexadecimal digits, a request; `OKAY` or `FAIL` and an answer), with devices that a test
 * scripts, and the programs that talk to it: the real adb where the machine has one, and a pretended one everywhere. Both are asked
 * the same.
 */
import { EventEmitter, once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';

import { listen } from './listen.ts';
import { repositoryRoot } from './repository.ts';
import { NODE, writeProgram } from './writeProgram.ts';

/** A device that the server knows. */
export interface PretendedDevice {
  readonly serial: string;
  /** As `adb devices` prints it: `device`, `unauthorized`, `no permissions (…)`. */
  readonly state: string;
  /** As `adb devices -l` prints it, with `_` for spaces. */
  readonly model?: string;
  /** What Android says to a package; it never answers when it is `undefined`. */
  readonly installation?: string | undefined;
  /** What `am start` prints, and its exit code. */
  readonly start?: readonly [output: string, exitCode: number];
}

/** A phone that takes whatever comes. */
export const PIXEL: PretendedDevice = {
  serial: 'PIXEL0001',
  state: 'device',
  model: 'Pixel_7',
  installation: 'Success\n',
  start: ['Starting: Intent { cmp=x }\n', 0],
};

/** What the real server says when a device in this state is asked for something. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  unauthorized:
    "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that seems wrong.\nOtherwise check for a confirmation dialog on your device.",
  offline: 'device offline',
};

/** The programs that tests run: each test the same with both. */
export type AdbKind = 'real' | 'pretended';
const REAL_ADB = '/usr/bin/adb';
export const ADB_KINDS: readonly AdbKind[] = isThere(REAL_ADB) ? ['real', 'pretended'] : ['pretended'];

export class AdbServer {
  devices: readonly PretendedDevice[] = [];
  /** In the order of their arrival. */
  readonly requests: string[] = [];
  /** What was installed, and where. */
  readonly installed: { readonly serial: string; readonly bytes: Buffer }[] = [];
  #port = 0;
  #close: () => Promise<void> = () => Promise.resolve();
  readonly #events = new EventEmitter<{ installing: []; left: [] }>();

  static async start(): Promise<AdbServer> {
    const server = new AdbServer();
    const { port, close } = await listen(createServer((socket) => void server.#serve(socket).catch(() => undefined)));
    server.#port = port;
    server.#close = close;
    return server;
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** Forgets what was asked. */
  reset(devices: readonly PretendedDevice[] = []): void {
    this.devices = devices;
    this.requests.length = 0;
    this.installed.length = 0;
  }

  /** Resolves when a device has the whole package, before it answers. */
  async untilInstalling(): Promise<void> {
    await once(this.#events, 'installing');
  }

  /** Resolves when a client leaves without an answer. */
  async untilLeft(): Promise<void> {
    await once(this.#events, 'left');
  }

  /**
   * Writes a program that asks this server, whatever else runs on the machine. It writes down how it was called.
   *
   * @param folder that is there.
   */
  async program(folder: string, kind: AdbKind): Promise<AdbProgram> {
    const calls = path.join(folder, `${kind}.calls`);
    const client = path.join(repositoryRoot, 'test', 'support', 'pretendedAdb.ts');
    const script = `{ printf '%s\\n' "$@"; env; } >> '${calls}'; exec env ADB_SERVER_SOCKET=tcp:127.0.0.1:${this.#port} ${REAL_ADB} "$@"`;
    const command = kind === 'real' ? ['/bin/sh', '-c', script, 'adb'] : [NODE, client, String(this.#port), calls];
    const file = await writeProgram(path.join(folder, `adb-${kind}`), command);
    return { file, calls: () => readFile(calls, 'utf8') };
  }

  async #serve(socket: Socket): Promise<void> {
    const input = new SocketReader(socket);
    let device: PretendedDevice | undefined;
    for (;;) {
      const request = (await input.read(Number.parseInt((await input.read(4)).toString(), 16))).toString();
      this.requests.push(request);
      const wanted = /^(?:host-serial:(?<asked>.+):features|host:(?:transport|tport:serial):(?<used>.+))$/.exec(
        request,
      )?.groups;
      if (request === 'host:version') {
        socket.end(`OKAY${text('0029')}`);
        return;
      }
      if (request === 'host:devices-l') {
        socket.end(`OKAY${text(this.devices.map(lineOf).join(''))}`);
        return;
      }
      if (wanted !== undefined) {
        const serial = wanted.asked ?? wanted.used ?? '';
        device = this.devices.find((each) => each.serial === serial);
        if (device === undefined) {
          const nothing = this.devices.length === 0 ? 'no devices/emulators found' : `device '${serial}' not found`;
          socket.end(`FAIL${text(nothing)}`);
          return;
        }
        if (wanted.asked !== undefined) {
          socket.end(`OKAY${text('shell_v2,cmd,stat_v2')}`);
          return;
        }
        const trouble = UNREACHABLE[device.state];
        if (trouble !== undefined) {
          socket.end(`FAIL${text(trouble)}`);
          return;
        }
        socket.write('OKAY');
        if (request.startsWith('host:tport')) {
          // The number of the transport.
          socket.write(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
        }
        continue;
      }
      socket.write('OKAY');
      if (device !== undefined && request.startsWith('exec:')) {
        await this.#install(device, socket, input, Number(/ -S '?(\d+)/.exec(request)?.[1]));
      } else if (device !== undefined && request.startsWith('shell,v2')) {
        const [output, exitCode] = device.start ?? ['', 0];
        socket.end(Buffer.concat([packet(1, Buffer.from(output)), packet(3, Buffer.of(exitCode))]));
      } else {
        socket.end();
      }
      return;
    }
  }

  async #install(device: PretendedDevice, socket: Socket, input: SocketReader, size: number): Promise<void> {
    const bytes = await input.read(size);
    this.#events.emit('installing');
    if (device.installation === undefined) {
      socket.on('close', () => this.#events.emit('left'));
      socket.resume();
      return;
    }
    this.installed.push({ serial: device.serial, bytes });
    socket.end(device.installation);
  }
}

/** A program that was written for a test. */
export interface AdbProgram {
  readonly file: string;
  /** Arguments and environment of each call, a line each. */
  readonly calls: () => Promise<string>;
}

function lineOf({ serial, state, model }: PretendedDevice): string {
  const details = model === undefined ? '' : ` product:p model:${model} device:d`;
  return `${serial.padEnd(22)} ${state} usb:1-1${details} transport_id:1\n`;
}

function text(value: string): string {
  return Buffer.byteLength(value).toString(16).padStart(4, '0') + value;
}

/** Of the protocol `shell,v2`: kind, length, bytes. */
function packet(kind: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind);
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

function isThere(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads a socket by numbers of bytes. */
export class SocketReader {
  readonly #pieces: AsyncIterator<Buffer, undefined>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#pieces = (socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer, undefined>)[
      Symbol.asyncIterator
    ]();
  }

  /** @throws Error when the socket ends before. */
  async read(length: number): Promise<Buffer> {
    while (this.#rest.length < length) {
      const { done, value } = await this.#pieces.next();
      if (done === true) {
        throw new Error('The connection has ended.');
      }
      this.#rest = Buffer.concat([this.#rest, value]);
    }
    const bytes = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return bytes;
  }

  /** All that comes. */
  async readAll(): Promise<Buffer> {
    const pieces = [this.#rest];
    for (;;) {
      const { done, value } = await this.#pieces.next();
      if (done === true) {
        return Buffer.concat(pieces);
      }
      pieces.push(value);
    }
  }
}
