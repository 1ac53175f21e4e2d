/** `npm run bench`: measures the extension and the local service beside comparable software, and prints one table. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../host/vsix.ts';
import { tableOf } from '../support/table.ts';
import { waitForIdleMachine } from './idleMachine.ts';
import { writeReadme } from './readme.ts';
import type { Row, Spread } from './row.ts';
import { suites, TITLES, type Suite } from './suite.ts';

const usage = `Usage: npm run bench -- [options]

Measures what a person waits for, where there is one beside a peer in interleaved rounds, and prints one table. Each figure is the
median of the rounds, with the least and the most; each ratio is the median of the rounds' own ratios. Compare ratios, not figures
of different runs. Where the system tells, "processors" is the ratio of the time that processors worked.

  --only NAME   only rows whose name starts with NAME; names start with one of
                ${suites.join(', ')}
  --readme      also write the table into README.md; not with --only
  --rounds N    rounds (default: 5)
  --help        print this text

Ends with "N passed, N failed": rows whose limit holds, and rows that fall short. A row that falls short is a result, not
an error: the exit code is 0 unless something could not be measured.
`;

interface Options {
  readonly only: string;
  readonly readme: boolean;
  readonly rounds: number;
}

function optionsOf(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      readme: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  });
  const { only, readme, rounds, help } = values;
  if (!/^[1-9]\d?$/.test(rounds)) {
    throw new Error('--rounds must be a number from 1 to 99.');
  }
  if (suitesFor(only).length === 0) {
    throw new Error(`No row starts with “${only}”. Names start with one of ${suites.join(', ')}.`);
  }
  if (readme && only !== '') {
    throw new Error('--readme writes the whole table: leave --only out.');
  }
  return help ? undefined : { only, readme, rounds: Number(rounds) };
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

async function run({ only, readme, rounds }: Options): Promise<boolean> {
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
  console.log(tableOf(rows.map((row) => ({ ...cellsOf(row), holds: row.holds ? 'yes' : 'NO' }))));
  if (readme && measured) {
    await writeReadme(tableOf(rows.map((row) => ({ ...cellsOf(row), what: titleOf(row) }))), rounds);
  }
  const passed = rows.filter(({ holds }) => holds).length;
  console.log(`\n${passed} passed, ${rows.length - passed} failed`);
  return measured;
}

function cellsOf({ name, unit, ours, peer, ratio, added, processorRatio, limit }: Row): Record<string, string> {
  const beside =
    added === undefined ? ratio && `${spread(ratio, toHundredths)} ×` : `+ ${spread(added, shortFigure)} ${unit}`;
  return {
    what: name,
    measured: `${spread(ours, shortFigure)} ${unit}`,
    beside: peer === undefined ? '' : `${peer.name}: ${shortFigure(peer.median)} ${unit}`,
    ratio: beside ?? '',
    processors: processorRatio === undefined ? '' : `${toHundredths(processorRatio)} ×`,
    limit,
  };
}

/** The name of a row with that of its suite in words. */
function titleOf({ name }: Row): string {
  const comma = name.indexOf(',');
  const suite = suites.find((each) => each === name.slice(0, comma));
  return suite === undefined ? name : TITLES[suite] + name.slice(comma);
}

/** A figure, with the least and the most where there are several. */
function spread({ median, min, max }: Spread, format: (value: number) => string): string {
  return min === max ? format(median) : `${format(median)} (${format(min)} to ${format(max)})`;
}

function toHundredths(value: number): string {
  return value.toFixed(2);
}

function shortFigure(value: number): string {
  return value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
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
