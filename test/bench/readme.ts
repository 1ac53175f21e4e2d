import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '../support/repository.ts';

const BEGIN = '<!-- Written by npm run bench -- --readme. -->';
const END = '<!-- End of what it wrote. -->';

/** Puts a table into README.md, in place of the one before. @throws an error when README.md has no place for it */
export async function writeReadme(table: string, rounds: number): Promise<void> {
  const file = path.join(repositoryRoot, 'README.md');
  const readme = await readFile(file, 'utf8');
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) {
    throw new Error(`README.md has no lines “${BEGIN}” and “${END}”.`);
  }
  const written = [
    `The median of ${rounds} rounds, with the least and the most; a peer is measured in the same rounds. A figure without a range was`,
    `measured once. On a machine with ${os.availableParallelism()} processors and Node ${process.versions.node}; elsewhere only the ratios mean anything.`,
  ].join('\n');
  await writeFile(file, `${readme.slice(0, begin + BEGIN.length)}\n\n${written}\n\n${table}\n\n${readme.slice(end)}`);
}
