/** Runs npm to install the engine and its plugins. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { isToolFolder, runProgram, type Program } from '../runProgram.ts';

/**
 * Installs packages into a folder, without running their scripts.
 *
 * @param args an npm command with its options and packages
 * @param log receives the lines that npm prints, except its own stack traces
 * @param env added to that of npm
 * @throws ProgramError; the signal's reason when it is aborted
 */
export type Npm = (
  folder: string,
  args: readonly string[],
  log: (line: string) => void,
  env?: Readonly<NodeJS.ProcessEnv>,
) => Promise<unknown>;

/** Finds npm. @param env its environment, with the user's npm configuration */
export async function findNpm(env: Readonly<NodeJS.ProcessEnv>, signal: AbortSignal): Promise<Npm | undefined> {
  const npm = await findProgram(env);
  const options = '--ignore-scripts --no-audit --no-fund --loglevel=error --prefix'.split(' ');
  return (
    npm &&
    ((folder, [command = '', ...others], log, ownEnv) =>
      runProgram({
        command: npm.command,
        args: [...npm.args, command, ...options, folder, ...others],
        cwd: folder,
        env: { ...env, ...ownEnv, ELECTRON_RUN_AS_NODE: '1' },
        log: (line) => (line.startsWith('npm error    ') ? undefined : log(line)),
        signal,
      }))
  );
}

/** The npm that runs this program, the one next to Node, or the one on PATH. It's a script, because Windows has a batch file. */
async function findProgram(env: Readonly<NodeJS.ProcessEnv>): Promise<Pick<Program, 'command' | 'args'> | undefined> {
  const { npm_execpath: running = '', PATH = '' } = env;
  const script = path.join('node_modules', 'npm', 'bin', 'npm-cli.js');
  const nodeFolder = path.dirname(process.execPath);
  const candidates = [
    ...(path.basename(running) === 'npm-cli.js' ? [running] : []),
    path.join(nodeFolder, script),
    path.join(nodeFolder, '..', 'lib', script),
    ...PATH.split(path.delimiter)
      .filter(isToolFolder)
      .map((folder) => path.join(folder, process.platform === 'win32' ? script : 'npm')),
  ];
  for (const candidate of candidates) {
    const file = await realpath(candidate).catch(() => undefined);
    if (file !== undefined) {
      return file.endsWith('npm-cli.js') ? { command: process.execPath, args: [file] } : { command: file, args: [] };
    }
  }
  return undefined;
}
