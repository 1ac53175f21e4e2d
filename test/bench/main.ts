/** `npm run bench`: measures the extension and the local service beside comparable software, and prints one table. */
import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../host/vsix.ts';
import { tableOf } from '../support/table.ts';
import { waitForIdleMachine } from './idleMachine.ts';
import type { Row } from './row.ts';
import { suites, type Suite } from './suite.ts';

const usage = `Usage: npm run bench -- [options]

Measures ours and its peers in interleaved rounds and prints one table. Each figure is the median of the rounds; each
ratio is the median of the rounds' own ratios. Compare ratios, not figures of different runs.

  --json FILE   also write the rows as JSON: name, ours, peer, ratio, limit, holds
  --only NAME   only rows whose name starts with NAME; names start with one of
                ${suites.join(', ')}
  --rounds N    rounds (default: 5)
  --help        print this text

Ends with "N passed, N failed": rows whose limit holds, and rows that fall short. A row that falls short is a result, not
an error: the exit code is 0 unless something could not be measured.
`;

interface Options {
  readonly json: string | undefined;
  readonly only: string;
  readonly rounds: number;
}

function optionsOf(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'string' },
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  });
  const { json, only, rounds, help } = values;
  if (!/^[1-9]\d?$/.test(rounds)) {
    throw new Error('--rounds must be a number from 1 to 99.');
  }
  if (suitesFor(only).length === 0) {
    throw new Error(`No row starts with “${only}”. Names start with one of ${suites.join(', ')}.`);
  }
  return help ? undefined : { json, only, rounds: Number(rounds) };
}

function suitesFor(only: string): readonly Suite[] {
  return suites.filter((suite) => suite.startsWith(only) || only.startsWith(suite));
}

/** @throws when the suite's process ends without rows. */
function measure(suite: Suite, rounds: number): Promise<readonly Row[]> {
  const child = fork(path.join(import.meta.dirname, 'suiteProcess.ts'), [suite, String(rounds)], {
    execArgv: ['--expose-gc'],
    // Only the table goes to standard output.
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (rows) => resolve(rows as readonly Row[]));
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`the process ended with ${code ?? 'a signal'}`)));
  });
}

async function run({ json, only, rounds }: Options): Promise<boolean> {
  await buildExtension();
  const rows: Row[] = [];
  let measured = true;
  for (const suite of suitesFor(only)) {
    await waitForIdleMachine();
    const start = performance.now();
    try {
      rows.push(...(await measure(suite, rounds)).filter(({ name }) => name.startsWith(only)));
      console.error(`${suite}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    } catch (error) {
      measured = false;
      console.error(`${suite} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (measured && rows.length === 0) {
    measured = false;
    console.error(`No row starts with “${only}”.`);
  }
  console.log(tableOf(rows.map(toTableRow)));
  if (json !== undefined) {
    await writeFile(json, `${JSON.stringify(rows, undefined, 2)}\n`);
  }
  const passed = rows.filter(({ holds }) => holds).length;
  console.log(`\n${passed} passed, ${rows.length - passed} failed`);
  return measured;
}

function toTableRow({ name, ours, peer, ratio, limit, holds }: Row): Record<string, string> {
  return {
    name,
    ours: formatFigure(ours),
    peer: peer === null ? '' : formatFigure(peer),
    ratio: ratio === null ? '' : `${ratio.toFixed(2)} ×`,
    limit,
    holds: holds ? 'yes' : 'NO',
  };
}

function formatFigure(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value >= 1000 ? 6 : 3, maximumFractionDigits: 3 });
}

try {
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) {
    console.log(usage);
  } else {
    process.exitCode = (await run(options)) ? 0 : 1;
  }
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)} See --help.`);
  process.exitCode = 2;
}
