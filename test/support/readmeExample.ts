import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from './repository.ts';

/** Files of the extension that the README shows, each with the language of its block. */
const FILES = { 'package.json': 'json', 'extension.js': 'js' };

/**
 * Writes the extension that the README's section *For other extensions* shows, as it stands there.
 *
 * @param folder absolute path; it is made.
 * @returns the folder.
 */
export async function writeReadmeExample(folder: string): Promise<string> {
  const readme = await readFile(path.join(repositoryRoot, 'README.md'), 'utf8');
  const section = /^## For other extensions$(.*?)^## /ms.exec(readme)?.[1] ?? '';
  await mkdir(folder);
  for (const [name, language] of Object.entries(FILES)) {
    const block = new RegExp(`^\`{3}${language}\\n(.*?)^\`{3}$`, 'ms').exec(section)?.[1];
    if (block === undefined) {
      throw new Error(`The README shows no ${name} under “For other extensions”.`);
    }
    await writeFile(path.join(folder, name), block);
  }
  return folder;
}
