/** Runs npm to install the engine and its plugins. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { isToolFolder, runProgram, type Program } from '../runProgram.ts';
import { exists } from './engine.ts';

/** The program, and its first arguments. */
export type Npm = Pick<Program, 'command' | 'args'>;

interface NpmRun {
  /** Receives the lines that npm prints, except its own stack traces. */
  readonly report: (line: string) => void;
  /** Ends npm. */
  readonly signal: AbortSignal;
  /** Its environment, with the user's npm configuration. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/**
 * Installs packages into a folder, without running their scripts.
 *
 * @param args an npm command with its options and packages
 * @throws ProgramError; the signal's reason when it is aborted
 */
export async function runNpm(
  { command, args: first }: Npm,
  folder: string,
  args: readonly string[],
  { report, signal, env }: NpmRun,
): Promise<void> {
  const [npmCommand = '', ...others] = args;
  const options = '--ignore-scripts --no-audit --no-fund --loglevel=error --prefix'.split(' ');
  await runProgram({
    command,
    args: [...first, npmCommand, ...options, folder, ...others],
    cwd: folder,
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
    log: (line) => (/^npm error {4}/.test(line) ? undefined : report(line)),
    signal,
  });
}

/** Finds npm: the one that runs this program, the one next to Node, or the one on PATH. It's a script, because Windows has a batch file. */
export async function findNpm(env: Readonly<NodeJS.ProcessEnv>): Promise<Npm | undefined> {
  const nodeFolder = path.dirname(process.execPath);
  const scripts = [
    env.npm_execpath ?? '',
    path.join(nodeFolder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(nodeFolder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  for (const script of scripts) {
    if (path.basename(script) === 'npm-cli.js' && (await exists(script))) {
      return { command: process.execPath, args: [script] };
    }
  }
  for (const folder of (env.PATH ?? '').split(path.delimiter).filter(isToolFolder)) {
    const npm = await npmOf(folder);
    if (npm !== undefined) {
      return npm;
    }
  }
  return undefined;
}

async function npmOf(folder: string): Promise<Npm | undefined> {
  const script = path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  if (process.platform === 'win32') {
    return (await exists(script)) ? { command: process.execPath, args: [script] } : undefined;
  }
  const command = await realpath(path.join(folder, 'npm')).catch(() => undefined);
  if (command === undefined) {
    return undefined;
  }
  return command.endsWith('npm-cli.js') ? { command: process.execPath, args: [command] } : { command, args: [] };
}
