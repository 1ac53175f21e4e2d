/**
 * `pretendedAdb.ts PORT CALLS …` stands for adb where the machine has none: it asks the server at the port, and prints what adb
 * 29.0.6 was seen to print. How it was called it adds to the file CALLS. `test/unit/devices/adb/adb.test.ts` compares the two where the real one is there.
 */
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';

import { SocketReader } from './adbServer.ts';

const [port, calls = '', ...args] = process.argv.slice(2);
const environment = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
await appendFile(calls, [...args, ...environment, ''].join('\n'));

if (args.join(' ') === 'devices -l') {
  const { input } = await ask('host:devices-l');
  process.stdout.write(`List of devices attached\n${await lengthAndText(input)}\n`);
} else if (args[2] === 'install') {
  process.exitCode = await install(args[1] ?? '', args.at(-1) ?? '');
} else {
  process.exitCode = await shell(args[1] ?? '', args.slice(3).join(' '));
}

async function install(serial: string, file: string): Promise<number> {
  const features = await ask(`host-serial:${serial}:features`);
  if (features.failure !== undefined) {
    process.stdout.write(`Performing Push Install\nadb: error: failed to get feature set: ${features.failure}\n`);
    process.stderr.write(`error: ${features.failure}\n`);
    return 255;
  }
  process.stdout.write('Performing Streamed Install\n');
  const { failure, socket, input } = await ask(`host:transport:${serial}`);
  if (failure !== undefined) {
    process.stderr.write(`adb: connect error for write: ${failure}\n`);
    return 1;
  }
  const bytes = await readFile(file);
  await request(socket, input, `exec:cmd package 'install' '-r' -S ${bytes.length}`);
  socket.write(bytes);
  const answer = (await input.readAll()).toString();
  if (answer.startsWith('Success')) {
    process.stdout.write(answer);
    return 0;
  }
  process.stderr.write(`adb: failed to install ${file}: ${answer}`);
  return 1;
}

async function shell(serial: string, command: string): Promise<number> {
  const { failure, socket, input } = await ask(`host:transport:${serial}`);
  if (failure !== undefined) {
    process.stderr.write(`error: ${failure}\n`);
    return 1;
  }
  await request(socket, input, `shell,v2,raw:${command}`);
  for (;;) {
    const head = await input.read(5);
    const bytes = await input.read(head.readUInt32LE(1));
    if (head.readUInt8() === 3) {
      return bytes.readUInt8();
    }
    process.stdout.write(bytes);
  }
}

interface Answer {
  readonly socket: Socket;
  readonly input: SocketReader;
  /** What the server says in place of an answer. */
  readonly failure: string | undefined;
}

async function ask(text: string): Promise<Answer> {
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const input = new SocketReader(socket);
  return { socket, input, failure: await request(socket, input, text) };
}

/** @returns what the server says when it refuses. */
async function request(socket: Socket, input: SocketReader, text: string): Promise<string | undefined> {
  socket.write(text.length.toString(16).padStart(4, '0') + text);
  const isRefused = (await input.read(4)).toString() === 'FAIL';
  return isRefused ? lengthAndText(input) : undefined;
}

async function lengthAndText(input: SocketReader): Promise<string> {
  return (await input.read(Number.parseInt((await input.read(4)).toString(), 16))).toString();
}
