/**
 * `npm run guards` takes out the guards of SECURITY.md one by one, in copies of the working tree, and runs the test that has to
 * fail without each. `-- --grep words` selects by claim, file or test; `-- --jobs 1` works on one at a time.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

// For all copies: npm does not install into them, where the folder of what is installed is a link.
import '../host/installAll.ts';
import type { Guard } from './guard.ts';
import { guards } from './guards.ts';
import { copyTree, tryGuard, type Copy, type SoundResults } from './tryGuard.ts';

const { values } = parseArgs({ options: { grep: { type: 'string', default: '' }, jobs: { type: 'string' } } });
const words = new RegExp(values.grep, 'i');
const selected = guards.filter(({ claim, file, test }) => words.test(`${claim} ${file} ${test}`));
const jobs = Number(values.jobs ?? Math.min(2, availableParallelism()));
/** Those that need VS Code last: they take the longest. */
const waiting = selected.toSorted(
  (a, b) => Number(a.test.startsWith('integration')) - Number(b.test.startsWith('integration')),
);
const unnoticed: string[] = [];
const soundResults: SoundResults = new Map();

await Promise.all(Array.from({ length: jobs }, work));

unnoticed.forEach((line) => console.log(line));
console.log(`${selected.length - unnoticed.length} passed, ${unnoticed.length} failed`);
process.exitCode = unnoticed.length === 0 && selected.length > 0 ? 0 : 1;

async function work(): Promise<void> {
  const copy = await copyTree();
  try {
    for (let guard = waiting.shift(); guard !== undefined; guard = waiting.shift()) {
      await report(copy, guard);
    }
  } finally {
    await copy.remove();
  }
}

async function report(copy: Copy, guard: Guard): Promise<void> {
  const start = performance.now();
  const { noticed, why } = await tryGuard(copy, guard, soundResults);
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
  const line = `${noticed ? 'noticed    ' : 'NOT NOTICED'} ${seconds} s  ${guard.claim} · ${guard.file} · ${guard.test}: ${why}`;
  console.log(line);
  if (!noticed) {
    unnoticed.push(line);
  }
}
