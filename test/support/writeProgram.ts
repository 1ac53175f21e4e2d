import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { repositoryRoot } from './repository.ts';

const isWindows = process.platform === 'win32';
const TOOLCHAIN_NODE = path.join(repositoryRoot, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');

/**
 * Path of a Node, even if this process is VS Code's Electron. Under Wine, the toolchain contains no Node for Windows.
 */
export const NODE = existsSync(TOOLCHAIN_NODE) ? TOOLCHAIN_NODE : process.execPath;

/**
 * Writes a program that runs a command and appends its own arguments.
 * @param file path without the Windows extension. Its folder is created.
 * @returns its path
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
  // Quoted for the command-line rules of C programs. No word ends with a backslash.
  await writeFile(file, command.map((word) => `"${word.replaceAll('"', String.raw`\"`)}"`).join(' '), 'utf16le');
  return program;
}

/** Returns a command that runs JavaScript code with CommonJS's names. */
export function javaScript(code: string): readonly string[] {
  return [NODE, '-e', code, '--'];
}
