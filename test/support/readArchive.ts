import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { list } from 'tar';
import yauzl from 'yauzl';

/** Returns the text of each file in a zip or tar archive by path. */
export async function readArchive(file: string): Promise<ReadonlyMap<string, string>> {
  const isZip = (await readFile(file)).subarray(0, 2).toString('latin1') === 'PK';
  return isZip ? readZip(file) : readTar(file);
}

async function readZip(file: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const archive = await yauzl.openPromise(file);
  for await (const entry of archive.eachEntry()) {
    files.set(entry.fileName, await text(await archive.openReadStreamPromise(entry)));
  }
  return files;
}

async function readTar(file: string): Promise<ReadonlyMap<string, string>> {
  const files: Promise<readonly [string, string]>[] = [];
  await list({
    file,
    onReadEntry: (entry) => {
      files.push(entry.concat().then((content) => [entry.path.replace(/^\.\//, ''), content.toString('utf8')]));
    },
  });
  return new Map(await Promise.all(files));
}
