/** `npm run faults [-- --large] [--kills N] [--json FILE]`: tests the client and the local service under all kinds of faults. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { formatTable } from '../support/table.ts';
import { floodedLog } from './builders.ts';
import { clientFaults } from './client.ts';
import { abandonedDownloads, abandonedUploads, fullDisk, simultaneousUploads, slowClients } from './clients.ts';
import { crashes } from './crashes.ts';
import type { Row } from './measured.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    /** Kills the service 200 times unless `kills` is set. */
    large: { type: 'boolean', default: false },
    /** Number of times that the service is killed. */
    kills: { type: 'string' },
  },
});

function table(title: string, rows: readonly Row[]): string {
  const records = rows.map(({ group, name, got, sentence = '', milliseconds, problems }) => ({
    '': problems.length === 0 ? 'ok' : 'FAILED',
    group,
    fault: name,
    outcome: got,
    ms: milliseconds === undefined ? '' : milliseconds.toFixed(0),
    'the user reads': sentence.length > 160 ? `${sentence.slice(0, 159)}…` : sentence,
  }));
  return `\n${title}\n\n${formatTable(records)}`;
}

const client = await clientFaults();
console.log(table('Client faults', client));
const atOnce = await Promise.all([
  // Runs with each of the two builders.
  crashes(Number(values.kills ?? (values.large ? 200 : 2))),
  slowClients(),
  abandonedUploads(),
  simultaneousUploads(),
  fullDisk(),
  abandonedDownloads(),
]);
// Runs alone, because it measures this process's memory.
const service = [...atOnce.flat(), await floodedLog()];
console.log(table('Local service faults', service));
const rows = [...client, ...service];
for (const { group, name, expected, problems } of rows.filter((row) => row.problems.length > 0)) {
  console.log(`\nFAILED ${group}: ${name}\n  expected ${expected}\n  ${problems.join('\n  ')}`);
}
if (values.json !== undefined) {
  await writeFile(values.json, `${JSON.stringify(rows, undefined, 2)}\n`);
}
const failed = rows.filter((row) => row.problems.length > 0).length;
console.log(`\n${rows.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
// Open resources of a failed row must not keep the process alive.
setTimeout(() => process.exit(), 5_000).unref();
