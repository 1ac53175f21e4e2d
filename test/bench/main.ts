/**
 * `npm run bench` measures the operations that the user waits for against a peer, in interleaved rounds, and prints a table. A figure is
 * the median of the rounds, with the minimum and the maximum. A ratio is the median of the rounds' ratios. Compare ratios, because figures
 * depend on the computer. `--only NAME` measures one suite, `--rounds N` changes the number of rounds (5), and `--write` writes the table
 * to docs/figures.md. A row over its limit is only reported. The exit code is 0 unless a measurement failed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import '../support/vscodeInNode.ts';
import { buildExtension } from '../host/vsix.ts';
import { repositoryRoot } from '../support/repository.ts';
import { formatTable } from '../support/table.ts';
import { isWithinLimit, getMedian, getRatios, type Row } from './rounds.ts';

/** Modules in suites/, in the order of the table. */
const SUITES = [
  'activation',
  'start',
  'firstRows',
  'plan',
  'check',
  'preview',
  'build',
  'repository',
  'upload',
  'download',
  'clients',
];

const BEGIN = '<!-- Written by npm run bench -- --write. -->';
const END = '<!-- End of the generated part. -->';

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
const table = formatTable(rows.map(getCells));
console.log(table);
if (write && only === undefined) {
  await writeFigures();
}
const passed = rows.filter(isWithinLimit).length;
console.log(`\n${passed} passed, ${rows.length - passed} failed`);
process.exit(passed === rows.length ? 0 : 1);

function getCells(row: Row): Record<string, string> {
  const ratios = getRatios(row);
  return {
    what: row.what,
    measured: spread(row.ours, shortFigure, ' ms'),
    beside: row.peer === undefined ? '' : `${row.peer.name}: ${shortFigure(getMedian(row.peer.times))} ms`,
    ratio: ratios === undefined ? '' : spread(ratios, (ratio) => ratio.toFixed(2), ' ×'),
    limit: ratios === undefined ? `≤ ${row.max} ms` : `≤ ${row.max} ×`,
  };
}

/** Formats the median, the minimum, and the maximum. */
function spread(figures: readonly number[], format: (figure: number) => string, unit: string): string {
  return `${format(getMedian(figures))} (${format(Math.min(...figures))} to ${format(Math.max(...figures))})${unit}`;
}

function shortFigure(value: number): string {
  return value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}

async function writeFigures(): Promise<void> {
  const file = path.join(repositoryRoot, 'docs', 'figures.md');
  const text = await readFile(file, 'utf8');
  const written = [
    `Each value is the median of ${rounds} rounds, with the minimum and the maximum. Both programs ran in the same rounds, on a computer with`,
    `${os.availableParallelism()} processors and Node ${process.versions.node}. Times depend on the computer. Ratios are comparable.`,
  ].join('\n');
  const [before = '', after = ''] = [text.split(BEGIN)[0], text.split(END)[1]];
  await writeFile(file, `${before}${BEGIN}\n\n${written}\n\n${table}\n\n${END}${after}`);
}
