import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import path from 'node:path';

/**
 * Starts npm: the one that runs this script, or the one on PATH. On Windows, the latter is a batch file, which needs a
 * shell.
 */
export function spawnNpm(args: readonly string[], options: SpawnOptions): ChildProcess {
  const script = process.env.npm_execpath;
  return script !== undefined && path.basename(script) === 'npm-cli.js'
    ? spawn(process.execPath, [script, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
}
