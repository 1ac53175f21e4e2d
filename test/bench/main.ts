/**
 * `npm run bench` measures what the user waits for, beside a peer in interleaved rounds, and prints a table. A figure is the median of the
 * rounds with the least and the most; a ratio is the median of the rounds' own ratios. Compare ratios: figures depend on the machine.
 *
 * `--only NAME` measures one of the suites, `--rounds N` has another number of rounds than 5, `--write` writes the table into docs/figures.md.
 * A row over its limit is a result: the exit code is 0 unless something could not be measured.
 */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import '../support/vscodeInNode.ts';
import { buildExtension } from '../host/vsix.ts';
import { repositoryRoot } from '../support/repository.ts';
import { tableOf } from '../support/table.ts';
import { isWithinLimit, medianOf, ratiosOf, type Row } from './rounds.ts';

/** The modules in suites/, in the order of the table. */
const SUITES = ['activation', 'firstRows', 'build', 'upload', 'download'];

const BEGIN = '<!-- Written by npm run bench -- --write. -->';
const END = '<!-- End of what it wrote. -->';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});
const { only, write } = values;
const rounds = Number(values.rounds);

await buildExtension();
const rows: Row[] = [];
for (const suite of only === undefined ? SUITES : [only]) {
  const { measure } = (await import(`./suites/${suite}.ts`)) as {
    readonly measure: (rounds: number) => Promise<readonly Row[]>;
  };
  rows.push(...(await measure(rounds)));
}
const table = tableOf(rows.map(cellsOf));
console.log(table);
if (write && only === undefined) {
  await writeFigures();
}
const passed = rows.filter(isWithinLimit).length;
console.log(`\n${passed} passed, ${rows.length - passed} failed`);
process.exit();

function cellsOf(row: Row): Record<string, string> {
  const ratios = ratiosOf(row);
  return {
    what: row.what,
    measured: spread(row.ours, shortFigure, ' ms'),
    beside: row.peer === undefined ? '' : `${row.peer.name}: ${shortFigure(medianOf(row.peer.times))} ms`,
    ratio: ratios === undefined ? '' : spread(ratios, (ratio) => ratio.toFixed(2), ' ×'),
    limit: ratios === undefined ? `≤ ${row.max} ms` : `≤ ${row.max} ×`,
  };
}

/** The median, with the least and the most. */
function spread(figures: readonly number[], format: (figure: number) => string, unit: string): string {
  return `${format(medianOf(figures))} (${format(Math.min(...figures))} to ${format(Math.max(...figures))})${unit}`;
}

function shortFigure(value: number): string {
  return value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}

async function writeFigures(): Promise<void> {
  const file = path.join(repositoryRoot, 'docs', 'figures.md');
  const text = await readFile(file, 'utf8');
  const written = [
    `The median of ${rounds} rounds, with the least and the most; a peer is measured in the same rounds. On a computer with`,
    `${os.availableParallelism()} processors and Node ${process.versions.node}; elsewhere only the ratios mean anything.`,
  ].join('\n');
  const [before = '', after = ''] = [text.split(BEGIN)[0], text.split(END)[1]];
  await writeFile(file, `${before}${BEGIN}\n\n${written}\n\n${table}\n\n${END}${after}`);
}
