import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import {
  inheritedEnvironment,
  ProgramError,
  runProgram,
  type ProgramCall,
} from '../../../../src/build-service/builds/runProgram.ts';
import { useFolderForEachTest, withEnvironment } from '../../../support/hooks.ts';
import { itOnPosix } from '../../../support/itOnPosix.ts';
import { KILLED, processEnd } from '../../../support/processes.ts';
import { repositoryRoot } from '../../../support/repository.ts';

const source = join(repositoryRoot, 'src', 'build-service', 'builds', 'runProgram.ts');

describe('local service: running a builder’s program', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  /** Runs JavaScript in a separate Node process. */
  async function run(script: string, options: Partial<ProgramCall> = {}): Promise<readonly string[]> {
    return runProgram({
      command: process.execPath,
      args: ['-e', script],
      cwd: folder,
      env: inheritedEnvironment(['PATH']),
      signal: new AbortController().signal,
      ...options,
    });
  }

  it('passes on every line of both outputs, including an unfinished last line', async () => {
    const lines = await run(`
      process.stdout.write('caf');
      setTimeout(() => {
        process.stdout.write('é\\r\\nsecond\\n\\nno end');
        process.stderr.write('from the other\\n');
      }, 20);`);
    assert.deepEqual(lines.toSorted(), ['', 'café', 'from the other', 'no end', 'second']);
  });

  it('splits lines at carriage returns, and truncates an endless line', async () => {
    const lines = await run(`process.stdout.write('10 %\\r20 %\\r' + 'x'.repeat(5_000_000) + 'tail\\nnext\\n')`);
    assert.deepEqual(
      lines.map((line) => line.slice(0, 4)),
      ['10 %', '20 %', 'xxxx', 'next'],
    );
    assert.equal(lines[2]?.length, 80_000);
  });

  it('passes an empty input, the folder as PWD, and only the given environment variables', async () => {
    const lines = await withEnvironment({ SERVICE_SECRET: 'hidden' }, () =>
      run(
        `require('fs').readFileSync(0); console.log(process.cwd() === process.env.PWD, process.env.OWN, process.env.SERVICE_SECRET)`,
        { env: { ...inheritedEnvironment(['PATH']), OWN: 'given', PWD: '/' } },
      ),
    );
    assert.deepEqual(lines, ['true given undefined']);
  });

  it('reports the result: a status, a signal, or a failed start', async () => {
    const failure = async (...args: Parameters<typeof run>): Promise<ProgramError> =>
      run(...args).then(
        () => assert.fail('it did not fail'),
        (error: unknown) => (error instanceof ProgramError ? error : assert.fail(String(error))),
      );
    const failed = await failure(`console.log('why'); process.exit(3)`);
    assert.deepEqual([failed.message, failed.lines], ['ended with status 3', ['why']]);
    assert.equal((await failure(`process.kill(process.pid, 'SIGKILL')`)).message, KILLED);
    const absent = await failure('', { command: join(folder, 'absent') });
    assert.deepEqual([absent.message, absent.code], ['could not be started (ENOENT)', 'ENOENT']);
  });

  it('fails if the reader of its output fails, even before the program exits', async () => {
    const fault = new Error('can’t be read');
    const unhandled: unknown[] = [];
    const listen = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', listen);
    const script = `
      process.stdout.write('no line feed', () => require('fs').closeSync(1));
      require('fs').closeSync(2);
      const wait = () => require('fs').existsSync('read') || setTimeout(wait, 5);
      wait();`;
    const log = (): never => {
      // The program exits only after Node would have reported a rejection without a handler.
      setTimeout(() => writeFileSync(join(folder, 'read'), ''), 1);
      throw fault;
    };
    await assert.rejects(run(script, { log }), fault).finally(() => process.off('unhandledRejection', listen));
    assert.deepEqual(unhandled, []);
  });

  itOnPosix('reports that no more files can be opened', async () => {
    const script = `
      import { openSync } from 'node:fs';
      import { runProgram } from ${JSON.stringify(pathToFileURL(source).href)};
      const signal = new AbortController().signal;
      const files = [];
      try { for (;;) files.push(openSync('/dev/null')); } catch {}
      const error = await runProgram({ command: process.execPath, args: ['-e', '0'], cwd: '/', env: {}, signal }).catch((reason) => reason);
      process.stdout.write(error.message);`;
    const args = ['-c', 'ulimit -n 60 && exec "$0" --input-type=module -e "$1"', process.execPath, script];
    assert.equal((await promisify(execFile)('sh', args)).stdout, 'could not be started (EMFILE)');
  });

  it('ends the whole process group when aborted, even if it ignores a termination request', async () => {
    const stubborn = new AbortController();
    const program = run(`process.on('SIGTERM', () => {}); console.log('on'); setInterval(() => {}, 1000)`, {
      signal: stubborn.signal,
      log: () => stubborn.abort(new Error('at once')),
    });
    await assert.rejects(program, new Error('at once'));
    const controller = new AbortController();
    const pids: number[] = [];
    const grandchild = `process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)`;
    const started = run(
      `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' });
      console.log(process.pid); setInterval(() => {}, 1000)`,
      {
        signal: controller.signal,
        log: (line) => {
          pids.push(Number(line));
          if (pids.length === 2) {
            controller.abort(new Error('enough'));
          }
        },
      },
    );
    await assert.rejects(started, new Error('enough'));
    await Promise.all(pids.map(processEnd));
  });

  it('leaves no background process after success', async () => {
    const background = `require('fs').writeFileSync('ready', ''); setInterval(() => {}, 1000)`;
    const lines = await run(`
      const { pid } = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(background)}], { stdio: 'inherit' });
      const wait = () => require('fs').existsSync('ready') ? (console.log(pid), process.exit(0)) : setTimeout(wait, 5);
      wait();`);
    await processEnd(Number(lines[0]));
    assert.equal(await readFile(join(folder, 'ready'), 'utf8'), '');
  });
});
