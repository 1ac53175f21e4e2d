import { fork, type ChildProcess } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { Readable } from 'node:stream';

/**
 * Starts the local service's program, with a channel for messages.
 *
 * @param script path of the service's bundle.
 * @param report receives each line that the program writes to stderr.
 * @returns the process, the reader of these lines, and the last one; empty before.
 */
export function forkService(
  script: string,
  args: readonly string[],
  stdout: 'pipe' | 'ignore',
  report: (line: string) => void,
): { readonly child: ChildProcess; readonly lines: Interface; readonly lastLine: () => string } {
  const child = fork(script, args, {
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
    // Node 22 warns of `node:sqlite`.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Within VS Code, `process.execPath` may be Electron; this makes it behave as Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  let lastLine = '';
  const lines = createInterface({ input: child.stderr ?? Readable.from([]) });
  lines.on('line', (line) => {
    lastLine = line;
    report(line);
  });
  return { child, lines, lastLine: () => lastLine };
}
