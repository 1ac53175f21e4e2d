import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from './repository.ts';

const DIST = path.join(repositoryRoot, 'dist');

/** Files of lazily imported code, loaded when first needed. */
const LAZY_FILES = ['later.cjs', 'undici.cjs'];

/** Returns the names of all shipped files in `dist/`, sorted. */
export async function bundledFiles(): Promise<readonly string[]> {
  return (await readdir(DIST)).filter((file) => file.endsWith('.cjs')).sort();
}

/** Returns the files in `dist/` that VS Code loads to activate the extension, sorted: the entry point and the files that it requires. */
export async function activationFiles(): Promise<readonly string[]> {
  const files = new Set(['extension.cjs']);
  for (const file of files) {
    const text = await readFile(path.join(DIST, file), 'utf8');
    for (const [, required = ''] of text.matchAll(/require\("\.\/([^"]+)"\)/g)) {
      if (!LAZY_FILES.includes(required)) {
        files.add(required);
      }
    }
  }
  return [...files].sort();
}
