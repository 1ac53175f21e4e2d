/** Creates folders to pack. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The files to create. */
interface Filling {
  readonly files: number;
  /** Size of each file in bytes. */
  readonly bytes: number;
  /** Whether half of the files are pictures. The other files are text. */
  readonly pictures: 'half' | 'none';
}

/** Fills a folder with typical files of a web project, a hundred per subfolder. */
export async function fillFolder(folder: string, { files, bytes, pictures }: Filling): Promise<void> {
  const words = randomBytes(4_000).toString('hex').match(/.{5}/g) ?? [];
  const text = Array.from({ length: bytes / 5 }, (_, index) => words[(index * 7_919) % 1_597]).join(' ');
  const picture = randomBytes(bytes);
  for (let index = 0; index < files; index += 1) {
    const inside = path.join(folder, 'www', String(index % 100));
    await mkdir(inside, { recursive: true });
    const isText = pictures === 'none' || index % 2 === 0;
    await writeFile(path.join(inside, `${index}.${isText ? 'js' : 'jpg'}`), isText ? text.slice(0, bytes) : picture);
  }
  await writeFile(path.join(folder, 'www', 'index.html'), '<!doctype html><title>Bench</title>');
}
