import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { repositoryRoot } from './repository.ts';

const isWindows = process.platform === 'win32';
const TOOLCHAIN_NODE = path.join(repositoryRoot, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');

/** A Node, also where the process is VS Code’s Electron. Under Wine the toolchain has none for Windows. */
export const NODE = existsSync(TOOLCHAIN_NODE) ? TOOLCHAIN_NODE : process.execPath;

/**
 * Writes a program that runs a command, with the arguments that it gets itself behind those of the command.
 *
 * @param file its path, without what Windows adds; its folder is made.
 * @returns its path.
 */
export async function writeProgram(file: string, command: readonly string[]): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  if (!isWindows) {
    const words = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
    await writeFile(file, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
    return file;
  }
  const program = `${file}.exe`;
  await copyFile(path.join(repositoryRoot, 'test', 'fixtures', 'windowsProgram', 'program.exe'), program);
  // Quoted as every program of C reads its command line; no word ends with a backslash.
  await writeFile(file, command.map((word) => `"${word.replaceAll('"', String.raw`\"`)}"`).join(' '), 'utf16le');
  return program;
}

/** A command that runs a line of JavaScript, with CommonJS’s names. */
export function javaScript(code: string): readonly string[] {
  return [NODE, '-e', code, '--'];
}
